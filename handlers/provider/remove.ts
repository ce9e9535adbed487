import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { RunCtx } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { count, named, nodo, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { accountReading } from '../../lib/mirror/account.ts'
import { concernedNode, nodeReading } from '../../lib/mirror/node.ts'
import { queueRetire, toRemove } from '../../lib/mirror/sweep.ts'
import { both, mapped, reading, readNow } from '../../lib/store/reading.ts'
import { dnsAccounts, mirrors } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/dns/proveedor',
  access: allow('token', 'admin'),
  summary: 'Remove the DNS provider account of a node',
  description: 'The mirrored zones are removed at the provider first; 202 until the last one is gone.',
  query: v.strictObject({ nodo: v.optional(nodo) }),
  output: named(
    'ProveedorEliminado',
    'The account is gone with 200, being emptied with 202.',
    v.union([
      v.strictObject({ eliminado: told(v.literal(true), 'It is gone.', true) }),
      v.strictObject({
        estado: told(v.literal('retirando'), 'Its zones are being removed at the provider.', 'retirando'),
        zonas: told(count, 'How many are left.', 3),
      }),
    ]),
  ),
  statuses: [200, 202],
  errors: ['nodo_no_existe', 'proveedor_no_existe'],
  async run(ctx, { query }) {
    const [node, account, left] = await readNow(ctx.tx, removalFacts(ctx, query.nodo))
    if (!account) throw new AppError('proveedor_no_existe')
    Object.assign(ctx.audit, { target: account.kind, detail: { nodo: node } })
    ctx.tx.later(
      ...queueRetire(ctx.tx, eq(mirrors.node, node), { reason: 'desactivada', now: ctx.now() }),
      left === 0
        ? ctx.tx.delete(dnsAccounts).where(eq(dnsAccounts.node, node))
        : ctx.tx.update(dnsAccounts).set({ removing: true }).where(eq(dnsAccounts.node, node)),
    )
    return left === 0
      ? ok({ eliminado: true as const })
      : accepted({ estado: 'retirando' as const, zonas: left })
  },
})

/** The node, its account, and how many copies have to be removed there first. */
function removalFacts(ctx: RunCtx, named: string | undefined) {
  const node = concernedNode(ctx, named)
  const copies = ctx.tx
    .select({ zone: mirrors.zone })
    .from(mirrors)
    .where(and(eq(mirrors.node, node), toRemove))
  const whole = both(
    both(nodeReading(ctx, ctx.tx, named, ctx.request.language), accountReading(ctx.tx, node)),
    reading(copies, (rows) => rows.length),
  )
  return mapped(whole, ([[known, account], left]) => [known, account, left] as const)
}

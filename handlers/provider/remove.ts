import { and, eq, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { count, named, nodo, told } from '../../lib/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/handler.ts'
import { accountOf } from '../../lib/mirror/account.ts'
import { nodeConcerned } from '../../lib/mirror/node.ts'
import { retire } from '../../lib/mirror/sweep.ts'
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
    const node = await nodeConcerned(ctx, ctx.tx, query.nodo, ctx.request.language)
    // Side by side: where there is no account, the refusal undoes the rest.
    const [account, , left] = await Promise.all([
      accountOf(ctx.tx, node),
      retire(ctx.tx, eq(mirrors.node, node), 'desactivada', ctx.now()),
      ctx.tx
        .select({ zone: mirrors.zone })
        .from(mirrors)
        .where(and(eq(mirrors.node, node), ne(mirrors.state, 'retirada'))),
    ])
    if (!account) throw new AppError('proveedor_no_existe')
    Object.assign(ctx.audit, { target: account.kind, detail: { nodo: node } })
    if (left.length === 0) {
      await ctx.tx.delete(dnsAccounts).where(eq(dnsAccounts.node, node))
      return ok({ eliminado: true as const })
    }
    await ctx.tx.update(dnsAccounts).set({ removing: true }).where(eq(dnsAccounts.node, node))
    return accepted({ estado: 'retirando' as const, zonas: left.length })
  },
})

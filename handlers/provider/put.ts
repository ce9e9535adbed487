import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { count, nodo, text, told } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { accountOf, accountShape, accountView, quotaPatch } from '../../lib/mirror/account.ts'
import { checkAccount } from '../../lib/mirror/enter-account.ts'
import { mailNotice } from '../../lib/mirror/services.ts'
import { PROVIDERS } from '../../lib/providers/index.ts'
import { activeAdmins } from '../../lib/tokens.ts'
import { dnsAccounts } from '../../schema/tables.ts'

/** Visible ASCII: it goes into a header. */
const credencial = told(
  v.pipe(
    v.string(),
    v.minLength(1, 'demasiado_corto'),
    v.maxLength(4096, 'demasiado_largo'),
    v.regex(/^[\x21-\x7e]+$/, 'caracteres_no_admitidos'),
  ),
  'The API token or key of the account, in visible ASCII.',
  'not-a-real-credential',
)

export default handler({
  method: 'PUT',
  path: '/dns/proveedor',
  access: person('admin'),
  summary: 'Enter the DNS provider account of a node',
  description:
    'The credential is checked live, stored encrypted and never shown. The panel cannot verify its scope: limit it at the provider. While zones are mirrored, only a credential of the same account is taken. `powerdns` is exercised against the real server; `cloudflare`, `desec` and `hetzner` so far only against stand-ins built from their published descriptions.',
  query: v.strictObject({ nodo: v.optional(nodo) }),
  body: v.strictObject({
    tipo: told(
      v.picklist(
        PROVIDERS.map(({ kind }) => kind),
        'valor_no_admitido',
      ),
      'The provider.',
      'desec',
    ),
    credencial,
    cuenta: v.optional(told(v.nullable(text(100)), 'The account, where the credential sees several.')),
    url: v.optional(told(v.nullable(text(300)), 'The origin of the API, for `powerdns`.')),
    limite_zonas: v.optional(
      told(
        v.nullable(v.pipe(count, v.minValue(1, 'numero_invalido'))),
        'Zones that the account can hold, where its API does not tell.',
      ),
    ),
  }),
  output: accountShape,
  errors: ['nodo_no_existe', 'proveedor_en_uso', 'proveedor_fallo'],
  prepare: (services, { body, query }, ctx) => checkAccount(services, ctx, body, query.nodo),
  async run(ctx, _input, { node, kind, sealed, account, url, adminLimit, quota }) {
    const now = ctx.now()
    const entered = {
      kind,
      credential: sealed,
      account,
      url,
      adminLimit,
      // Entering the account again is how an operator says that it has been given room.
      learnedLimit: null,
      refusedAt: null,
      pausedUntil: null,
      failures: 0,
      removing: false,
      checkedAt: now,
    }
    // A fence above all of an account that was here before: its late workers must match nothing.
    const first = { node, ...entered, epoch: 1, fence: now.getTime(), nextSlotAt: now, createdAt: now }
    const again = {
      ...entered,
      epoch: sql`${dnsAccounts.epoch} + 1`,
      warned: sql`case when ${dnsAccounts.kind} = ${kind} then ${dnsAccounts.warned} else 0 end`,
    }
    ctx.tx.later(
      ctx.tx.insert(dnsAccounts).values(first).onConflictDoUpdate({ target: dnsAccounts.node, set: again }),
    )
    await ctx.tx.ahead(
      () => accountOf(ctx.tx, node),
      () => activeAdmins(ctx.tx),
    )
    const stored = await accountOf(ctx.tx, node)
    if (!stored) throw new AppError('no_disponible')
    const { patch, notices } = quotaPatch(stored, quota)
    ctx.tx.later(ctx.tx.update(dnsAccounts).set(patch).where(eq(dnsAccounts.node, node)))
    for (const notice of notices) await mailNotice(ctx, ctx.tx, notice)
    Object.assign(ctx.audit, { target: kind, detail: { cuenta: account, nodo: node } })
    return ok(accountView({ ...stored, ...patch }, now, ctx.request.language))
  },
})

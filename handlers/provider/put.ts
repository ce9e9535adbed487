import * as v from 'valibot'
import { count, nodo, text, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { activeAdmins } from '../../lib/identity/tokens.ts'
import { accountReading, accountShape, accountView } from '../../lib/mirror/account.ts'
import { decideAccount } from '../../lib/mirror/decide-account.ts'
import { checkAccount } from '../../lib/mirror/enter-account.ts'
import { enqueueNotices } from '../../lib/mirror/services.ts'
import { PROVIDERS } from '../../lib/providers/index.ts'
import { readNow } from '../../lib/store/reading.ts'
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
  async run(ctx, _input, checked) {
    const now = ctx.now()
    const { node, kind, account } = checked
    const [before, admins] = await Promise.all([
      readNow(ctx.tx, accountReading(ctx.tx, node)),
      activeAdmins(ctx.tx),
    ])
    const { row, notices } = decideAccount(before, checked, now)
    ctx.tx.later(
      ctx.tx.insert(dnsAccounts).values(row).onConflictDoUpdate({ target: dnsAccounts.node, set: row }),
    )
    enqueueNotices(ctx.tx, ctx, { notices, admins })
    Object.assign(ctx.audit, { target: kind, detail: { cuenta: account, nodo: node } })
    return ok(accountView(row, now, ctx.request.language))
  },
})

import * as v from 'valibot'
import { AppError, type ErrorCode } from '../../lib/endpoint/errors.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { fieldOf } from '../../lib/endpoint/validate.ts'
import { queueCredentials } from '../../lib/sftp/commands.ts'
import { decideKeys, withKept } from '../../lib/sftp/decide.ts'
import { accountToChange } from '../../lib/sftp/facts.ts'
import { accountShape, cuenta, llaves } from '../../lib/sftp/shapes.ts'
import { accountReading } from '../../lib/sftp/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'PUT',
  path: '/clientes/:cliente/cuentas-sftp/:cuenta/llaves',
  access: person('admin', 'client'),
  summary: "Set an SFTP account's public keys",
  description:
    'Ed25519, ECDSA, and RSA of at least 3072 bits. They count from the next login on; where one is taken away, the sessions of the account end.',
  params: v.strictObject({ cliente, cuenta }),
  body: v.strictObject({ llaves }),
  output: accountShape,
  errors: [
    'cliente_no_existe',
    'cuenta_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'llave_invalida',
    'llave_debil',
  ],
  async run(ctx, { params, body }) {
    const { language } = ctx.request
    const refusal = (code: ErrorCode, at: number) =>
      new AppError(code, { campos: [fieldOf(`llaves.${at}`, code, language)] })
    const wanted = decideKeys(body.llaves, refusal)
    const found = await accountToChange(ctx, { client: params.cliente, account: params.cuenta })
    const keys = withKept(wanted, found.account.keys, refusal)
    ctx.audit.detail = { llaves: keys.map(({ fingerprint }) => fingerprint) }
    ctx.tx.later(...queueCredentials(ctx, found, { keys }))
    return ok(accountReading(ctx, params.cuenta))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, accountReading(ctx, params.cuenta))),
})

import * as v from 'valibot'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { queueNewAccount } from '../../lib/sftp/commands.ts'
import { decideAccount } from '../../lib/sftp/decide.ts'
import { newAccountFacts } from '../../lib/sftp/facts.ts'
import { accountShape, cuenta, sitio } from '../../lib/sftp/shapes.ts'
import { accountReading } from '../../lib/sftp/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/cuentas-sftp',
  access: allow('token', 'admin', 'client'),
  summary: 'Create an SFTP account',
  description:
    "Without any credential: a person sets its keys or has a password made. An account for everything starts in `/sitios`, with a folder for each site; one for a site has the site's folder as `/` and starts in `/public`.",
  params: v.strictObject({ cliente }),
  body: v.strictObject({ cuenta: v.optional(cuenta), sitio: v.optional(sitio) }),
  bodyOptional: true,
  output: accountShape,
  statuses: [201],
  errors: [
    'cliente_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'sitio_no_existe:409',
    'funcion_de_pago',
    'limite_del_plan',
    'ya_existe',
  ],
  async run(ctx, { params, body }) {
    const wanted = { name: body.cuenta, site: body.sitio, language: ctx.request.language }
    const { client, facts } = await newAccountFacts(ctx, params.cliente, wanted)
    const account = decideAccount(facts, client, wanted)
    ctx.audit.target = account.name
    ctx.tx.later(...queueNewAccount(ctx, client, account))
    return created(accountReading(ctx, account.name), `/clientes/${client.name}/cuentas-sftp`)
  },
  async settled(ctx, { params, body }, answer) {
    return { ...answer, body: await readNow(ctx.tx, accountReading(ctx, body.cuenta ?? params.cliente)) }
  },
})

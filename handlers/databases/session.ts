import * as v from 'valibot'
import { decideView } from '../../lib/databases/decide.ts'
import { databaseToView } from '../../lib/databases/facts.ts'
import { databaseField, viewLinkShape } from '../../lib/databases/shapes.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { sessionIdOf } from '../../lib/identity/logins.ts'

const LIFE_MS = 60_000

export default handler({
  method: 'POST',
  path: '/bases/:base/sesion',
  access: person('admin', 'client'),
  summary: 'Look into a database by a browser',
  description:
    'Answers a link to Adminer for this database alone. It works once, within a minute, and what it opens ends with the session of whoever asked, with the suspension of the client, and after half an hour of rest.',
  params: v.strictObject({ base: databaseField }),
  output: viewLinkShape,
  statuses: [201],
  secret: true,
  acts: true,
  errors: [
    'base_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'cliente_suspendido',
    'funcion_de_pago',
    'bases_no_disponible',
    'adminer_no_disponible',
    'no_disponible',
  ],
  async prepare({ driver, config, now }, { params }, ctx) {
    const found = await databaseToView(ctx, params.base)
    const { database, client } = decideView(found, config.node)
    if (!driver?.databases) throw new AppError('bases_no_disponible')
    const session = sessionIdOf(ctx.actor)
    if (session === null) throw new AppError('no_con_token')
    const views = driver.databases.views()
    if (views === null) throw new AppError('adminer_no_disponible')
    const url = await views.open({
      base: { databaseId: database.id, clientId: client.id, name: database.name },
      session,
      restricted: database.restricted,
      language: ctx.request.language,
    })
    return { url, caduca: new Date(now().getTime() + LIFE_MS).toISOString() }
  },
  run: async (_ctx, { params }, link) => created(link, `/bases/${params.base}`),
})

import * as v from 'valibot'
import { queueInstallation } from '../../lib/applications/commands.ts'
import {
  decideInstallation,
  fits,
  isOpen,
  placeOf,
  requireKnownAddress,
} from '../../lib/applications/decide.ts'
import { applicationFacts, confirmedLogins, installationFacts } from '../../lib/applications/facts.ts'
import { aplicacion, idioma, titulo } from '../../lib/applications/shapes.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { correo, domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { workShape } from '../../lib/work/shapes.ts'

const LOCALES = { es: 'es_ES', en: 'en_US' }

export default handler({
  method: 'POST',
  path: '/sitios/:domain/aplicacion',
  access: allow('token', 'admin', 'client'),
  summary: 'Install an application into a site',
  description:
    "It is installed into the empty folder `public`, with what it needs (`GET /aplicaciones`): a database of its own, which counts as one of the plan's, and where the plan includes them a scheduled task for what it does by the clock. Nobody is told a password: the application itself mails `correo` a link by which one is chosen, or one that is replaced at the first sign-in. With a token `correo` is the client's contact or the address of its login; another is for a person (403 `no_con_token`). It is there as a whole, or nothing of it is.",
  params: v.strictObject({ domain }),
  body: v.strictObject({ aplicacion, idioma: v.optional(idioma), titulo: v.optional(titulo), correo }),
  output: workShape,
  statuses: [202],
  errors: [
    'no_con_token',
    'sitio_no_existe',
    'sitio_no_vacio',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'cliente_suspendido',
    'funcion_de_pago',
    'limite_del_plan',
    'nodo_ausente',
    'php_no_disponible',
    'bases_no_disponible',
    'aplicacion_no_disponible',
    'ya_existe',
    'ya_en_curso',
    'no_disponible',
    'sin_espacio',
  ],
  async prepare({ driver, config }, { params, body }, ctx) {
    // Elsewhere nothing is seen; the work looks again before it changes anything.
    if (!driver) return null
    const found = await applicationFacts(ctx, params.domain)
    if (!isOpen(found, config.node)) return null
    const node = driver.applications
    const kind = body.aplicacion
    if (!node || node.newest(kind) === null) return 'aplicacion_no_disponible' as const
    const version = found.site.php
    const php = { version, has: driver.phpExtensions()[version] ?? [] }
    if (!fits(kind, php)) return 'php_no_disponible' as const
    const { empty } = await node.look(placeOf({ ...found, application: { kind } }))
    return empty ? null : ('sitio_no_vacio' as const)
  },
  async run(ctx, { params, body }, refusal) {
    const [facts, logins] = await Promise.all([
      installationFacts(ctx, params.domain),
      confirmedLogins(ctx, params.domain),
    ])
    const decided = decideInstallation(facts, ctx.config.node, body.aplicacion)
    requireKnownAddress(ctx.actor, { client: decided.client, logins }, body.correo)
    if (refusal !== null) throw new AppError(refusal)
    ctx.audit.outcome = 'pedido'
    const { queries, work } = queueInstallation(ctx, decided, {
      kind: body.aplicacion,
      title: body.titulo ?? decided.site.domain,
      email: body.correo,
      language: body.idioma ?? LOCALES[decided.client.language],
    })
    ctx.tx.later(...queries)
    return accepted(work)
  },
})

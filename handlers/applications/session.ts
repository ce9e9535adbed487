import * as v from 'valibot'
import { addressOf, placeOf, requireAdmits, requireApplication } from '../../lib/applications/decide.ts'
import { applicationFacts } from '../../lib/applications/facts.ts'
import { REFUSALS, sessionShape } from '../../lib/applications/shapes.ts'
import { elsewhere } from '../../lib/clients/decide.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { requireFunction } from '../../lib/plans/decide.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { encodeBase62 } from '../../lib/secrets/base62.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { ownerOf } from '../../lib/sites/facts.ts'

const LIFE_MS = 60_000
const TOKEN_BYTES = 32
const TOKEN_LENGTH = 43

export default handler({
  method: 'POST',
  path: '/sitios/:domain/aplicacion/sesion',
  access: person('admin', 'client'),
  summary: 'Sign in to the application of a site',
  description:
    'Answers a link that signs in as the first administrator of the application. It works once, within a minute.',
  params: v.strictObject({ domain }),
  output: sessionShape,
  statuses: [201],
  secret: true,
  acts: true,
  errors: [...REFUSALS, 'aplicacion_no_lo_admite', 'aplicacion_no_responde'],
  async prepare({ driver, config, now, random }, { params }, ctx) {
    const [found, plan] = await Promise.all([
      applicationFacts(ctx, params.domain),
      clientsPlan(ctx.tx, ownerOf(ctx.tx, params.domain)),
    ])
    const known = requireApplication(found, config.node)
    requireAdmits(known.application, 'sesion')
    requireFunction(plan, 'aplicaciones')
    if (!driver) throw elsewhere(known.client)
    if (!driver.applications) throw new AppError('aplicacion_no_disponible')
    const token = encodeBase62(random(TOKEN_BYTES), TOKEN_LENGTH)
    const url = addressOf(known.site)
    const until = new Date(now().getTime() + LIFE_MS)
    const hash = sha256(token).toHex()
    await driver.applications.openSession(placeOf(known), { url, hash, now: now(), until })
    return { url: `${url}/wp-login.php?controlpanel=${token}`, caduca: until.toISOString() }
  },
  run: async (_ctx, { params }, link) => created(link, `/sitios/${params.domain}/aplicacion`),
})

import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain, named, told } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { randomPassword } from '../../lib/secrets/password.ts'
import { queueSiteSync } from '../../lib/sites/commands.ts'
import { siteToChange } from '../../lib/sites/facts.ts'
import { findGuard, guardHash, queueGuardSecret } from '../../lib/sites/guards.ts'
import { guardPath } from '../../lib/sites/rules-shapes.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/protegidas/:ruta/contrasena',
  access: person('admin', 'client'),
  summary: 'Have a password made for a protected part of a site',
  description:
    'It is in this answer and nowhere else. One that there was opens nothing any more; nobody chooses a password. The path is one segment, percent-encoded: `%2Fprivado`.',
  params: v.strictObject({ domain, ruta: guardPath }),
  output: named(
    'ContrasenaDeRuta',
    'A user and a password, this once.',
    v.strictObject({
      usuario: told(v.string(), 'Who gets in.', 'ana'),
      contrasena: told(v.string(), 'The password.', 'k3PzW9aLtR6uQe2XbN7vYc4m'),
    }),
  ),
  statuses: [201],
  secret: true,
  errors: ['sitio_no_existe', 'protegida_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async prepare({ random }) {
    const password = randomPassword(random)
    return { password, hash: guardHash(password, random) }
  },
  async run(ctx, { params }, { password, hash }) {
    const [{ site, client }, guard] = await Promise.all([
      siteToChange(ctx, params.domain),
      findGuard(ctx, params.domain, params.ruta),
    ])
    if (!guard) throw new AppError('protegida_no_existe')
    ctx.tx.later(
      queueGuardSecret(ctx, site, { path: guard.path, hash }),
      queueSiteSync(ctx, client, site.domain),
    )
    return created({ usuario: guard.user, contrasena: password.reveal() }, `/sitios/${site.domain}`)
  },
  settled: async (_ctx, _input, answer) => answer,
})

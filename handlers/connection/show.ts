import * as v from 'valibot'
import type { Actor } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { named, timestamp, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/conexion',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Check the connection and the credential',
  output: named(
    'Conexion',
    'What answers, and for whom.',
    v.strictObject({
      panel: told(
        v.literal('controlpanel'),
        'Always so: another answer is of another program.',
        'controlpanel',
      ),
      version: told(v.string(), "The panel's version.", '0.1.0'),
      nodo: told(v.nullable(v.string()), 'The node; null on a function host.', 'nodo1'),
      hora: told(timestamp, "The panel's clock.", '2026-11-21T09:30:00.000Z'),
      autofirmado: told(
        v.boolean(),
        'Whether the panel signed its certificate itself: programs have to be given it then.',
        false,
      ),
      credencial: told(
        v.strictObject({
          tipo: told(v.picklist(['token', 'sesion']), 'Its kind.', 'token'),
          nombre: told(v.nullable(v.string()), "The token's name or the person's address.", 'facturacion'),
          rol: told(v.picklist(['admin', 'client']), 'What it may see.', 'admin'),
          caduca: told(v.string(), 'The last day of a token, the end of a session.', '2027-11-20'),
        }),
        'The bearer of this request.',
      ),
    }),
  ),
  async run({ actor, config, now, ownCertificate }) {
    return ok({
      panel: 'controlpanel' as const,
      version: config.version,
      nodo: config.node,
      hora: now().toISOString(),
      autofirmado: ownCertificate?.() ?? false,
      credencial: credentialOf(actor),
    })
  },
})

function credentialOf(actor: Actor) {
  if (actor.kind === 'session') {
    const { email, role, expiresAt } = actor
    return { tipo: 'sesion' as const, nombre: email, rol: role, caduca: expiresAt.toISOString() }
  }
  if (actor.kind !== 'token') throw new AppError('prohibido')
  return { tipo: 'token' as const, nombre: actor.name, rol: 'admin' as const, caduca: actor.expiresOn }
}

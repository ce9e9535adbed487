import * as v from 'valibot'
import type { Actor } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { timestamp } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

export default handler({
  method: 'GET',
  path: '/conexion',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Check the connection and the credential',
  output: v.strictObject({
    panel: v.literal('controlpanel'),
    version: v.string(),
    nodo: v.nullable(v.string()),
    hora: timestamp,
    credencial: v.strictObject({
      tipo: v.picklist(['token', 'sesion']),
      nombre: v.nullable(v.string()),
      rol: v.picklist(['admin', 'client']),
      caduca: v.string(),
    }),
  }),
  async run({ actor, config, now }) {
    return ok({
      panel: 'controlpanel' as const,
      version: config.version,
      nodo: config.node,
      hora: now().toISOString(),
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

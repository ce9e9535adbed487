import type { Actor } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Passkey } from './decide.ts'
import type { PasskeyView } from './shapes.ts'

/** How a person knows one of several logins under the same address: with its client. */
export function accountName(actor: Actor, email: string): string {
  const client = actor.kind === 'session' ? actor.client?.name : undefined
  return client === undefined ? email : `${email} (${client})`
}

/** A passkey as it is returned. */
export const passkeyView = (passkey: Passkey): PasskeyView => ({
  id: passkey.id,
  nombre: passkey.name,
  sincronizada: passkey.synced,
  host: passkey.host,
  creado: wireTime(passkey.createdAt),
  ultimo_uso: wireTime(passkey.lastUsedAt),
})

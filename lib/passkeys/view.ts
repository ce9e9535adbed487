import { wireTime } from '../endpoint/page.ts'
import type { Passkey } from './decide.ts'
import type { PasskeyView } from './shapes.ts'

/** A passkey as it is returned. */
export const passkeyView = (passkey: Passkey): PasskeyView => ({
  id: passkey.id,
  nombre: passkey.name,
  sincronizada: passkey.synced,
  host: passkey.host,
  creado: wireTime(passkey.createdAt),
  ultimo_uso: wireTime(passkey.lastUsedAt),
})

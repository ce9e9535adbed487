import type { Client } from '../clients/decide.ts'
import { encodeBase62 } from '../secrets/base62.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { registrableName } from '../text/host-names.ts'

const LABEL = '_controlpanel'

/** Where the record that proves a name may be: for this name alone, and for all names of its registered domain. */
export function placesOf(name: string): { at: string; shared: string } {
  return { at: `${LABEL}.${name}`, shared: `${LABEL}.${registrableName(name)}` }
}

/** What tells a client from all others, also those of other databases and earlier ones of the same name. */
export type Prover = Pick<Client, 'id' | 'name' | 'createdAt'>

/**
 * The values of the TXT record that prove a name for a client: the one with the ring's current key, which is shown,
 * and those with older keys. A value depends on the key, the client and the registered domain, so nothing is stored
 * and no other client can use it. All names of a registered domain share it: the place of the record decides which of
 * them it proves.
 */
export function proofValues(keys: KeyRing, { id, name: client, createdAt }: Prover, name: string): string[] {
  const message = [id, client, createdAt.getTime(), registrableName(name)].join('\0')
  return keys.macs('prueba de un dominio', message).map((mac) => `controlpanel=${encodeBase62(mac, 43)}`)
}

import type { Client } from '../clients/decide.ts'
import { encodeBase62 } from '../secrets/base62.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { registrableName } from '../text/host-names.ts'

const LABEL = '_controlpanel'

/** Where the record that proves a name may stand: for this name, and for all names of its registration. */
export function placesOf(name: string): { at: string; shared: string } {
  return { at: `${LABEL}.${name}`, shared: `${LABEL}.${registrableName(name)}` }
}

/** What tells a client from all others, also those of other databases and earlier ones of the same name. */
export type Prover = Pick<Client, 'id' | 'name' | 'createdAt'>

/**
 * The texts of the TXT record that proves a name for a client: under the ring's current key first, the one that is
 * shown, then under the older ones. It follows from the key, the client and the registered name, so nothing is stored
 * and no other client can use it. All names of a registration share it: the place of the record decides which of them
 * it proves.
 */
export function proofValues(keys: KeyRing, { id, name: client, createdAt }: Prover, name: string): string[] {
  const message = [id, client, createdAt.getTime(), registrableName(name)].join('\0')
  return keys.macs('prueba de un dominio', message).map((mac) => `controlpanel=${encodeBase62(mac, 43)}`)
}

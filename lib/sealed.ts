import { dnsAccounts, persons } from '../schema/tables.ts'
import type { Db } from './database.ts'
import type { KeyRing } from './keys.ts'

/** The ids of the keys that stored secrets are sealed under and that the ring lacks; null for no ring at all. */
export async function missingKeys(db: Db, ring: Pick<KeyRing, 'has'> | null): Promise<string[]> {
  const { totpSecret, totpPending, recoveryKey } = persons
  const people = await db.select({ totpSecret, totpPending, recoveryKey }).from(persons)
  const accounts = await db.select({ credential: dnsAccounts.credential }).from(dnsAccounts)
  const sealed = [...people, ...accounts].flatMap((row) => Object.values(row))
  const ids = sealed.flatMap((text) => text?.split('.')[1] ?? [])
  return [...new Set(ids)].filter((id) => ring?.has(id) !== true).sort()
}

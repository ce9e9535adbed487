import { and, isNull, ne } from 'drizzle-orm'
import {
  backupDestinations,
  backupRepositories,
  dnsAccounts,
  links,
  persons,
  webhooks,
} from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import type { KeyRing } from './keys.ts'

/** The ids of the keys that stored secrets are sealed with and that the ring lacks; all of them if there is no ring. */
export async function missingKeys(db: Db, ring: Pick<KeyRing, 'has'> | null): Promise<string[]> {
  const { totpSecret, totpPending, recoveryKey } = persons
  const people = await db.select({ totpSecret, totpPending, recoveryKey }).from(persons)
  const accounts = await db.select({ credential: dnsAccounts.credential }).from(dnsAccounts)
  const { credential, password } = backupDestinations
  const destinations = await db.select({ credential, password }).from(backupDestinations)
  const repositories = await db.select({ key: backupRepositories.key }).from(backupRepositories)
  const { secret, replacedSecret } = webhooks
  const signing = await db.select({ secret, replacedSecret }).from(webhooks)
  const rows = [...people, ...accounts, ...destinations, ...repositories, ...signing]
  const sealed = rows.flatMap((row) => Object.values(row))
  const ids = sealed.flatMap((text) => text?.split('.')[1] ?? [])
  return [...new Set(ids)].filter((id) => ring?.has(id) !== true).sort()
}

/**
 * The ids of all keys that something stored depends on, open links included. The first admin's link does not count:
 * each start makes a new one.
 */
export async function neededKeys(db: Db): Promise<string[]> {
  const open = await db
    .select({ keyId: links.keyId })
    .from(links)
    .where(and(isNull(links.spentAt), isNull(links.endedAt), ne(links.purpose, 'primero')))
  return [...new Set([...(await missingKeys(db, null)), ...open.map(({ keyId }) => keyId)])].sort()
}

/** The place (table, row, column) for which the credential of a node's provider is sealed. */
export function credentialPlace(node: string): string {
  return `dns_accounts\0${node}\0credential`
}

/** The same for what opens a node's destination of copies. */
export const destinationPlace = (node: string, column: 'credential' | 'password') =>
  `backup_destinations\0${node}\0${column}`

/** The same for what a client takes along to another node. */
export const carriedPlace = (clientId: number) => `moves\0${clientId}\0carried`

/** The same for the key of a client's copies. */
export const repositoryPlace = (name: string) => `backup_repositories\0${name}\0key`

/** The same for what a webhook is signed with, now or until it was replaced. */
export const webhookPlace = (id: string) => `webhooks\0${id}\0secret`

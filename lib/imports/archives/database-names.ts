import { databaseName } from '../../databases/names.ts'
import type { FoundDatabase } from './contents.ts'

/** Both panels put their user's name before a database's. */
export function newName(client: string, old: string): string | null {
  const suffix = old.includes('_') ? old.slice(old.indexOf('_') + 1) : old
  const plain = suffix
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '')
  return databaseName(client, plain.slice(0, 31))
}

/** The names that the databases of an archive may get. */
export const newNames = (client: string, found: FoundDatabase[]): string[] => [
  ...new Set(found.flatMap(({ name }) => newName(client, name) ?? [])),
]

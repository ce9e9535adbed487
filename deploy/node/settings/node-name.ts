import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import type { Database } from '../../../lib/store/database.ts'
import { clients, nodes } from '../../../schema/tables.ts'
import { ConfigError } from '../../config.ts'
import { typed } from '../commands/output.ts'
import { makeDataDirectory } from '../database/open.ts'
import { writeWhole } from '../host/files.ts'

/** A node's name as configured, whether its operator set it by PANEL_NODE, and the name kept in the data directory. */
export type NodeName = { name: string; given: boolean; kept: string | null }

const pathIn = (dataDir: string) => join(dataDir, 'nodo')

/** The name that this data directory's node took when it first served; sites and zones are recorded under it. */
export function keptName(dataDir: string): string | null {
  const path = pathIn(dataDir)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

export async function keepName(dataDir: string, name: string): Promise<void> {
  await makeDataDirectory(dataDir)
  writeWhole({ path: pathIn(dataDir), content: `${name}\n`, mode: 0o600 })
}

/** The names of the nodes that a database's clients live on. */
export async function clientsNames(db: Pick<Database, 'read'>): Promise<string[]> {
  const used = await db.read.selectDistinct({ name: clients.node }).from(clients).orderBy(clients.node)
  return used.map(({ name }) => name)
}

/**
 * The node names under which a database's clients are recorded; without clients, the name of the last panel that
 * served from it.
 */
export async function namesIn(db: Pick<Database, 'read'>): Promise<string[]> {
  const used = await clientsNames(db)
  if (used.length > 0) return used
  const last = await db.read.select({ name: nodes.name }).from(nodes).orderBy(desc(nodes.seenAt)).get()
  return last ? [last.name] : []
}

/**
 * The node's name from now on. A name that the database knows wins over the host's name. Throws, with what to do, if
 * the operator or the data directory says another name, or if it cannot be determined.
 */
export function nameFor({ name, given, kept }: NodeName, known: string[]): string {
  const [first] = known
  if (first === undefined || known.includes(name)) return name
  if (given || kept !== null) throw new ConfigError(otherName(name, first, given))
  if (known.length === 1) return first
  throw new ConfigError(`several nodes' names are in use here: set PANEL_NODE to one of ${known.join(', ')}`)
}

/**
 * The name to keep after a restore: the backup's, unless the operator or this directory's former clients say another;
 * null if nothing in the backup is recorded under a name.
 */
export function restoredName(node: NodeName, backup: string[], replaced: string[]): string | null {
  if (backup.length === 0) return null
  // A directory without clients takes over the name of the backup.
  if (node.kept === null || node.given || replaced.length === 0 || backup.includes(node.name))
    return nameFor({ ...node, kept: null }, backup)
  throw new ConfigError(
    `the backup is of the node ${backup.join(', ')}, and this data directory of ${node.kept}: to go on as ` +
      `${backup[0]}, run '${typed(`nodo renombrar ${backup[0]}`)}' and restore then`,
  )
}

/** Refuses a PANEL_NODE that differs from the name kept in this data directory. */
export function refuseOtherName({ name, kept }: NodeName): void {
  if (kept !== null && name !== kept) throw new ConfigError(otherName(name, kept, true))
}

/** Says why the node cannot have this name, and gives both ways out. */
function otherName(name: string, kept: string, given: boolean): string {
  const keep = given ? `unset PANEL_NODE or set it to ${kept}` : `run '${typed(`nodo renombrar ${kept}`)}'`
  return (
    `${given ? 'PANEL_NODE' : "this data directory's node"} is ${name}, but what is served here stands under the ` +
    `node's name ${kept}: to keep that, ${keep}; to rename the node, run '${typed(`nodo renombrar ${name}`)}'`
  )
}

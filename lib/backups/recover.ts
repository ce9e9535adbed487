import { and, desc, eq, inArray, isNull, ne, not, or, sql } from 'drizzle-orm'
import {
  audit,
  backupDestinations,
  type CopyPart,
  clients,
  copies,
  databases,
  jobs,
  sites,
} from '../../schema/tables.ts'
import { recordAudit } from '../audit/audit.ts'
import { clientSync, databasesSync } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { LOAD_KIND } from '../loads/job.ts'
import { isBare, isUnrestored, RESTORE_KIND } from '../nodes/unrestored.ts'
import type { Database, Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { enqueue } from '../work/jobs.ts'
import { COPY_KIND, latestParts, type PartOfCopy } from './decide.ts'
import { isThere } from './destination/destination.ts'
import { bareRestore } from './restore/queue.ts'
import { recoveryDetail, withoutCopy } from './view.ts'

export type Recovered = {
  node: string
  clients: number
  /** Sites and databases that will be restored. */
  parts: number
  /** What they are restored from. */
  wanted: WantedCopy[]
  /** Those that no copy has. */
  without: string[]
  /** Clients whose sites and databases are restored once they are activated. */
  suspended: string[]
}

/** What a client's site or database is restored from, by the ids in its repository. */
export type WantedCopy = { clientId: number; client: string; name: string; snapshots: string[] }

/** The entry of the audit trail about a recovery. */
const RECOVERED = 'recuperar'

type Clock = Pick<Services, 'now' | 'random'>

/**
 * Has a database that a node was lost with bring everything back at its next start: users and directories, then what
 * the latest copies hold. `simulated` changes nothing.
 */
export async function recoverClients(db: Database, clock: Clock, simulated: boolean): Promise<Recovered> {
  const destination = await db.read.select().from(backupDestinations).get()
  const node = destination?.node ?? ''
  const theirs = and(eq(clients.node, node), ne(clients.state, 'eliminando'))
  const all = await db.read.select().from(clients).where(theirs)
  const rows = await db.read.select({ copy: copies }).from(copies).innerJoin(backupDestinations, isThere)
  const held = await heldIn(db)
  const found: Recovered = { node, clients: all.length, parts: 0, wanted: [], without: [], suspended: [] }
  await db.write(async (tx) => {
    for (const client of all) {
      const own = held.filter(({ clientId }) => clientId === client.id)
      const parts = latestParts(rows.flatMap(({ copy }) => (copy.clientId === client.id ? [copy] : [])))
      const kept = parts.filter(({ part }) => own.some(isSame(part)))
      found.parts += kept.length
      found.wanted.push(...kept.map(({ part }) => wantedOf(client, part)))
      found.without.push(...own.filter((one) => !parts.some(({ part }) => isSame(part)(one))).map(nameOf))
      if (client.state === 'suspendido' && kept.length > 0) found.suspended.push(client.name)
      if (!simulated) queueParts(tx, clock, { client, kept })
    }
    if (simulated) return
    endCopying(tx, clock)
    const note = { target: node, detail: recoveryDetail(found) }
    const about = { actor: { kind: 'system' as const }, operation: RECOVERED, requestId: null }
    recordAudit(tx, clock, { ...about, outcome: 'hecho', note })
  })
  return found
}

const wantedOf = (client: Client, { name, snapshot, index }: CopyPart): WantedCopy => ({
  ...{ clientId: client.id, client: client.name, name },
  snapshots: [snapshot, index].filter((one) => one !== null),
})

/** What was being copied, restored or loaded when the node was copied: it would meet sites that are not back yet. */
function endCopying(tx: Tx, { now }: Clock): void {
  const begun = and(
    inArray(jobs.kind, [COPY_KIND, RESTORE_KIND, LOAD_KIND]),
    inArray(jobs.state, ['pendiente', 'en_curso']),
    not(isBare),
  )
  tx.later(
    tx.update(jobs).set({ state: 'cancelada', finishedAt: now(), leaseUntil: null }).where(begun),
    tx.update(copies).set({ state: 'incompleta' }).where(eq(copies.state, 'en_curso')),
  )
}

/** What restores of lost clients have not ended well, the first first. */
export const selectUnrestored = (db: Db) =>
  db
    .select({ client: jobs.clientName, state: jobs.state, suspended: eq(clients.state, 'suspendido') })
    .from(jobs)
    .innerJoin(clients, eq(clients.name, jobs.clientName))
    .where(and(isUnrestored, ne(clients.state, 'eliminando')))
    .orderBy(jobs.id)

/** The clients who are being brought back: what of them is not there yet is no fault. */
export const comingBack = (unrestored: { client: string | null; state: string }[]): Set<string> =>
  new Set(unrestored.flatMap(({ client, state }) => (state === 'fallida' || client === null ? [] : [client])))

/** What the latest recovery of a node found no copy of, by the names of sites and databases. */
export async function recoveredWithout(db: Db): Promise<string[]> {
  const latest = db
    .select({ detail: audit.detail })
    .from(audit)
    .where(eq(audit.operation, RECOVERED))
    .orderBy(desc(audit.id))
    .limit(1)
  return withoutCopy((await latest.get())?.detail)
}

/** Whether all of a client is back that its lost node held; one that was never lost has it all. */
export const isBack = sql`not exists (select 1 from ${jobs} where ${jobs.clientName} = ${clients.name} and ${isUnrestored})`

type Held = { clientId: number; kind: 'sitio' | 'base'; name: string }

const isSame =
  (one: { kind: string; name: string }) =>
  (other: { kind: string; name: string }): boolean =>
    one.kind === other.kind && one.name === other.name

const nameOf = ({ name }: Held) => name

/** What clients have by the database: what was deleted since the last copy does not come back. */
async function heldIn({ read }: Database): Promise<Held[]> {
  const [ownSites, ownDatabases] = await Promise.all([
    read
      .select({ clientId: sites.clientId, name: sites.domain })
      .from(sites)
      .where(ne(sites.state, 'eliminando')),
    read
      .select({ clientId: databases.clientId, name: databases.name })
      .from(databases)
      .where(ne(databases.state, 'eliminando')),
  ])
  return [
    ...ownSites.map((one) => ({ kind: 'sitio' as const, ...one })),
    ...ownDatabases.map((one) => ({ kind: 'base' as const, ...one })),
  ]
}

function queueParts(tx: Tx, clock: Clock, { client, kept }: { client: Client; kept: PartOfCopy[] }): void {
  enqueue(tx, clock, clientSync(client))
  // Only what is new is made, and the server of databases is empty: also of those that no copy has.
  tx.later(
    tx
      .update(databases)
      .set({ state: 'preparando', loading: false })
      .where(and(eq(databases.clientId, client.id), inArray(databases.state, ['activa', 'preparando']))),
  )
  enqueue(tx, clock, databasesSync(client))
  for (const { copy, part } of kept) enqueue(tx, clock, bareRestore(clock, { client, copy, part }))
}

/** Has what could not be restored for a client that was suspended when its node was recovered be restored now. */
export const queueRecovery = (
  tx: Tx,
  { now }: Pick<Services, 'now'>,
  { name }: Pick<Client, 'name'>,
): Query =>
  tx
    .update(jobs)
    .set({ state: 'pendiente', nextAt: now(), attempts: 0, finishedAt: null })
    .where(and(eq(jobs.kind, RESTORE_KIND), eq(jobs.clientName, name), eq(jobs.state, 'fallida'), isBare))

/** How restores ended that may succeed with another destination. */
const WANTING = ['copia_no_existe', 'copia_danada', 'destino_no_existe']

/**
 * Has copies and restores of a node's clients that wait for their next try tried at once, and what could not be
 * restored of a lost node for want of its destination restored.
 */
export function retryWaiting(tx: Tx, { now }: Pick<Services, 'now'>, node: string): Query[] {
  const its = and(eq(jobs.node, node), inArray(jobs.kind, [COPY_KIND, RESTORE_KIND]))
  const refusal = sql<string>`json_extract(${jobs.result}, '$.codigo')`
  const wanting = or(isNull(refusal), inArray(refusal, WANTING))
  const again = { state: 'pendiente' as const, nextAt: now(), attempts: 0, finishedAt: null, result: null }
  return [
    tx
      .update(jobs)
      .set({ nextAt: now() })
      .where(and(its, eq(jobs.state, 'pendiente'))),
    tx
      .update(jobs)
      .set(again)
      .where(and(its, eq(jobs.state, 'fallida'), isBare, wanting)),
  ]
}

import { and, asc, eq, gt, inArray, ne } from 'drizzle-orm'
import { clients, jobs, siteNames } from '../../schema/tables.ts'
import { pagesSync, strayPages } from '../appearance/pages.ts'
import type { Services } from '../endpoint/context.ts'
import type { DesiredSite } from '../endpoint/node-port.ts'
import {
  type Comparison,
  type Difference,
  isLost,
  type Reality,
  type ServedName,
} from '../endpoint/ports/reality.ts'
import type { Db } from '../store/database.ts'
import { enqueue, type NewJob } from '../work/jobs.ts'
import { clientRepair, clientSubject, databasesSync } from './clients.ts'
import { lookAtDatabases, quarantine, strayRealm } from './compare-databases.ts'
import type { RealmLook } from './decide-realm.ts'
import { desiredSites } from './serve.ts'
import { accountsOf } from './sftp.ts'

/** Clients compared at a time. */
const BATCH = 200
/** Between two looks: only what both find is a difference, the rest is work that was under way. */
const PAUSE_MS = 1_000

type Client = typeof clients.$inferSelect
type Found = { client: Client; differences: Difference[] }

/**
 * Compares what a node holds with the database, and has what differs repaired: users, owners, access lists, states,
 * names, certificates, PHP, accounts of databases and of SFTP, the operator's pages. A site or database that is away is told
 * of alone, and the rest of its client repaired: a repair would serve it empty, as if that were all it had. What belongs to
 * nobody is not served any more, and ends in the bin. Answers null where no sites are served.
 */
export async function compareNode(services: Services, pauseMs = PAUSE_MS): Promise<Comparison | null> {
  const { driver } = services
  const { node } = services.config
  if (!driver?.reality || node === null) return null
  const about = { reality: driver.reality, node }
  const { first, again, found, strays } = await lookTwice(services, about, pauseMs)
  for (const name of strays) driver.reality.unserve(name)
  const ended = await quarantine(services, strayRealm(again.realm, first.realm))
  const repaired = onlyOf(found, (one) => !isLost(one))
  const pages = again.pages.filter((kind) => first.pages.includes(kind))
  const repairs = [...repaired.flatMap(repairsOf), ...(isAny(pages) ? [pagesSync(node)] : [])]
  await services.db.write(async (tx) => {
    for (const job of repairs) enqueue(tx, services, job)
  })
  if (isAny(repairs)) services.work.wake()
  const comparison = {
    at: services.now(),
    compared: again.compared,
    repaired: repaired.map(named),
    left: onlyOf(found, isLost).map(named),
    dropped: strays.map(({ host }) => host),
    ...ended,
    aside: again.realm.aside,
    pages,
  }
  report(services, comparison)
  driver.reality.tell(comparison)
  return comparison
}

/**
 * What differs of each client of this node, as `compareNode` finds it, and the names of no site that are served; nothing
 * is repaired. Nothing where no sites are served.
 */
export async function differencesHere(
  services: Services,
): Promise<{ compared: number; found: Comparison['left']; strays: string[] }> {
  const { driver, config } = services
  if (!driver?.reality || config.node === null) return { compared: 0, found: [], strays: [] }
  const about = { reality: driver.reality, node: config.node }
  const { again, found, strays } = await lookTwice(services, about, PAUSE_MS)
  return { compared: again.compared, found: found.map(named), strays: strays.map(({ host }) => host) }
}

/** Looks again where anything differs; `found` and `strays` are what differs at both looks. */
async function lookTwice(
  services: Services,
  { reality, node }: { reality: Reality<DesiredSite>; node: string },
  pauseMs: number,
) {
  const first = await look(services, reality, node)
  const { strays, realm, pages } = first
  const isSuspect = [first.found, strays, realm.databases, realm.accounts, realm.open, pages].some(isAny)
  if (isSuspect) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  const again = isSuspect ? await look(services, reality, node) : first
  return {
    ...{ first, again },
    found: again.found.flatMap((one) => confirmed(one, first.found)),
    strays: again.strays.filter((one) => first.strays.some((before) => sameName(one, before))),
  }
}

const isAny = (some: unknown[]) => some.length > 0

/** Clients with those of their differences that are of a kind. */
const onlyOf = (found: Found[], isMeant: (one: Difference) => boolean): Found[] =>
  found
    .map(({ client, differences }) => ({ client, differences: differences.filter(isMeant) }))
    .filter(({ differences }) => isAny(differences))

function repairsOf({ client, differences }: Found): NewJob[] {
  const isAccount = ({ part }: Difference) => part === 'account'
  return [
    ...(differences.every(isAccount) ? [] : [clientRepair(client)]),
    ...(differences.some(isAccount) ? [databasesSync(client)] : []),
  ]
}

const named = ({ client, differences }: Found) => ({ client: client.name, differences })

/** What was found of a client at both looks. */
function confirmed({ client, differences }: Found, before: Found[]): Found[] {
  const known = before.find((one) => one.client.id === client.id)?.differences ?? []
  const both = differences.filter(({ part, where }) =>
    known.some((one) => one.part === part && one.where === where),
  )
  return both.length === 0 ? [] : [{ client, differences: both }]
}

const sameName = (one: ServedName, other: ServedName) =>
  one.host === other.host && one.clientId === other.clientId && one.siteId === other.siteId

async function look(services: Services, reality: Reality<DesiredSite>, node: string) {
  const found: Found[] = []
  const realm = await lookAtDatabases(services, node)
  let compared = 0
  for (let some = await nextClients(services, node, 0); some.length > 0; ) {
    found.push(...(await differing(services, { reality, realm }, some)))
    compared += some.length
    some = await nextClients(services, node, some.at(-1)?.id ?? 0)
  }
  const pages = await strayPages(services, reality, node)
  return { found, compared, realm, pages, strays: await strayNames(services, reality) }
}

const nextClients = ({ db }: Services, node: string, after: number): Promise<Client[]> =>
  db.read
    .select()
    .from(clients)
    .where(
      and(
        eq(clients.node, node),
        ne(clients.state, 'eliminando'),
        eq(clients.moving, false),
        gt(clients.id, after),
      ),
    )
    .orderBy(asc(clients.id))
    .limit(BATCH)

/** Those of these clients that differ. What waits to be done for a client is no difference. */
async function differing(
  { db }: Services,
  { reality, realm }: { reality: Reality<DesiredSite>; realm: RealmLook },
  some: Client[],
): Promise<Found[]> {
  const ids = some.map(({ id }) => id)
  const sites = await desiredSites(db.read, inArray(clients.id, ids))
  const open = await openSubjects(db.read, ids)
  const accounts = await accountsOf(db.read, ids)
  return some.flatMap((client) => {
    if (open.has(clientSubject(client))) return []
    const own = sites.filter(({ site, desired }) => desired.clientId === client.id && isServed(site.state))
    const differences = [
      ...reality.differencesOf(
        {
          clientId: client.id,
          suspended: client.state === 'suspendido',
          sftp: accounts.get(client.id) ?? [],
        },
        own.map(({ desired }) => desired),
      ),
      ...(realm.differences.get(client.id) ?? []),
    ]
    return differences.length === 0 ? [] : [{ client, differences }]
  })
}

const isServed = (state: string) => state === 'activo' || state === 'suspendido'

/** Whether this node holds a client as the database describes it; null while work for it waits or is under way. */
export async function isAsWanted(services: Services, client: Client): Promise<boolean | null> {
  const { driver, db } = services
  if ((await openSubjects(db.read, [client.id])).size > 0) return null
  if (!driver?.reality) return true
  const held = { reality: driver.reality, realm: await lookAtDatabases(services, client.node) }
  return (await differing(services, held, [client])).length === 0
}

/** The subjects of clients for whom work waits or is under way. */
async function openSubjects(db: Db, clientIds: number[]): Promise<Set<string>> {
  const subjects = clientIds.map((id) => clientSubject({ id }))
  const rows = await db
    .select({ subject: jobs.subject })
    .from(jobs)
    .where(and(inArray(jobs.subject, subjects), inArray(jobs.state, ['pendiente', 'en_curso'])))
  return new Set(rows.map(({ subject }) => subject))
}

/** Names that the web server has lead to a site which does not have them. */
async function strayNames({ db }: Services, reality: Reality<DesiredSite>): Promise<ServedName[]> {
  const served = reality.names()
  const strays: ServedName[] = []
  for (let at = 0; at < served.length; at += BATCH) {
    const some = served.slice(at, at + BATCH)
    const hosts = some.map(({ host }) => host)
    const rows = await db.read
      .select({ name: siteNames.name, siteId: siteNames.siteId })
      .from(siteNames)
      .where(inArray(siteNames.name, hosts))
    const owners = new Map(rows.map(({ name, siteId }) => [name, siteId]))
    strays.push(...some.filter(({ host, siteId }) => owners.get(host) !== siteId))
  }
  const open = await openSubjects(
    db.read,
    strays.map(({ clientId }) => clientId),
  )
  return strays.filter(({ clientId }) => !open.has(clientSubject({ id: clientId })))
}

function report(services: Services, found: Comparison): void {
  const { repaired, left, dropped, databases, accounts, aside, pages } = found
  const reasonOf = (differences: Difference[]) =>
    differences.map(({ part, where }) => `${part} ${where}`).join(', ')
  for (const { client, differences } of repaired) {
    const reason = reasonOf(differences)
    services.log('warn', 'a client differed from the database', { client, reason })
  }
  for (const { client, differences } of left) {
    const reason = reasonOf(differences)
    services.log('warn', 'files or databases of a client are missing', { client, reason })
  }
  for (const reason of [...databases, ...accounts])
    services.log('warn', 'a database or account of nobody ended', { reason })
  for (const reason of aside)
    services.log('warn', 'a database of a client that is not known is kept', { reason })
  for (const reason of pages) services.log('warn', 'a page differed from the database', { reason })
  for (const site of dropped) services.log('warn', 'a name of no site is not served any more', { site })
}

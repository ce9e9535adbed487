import { and, count, eq, gte, inArray, min, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  backupDestinations,
  clients,
  deliveries,
  dnsAccounts,
  jobs,
  mails,
  mirrors,
  nodes,
  plans,
  sites,
  usage,
  usageDays,
  webhooks,
} from '../../schema/tables.ts'
import { selectDamaged } from '../backups/damage/damaged.ts'
import { lastCopies } from '../backups/facts.ts'
import type { Db } from '../store/database.ts'
import { needsOperator } from '../work/jobs.ts'

/** A client is near a limit from this share of it on. */
const NEAR = 0.8
/** A certificate that ends within this time should have been renewed long ago. */
const SOON_MS = 14 * 24 * 3_600_000

export type MetricFacts = Awaited<ReturnType<typeof metricFacts>>

/**
 * All that the database knows and metrics tell, as sums, in one batch: of a node, what lives there and what any node
 * may do; without one, of all nodes.
 */
export async function metricFacts(db: Db, node: string | null, now: Date) {
  const [work, posts, told, listeners, mirrored, accounts, certificates, hosts, people, limits, copied] =
    await Promise.all([
      jobSums(db, node),
      mailSums(db, node),
      deliverySums(db),
      webhookSums(db),
      mirrorSums(db, node),
      accountsOf(db, node),
      certificateSums(db, node, now),
      db.select().from(nodes).where(isNode(nodes.name, node)),
      clientSums(db, node),
      limitSums(db, node, now),
      copySums(db, node),
    ])
  return {
    work,
    posts,
    told: told[0],
    listeners,
    mirrored,
    accounts,
    certificates,
    hosts,
    people,
    limits: limits[0],
    ...copied,
  }
}

const isNode = (column: SQLWrapper, node: string | null): SQL | undefined =>
  node === null ? undefined : sql`${column} = ${node}`
/** What any node may do is told by each of them. */
const isNodeOrAny = (column: SQLWrapper, node: string | null): SQL | undefined =>
  node === null ? undefined : sql`(${column} = ${node} or ${column} is null)`

const accountsOf = (db: Db, node: string | null) =>
  db
    .select({ node: dnsAccounts.node, refused: sql<number>`${dnsAccounts.refusedAt} is not null` })
    .from(dnsAccounts)
    .where(isNode(dnsAccounts.node, node))

const clientSums = (db: Db, node: string | null) =>
  db
    .select({ state: clients.state, count: count() })
    .from(clients)
    .where(isNode(clients.node, node))
    .groupBy(clients.state)

async function copySums(db: Db, node: string | null) {
  const [kept, last, damaged] = await Promise.all([
    destinations(db, node),
    lastCopySums(db, node),
    selectDamaged(db, node),
  ])
  return { kept, last: last[0], damaged: damaged.length }
}

const destinations = (db: Db, node: string | null) =>
  db
    .select({
      node: backupDestinations.node,
      nodeCopiedAt: backupDestinations.nodeCopiedAt,
      checkedAt: backupDestinations.checkedAt,
      fault: backupDestinations.fault,
      faultOf: backupDestinations.faultOf,
      faultAt: backupDestinations.faultAt,
    })
    .from(backupDestinations)
    .where(isNode(backupDestinations.node, node))

const jobSums = (db: Db, node: string | null) =>
  db
    .select({
      kind: jobs.kind,
      state: jobs.state,
      count: count(),
      retried: sql<number>`sum(${jobs.attempts} > 0)`,
      oldest: min(jobs.createdAt),
    })
    .from(jobs)
    .where(
      and(or(inArray(jobs.state, ['pendiente', 'en_curso']), needsOperator), isNodeOrAny(jobs.node, node)),
    )
    .groupBy(jobs.kind, jobs.state)

const mailSums = (db: Db, node: string | null) =>
  db
    .select({ state: mails.state, count: count(), oldest: min(mails.createdAt) })
    .from(mails)
    .where(and(inArray(mails.state, ['en_cola', 'enviando', 'fallido']), isNodeOrAny(mails.node, node)))
    .groupBy(mails.state)

const webhookSums = (db: Db) =>
  db
    .select({ active: webhooks.active, stopped: webhooks.stopped, count: count() })
    .from(webhooks)
    .groupBy(webhooks.active, webhooks.stopped)

/** Any node delivers to webhooks, so each tells of all. */
const deliverySums = (db: Db) =>
  db
    .select({
      waiting: count(),
      retried: sql<number>`coalesce(sum(${deliveries.fault} is not null), 0)`,
      oldest: min(deliveries.queuedAt),
    })
    .from(deliveries)
    .where(inArray(deliveries.state, ['en_cola', 'enviando']))

/** A zone waits for its turn from the moment that it wanted one. */
const mirrorSums = (db: Db, node: string | null) =>
  db
    .select({ state: mirrors.state, count: count(), next: min(mirrors.nextAt) })
    .from(mirrors)
    .where(isNode(mirrors.node, node))
    .groupBy(mirrors.state)

const certificateSums = (db: Db, node: string | null, now: Date) =>
  db
    .select({
      state: sites.certificateState,
      count: count(),
      soonest: min(sites.certificateExpiresAt),
      soon: sql<number>`coalesce(sum(${sites.certificateExpiresAt} < ${now.getTime() + SOON_MS}), 0)`,
    })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(isNode(clients.node, node))
    .groupBy(sites.certificateState)

/** How many clients are near a limit of what is measured, and how many have reached it. */
function limitSums(db: Db, node: string | null, now: Date) {
  const month = now.toISOString().slice(0, 8)
  const traffic = db
    .select({
      clientId: usageDays.clientId,
      bytes: sql<number>`sum(${usageDays.trafficIn} + ${usageDays.trafficOut})`.as('bytes'),
    })
    .from(usageDays)
    .where(gte(usageDays.day, `${month}01`))
    .groupBy(usageDays.clientId)
    .as('traffic')
  const near = (used: SQL, limit: SQL) =>
    sql<number>`coalesce(sum(${used} >= ${limit} * ${NEAR} and ${used} < ${limit}), 0)`
  const reached = (used: SQL, limit: SQL) =>
    sql<number>`coalesce(sum(${used} >= ${limit} and ${used} > 0), 0)`
  const sums = (used: SQL, limit: SQL) => ({ near: near(used, limit), reached: reached(used, limit) })
  return db
    .select({
      disk: sums(sql`${usage.diskBytes}`, sql`${plans.diskBytes}`),
      inodes: sums(sql`${usage.inodes}`, sql`${plans.inodes}`),
      traffic: sums(sql`${traffic.bytes}`, sql`${plans.trafficBytes}`),
    })
    .from(clients)
    .innerJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .leftJoin(traffic, eq(traffic.clientId, clients.id))
    .where(isNode(clients.node, node))
}

function lastCopySums(db: Db, node: string | null) {
  const copied = lastCopies(db, node)
  return db.select({ clients: count(), oldest: sql<number | null>`min(${copied.since})` }).from(copied)
}

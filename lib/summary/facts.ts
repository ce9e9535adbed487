import { and, asc, desc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  audit,
  backupDestinations,
  clients,
  databases,
  jobs,
  mails,
  mirrors,
  nodes,
  plans,
  sites,
  tokens,
  usage,
  zones,
} from '../../schema/tables.ts'
import { oldestCopies } from '../backups/facts.ts'
import { liveTokens } from '../identity/tokens.ts'
import type { Db } from '../store/database.ts'
import { type Query, Reading } from '../store/reading.ts'
import { selectRelease } from '../updates/look.ts'
import { usageReading } from '../usage/usage.ts'
import { needsOperator } from '../work/jobs.ts'
import { selectChoices } from './choices.ts'

/** A certificate that ends within this time should have been renewed already. */
const SOON_MS = 21 * 86_400_000
/** Clients near a limit whose use is told. */
const MOST_NEAR = 24
const MOST_TROUBLES = 6
const MOST_ACTIVITY = 10
const MOST_NODES = 50

/** Stands as written in the indexes' own conditions: with a parameter SQLite would not use them. */
const IS_WARNED = sql`${usage.warned} <> '{}'`
const IS_TEST = sql`${mails.kind} = 'prueba'`

export type SummaryFacts = Awaited<ReturnType<typeof factsOf>>

/**
 * All that the first screen shows, as one batch. Every count is of an index: whole tables by its pages, states by
 * their range in it.
 */
export function summaryReading<T>(db: Db, now: Date, view: (facts: SummaryFacts) => T): Reading<T> {
  const { queries, uses } = queriesOf(db, now)
  const all: Query[] = [...Object.values(queries), ...uses.queries]
  return new Reading(all, (results) => view(factsOf(queries, uses, results)))
}

type Queries = ReturnType<typeof queriesOf>['queries']
type Rows = { [K in keyof Queries]: Queries[K]['_']['result'] }

function factsOf(queries: Queries, uses: ReturnType<typeof usageReading>, results: unknown[]) {
  const names = Object.keys(queries)
  // The results are in the order of the queries, whose types these are.
  const rows = Object.fromEntries(names.map((name, at) => [name, results[at]])) as Rows
  return { ...rows, uses: uses.view(results.slice(names.length)) }
}

function queriesOf(db: Db, now: Date) {
  const near = db.select({ id: usage.clientId }).from(usage).where(IS_WARNED).limit(MOST_NEAR)
  return {
    queries: { ...totals(db, now), ...work(db), ...setup(db, now), ...troubles(db, now) },
    uses: usageReading(db, near, now),
  }
}

/** How many rows a table has, by the pages of its smallest index. */
const rowsOf = (table: SQLiteTable): SQL<number> => sql<number>`(select count(*) from ${table})`
const inState = (table: SQLiteTable, where: SQL | undefined): SQL<number> =>
  sql<number>`(select count(*) from ${table} where ${where})`

const totals = (db: Db, now: Date) => ({
  // One row, whatever the database holds.
  totals: db
    .select({
      clients: rowsOf(clients),
      suspended: inState(clients, eq(clients.state, 'suspendido')),
      leaving: inState(clients, eq(clients.state, 'eliminando')),
      sites: rowsOf(sites),
      zones: rowsOf(zones),
      databases: rowsOf(databases),
      ending: inState(sites, endsSoon(now)),
      uncertified: inState(sites, eq(sites.certificateState, 'error')),
      near: inState(usage, IS_WARNED),
      mirrored: rowsOf(mirrors),
      mirrorTroubles: inState(mirrors, inArray(mirrors.state, MIRROR_TROUBLES)),
      pending: inState(jobs, eq(jobs.state, 'pendiente')),
      running: inState(jobs, eq(jobs.state, 'en_curso')),
      failed: inState(jobs, needsOperator),
      mailsWaiting: inState(mails, inArray(mails.state, ['en_cola', 'enviando'])),
      mailsFailed: inState(mails, eq(mails.state, 'fallido')),
    })
    .from(sql`(select 1)`),
  nodes: db.select().from(nodes).orderBy(asc(nodes.name)).limit(MOST_NODES),
})

const MIRROR_TROUBLES = ['error', 'conflicto', 'perdida', 'sin_cuota'] as const

const endsSoon = (now: Date) =>
  and(eq(sites.certificateState, 'activo'), lt(sites.certificateExpiresAt, new Date(now.getTime() + SOON_MS)))

const work = (db: Db) => ({
  running: db
    .select()
    .from(jobs)
    .where(inArray(jobs.state, ['en_curso', 'pendiente']))
    // What runs comes first.
    .orderBy(asc(jobs.state), asc(jobs.nextAt))
    .limit(MOST_TROUBLES),
  failed: db.select().from(jobs).where(needsOperator).orderBy(desc(jobs.nextAt)).limit(MOST_TROUBLES),
  activity: db.select().from(audit).orderBy(desc(audit.id)).limit(MOST_ACTIVITY),
})

const troubles = (db: Db, now: Date) => ({
  certificates: db
    .select({ domain: sites.domain, expiresAt: sites.certificateExpiresAt })
    .from(sites)
    .where(endsSoon(now))
    .orderBy(asc(sites.certificateExpiresAt))
    .limit(MOST_TROUBLES),
  uncertified: db
    .select({ domain: sites.domain, error: sites.certificateError })
    .from(sites)
    .where(eq(sites.certificateState, 'error'))
    .limit(MOST_TROUBLES),
  mirrors: db
    .select({ zone: mirrors.zone, state: mirrors.state })
    .from(mirrors)
    .where(inArray(mirrors.state, MIRROR_TROUBLES))
    .limit(MOST_TROUBLES),
})

/** What tells whether the panel is set up. */
const setup = (db: Db, now: Date) => ({
  choices: selectChoices(db),
  test: db.select().from(mails).where(IS_TEST).orderBy(desc(mails.id)).limit(1),
  sent: db.select({ id: mails.id }).from(mails).where(eq(mails.state, 'enviado')).limit(1),
  destinations: db
    .select({
      node: backupDestinations.node,
      copiedAt: backupDestinations.nodeCopiedAt,
      checkedAt: backupDestinations.checkedAt,
    })
    .from(backupDestinations),
  copies: oldestCopies(db),
  plan: db.select({ id: plans.id }).from(plans).limit(1),
  client: db.select({ id: clients.id }).from(clients).limit(1),
  release: selectRelease(db),
  token: db.select({ id: tokens.id }).from(tokens).where(liveTokens(now)).limit(1),
  usedToken: db
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(liveTokens(now), isNotNull(tokens.lastUsedAt)))
    .limit(1),
})

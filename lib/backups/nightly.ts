import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { backupDestinations, clients, copies, plans } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { isDue } from '../work/clock.ts'
import { enqueue } from '../work/jobs.ts'
import { turnAt } from './decide.ts'
import { copyJob } from './job.ts'
import { isBack } from './recover.ts'

const HOUR_MS = 3_600_000
/** Whoever was copied by hand in the evening waits for the next night. */
const APART_MS = 12 * HOUR_MS
/** A client whose last copy was begun earlier has missed its turn, and has the next one. */
const MISSED_MS = 36 * HOUR_MS
const MISSED_AT_ONCE = 20

const lastBegun = sql`coalesce((select max(${copies.startedAt}) from ${copies}
  where ${copies.clientId} = ${clients.id} and ${copies.whole} = 1), 0)`

/** Whether its last copy was begun so long ago. */
const isOlder = (now: Date, ms: number): SQL => isDue(sql`(${lastBegun} + ${ms})`, now, ms)

/**
 * Queues the copies of the clients whose turn it is: each has one of the night's turns, so that not all of them are
 * copied at once. By day, and without a destination, none; nor of a client of whom a lost node is not all back yet,
 * whose empty sites would look like a good copy.
 */
export async function queueNightly(services: Services): Promise<number> {
  const { config, now, db, driver } = services
  const moment = now()
  const turn = turnAt(moment)
  if (turn === null || !driver?.backups || config.node === null) return 0
  const mine = sql`${clients.id} % ${turn.of} = ${turn.turn}`
  const due = or(and(mine, isOlder(moment, APART_MS)), isOlder(moment, MISSED_MS))
  const rows = await db.read
    .select({ client: clients, functions: plans.functions, mine: sql<number>`${mine}` })
    .from(clients)
    .innerJoin(backupDestinations, eq(backupDestinations.node, clients.node))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(and(eq(clients.node, config.node), eq(clients.state, 'activo'), isBack, due))
    .orderBy(asc(clients.id))
  const included = rows.filter(({ functions }) => functions === null || functions.includes('copias'))
  const missed = included.filter(({ mine }) => !mine).slice(0, MISSED_AT_ONCE)
  const chosen = [...included.filter((row) => row.mine), ...missed]
  if (chosen.length === 0) return 0
  await db.write(async (tx) => {
    for (const { client } of chosen) enqueue(tx, services, copyJob(services, client))
  })
  services.work.wake()
  return chosen.length
}

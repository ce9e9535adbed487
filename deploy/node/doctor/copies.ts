import { and, eq, sql } from 'drizzle-orm'
import type { Services } from '../../../lib/endpoint/context.ts'
import { counted } from '../../../lib/text/words.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'
import { backupDestinations, clients, copies, plans } from '../../../schema/tables.ts'
import { type Check, checkOf } from '../services/check-view.ts'

const HOUR_MS = 3_600_000
/** Two nights and what a night may take. */
const LATE_MS = 56 * HOUR_MS
const NAMED = 5

/** How old the last good copies are; nothing where copies go nowhere. */
export async function copyChecks({ db, config, now }: Services): Promise<Check[]> {
  const its = eq(backupDestinations.node, config.node ?? '')
  const destination = await db.read.select().from(backupDestinations).where(its).get()
  if (!destination) return []
  const isLate = (since: Date) => waitsUntil(new Date(since.getTime() + LATE_MS), now(), LATE_MS) === null
  const { nodeCopiedAt, checkedAt } = destination
  const good = sql<number | null>`max(case when ${copies.state} = 'completa' and ${copies.whole} = 1
    then ${copies.startedAt} end)`
  const rows = await db.read
    .select({ name: clients.name, createdAt: clients.createdAt, functions: plans.functions, good })
    .from(clients)
    .leftJoin(copies, eq(copies.clientId, clients.id))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(and(eq(clients.node, destination.node), eq(clients.state, 'activo')))
    .groupBy(clients.id)
  const included = rows.filter(({ functions }) => functions === null || functions.includes('copias'))
  const sinceOf = ({ createdAt, good: last }: (typeof rows)[number]) =>
    new Date(last ?? Math.max(createdAt.getTime(), checkedAt.getTime()))
  const late = included.filter((row) => isLate(sinceOf(row))).map(({ name }) => name)
  const oldest = included.map(sinceOf).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return [
    lateClients(late, oldest),
    checkOf(
      'copia del nodo',
      isLate(nodeCopiedAt ?? checkedAt)
        ? `the last one is of ${nodeCopiedAt?.toISOString() ?? 'never'}: run the scheduled handler copia_nodo and see what it says`
        : null,
    ),
  ]
}

function lateClients(late: string[], oldest: Date | undefined): Check {
  const named = late.slice(0, NAMED).join(', ')
  const more = late.length > NAMED ? ', …' : ''
  return checkOf(
    'copias de clientes',
    late.length > 0
      ? `${counted(late.length, 'client')} without a complete copy of the last two nights (${named}${more}), the oldest since ${oldest?.toISOString()}: GET /api/clientes/<client>/copias says why`
      : null,
  )
}

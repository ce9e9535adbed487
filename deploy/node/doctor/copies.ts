import { eq } from 'drizzle-orm'
import { lastCopies } from '../../../lib/backups/facts.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { counted } from '../../../lib/text/words.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'
import { backupDestinations } from '../../../schema/tables.ts'
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
  const rows = await db.read.select().from(lastCopies(db.read, destination.node))
  const dated = rows.map(({ name, since }) => ({ name, since: new Date(since) }))
  const late = dated.filter(({ since }) => isLate(since)).map(({ name }) => name)
  const oldest = dated.map(({ since }) => since).toSorted((a, b) => a.getTime() - b.getTime())[0]
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

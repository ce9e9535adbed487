import { and, eq, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import { IDEMPOTENCY_HOURS } from '../../lib/endpoint/idempotency.ts'
import { activeAdmins } from '../../lib/identity/tokens.ts'
import { enqueueMails } from '../../lib/mail/queue.ts'
import type { Tx } from '../../lib/store/database.ts'
import { dayIn } from '../../lib/text/amounts.ts'
import { queueWebhookSweep } from '../../lib/webhooks/bounds.ts'
import { cronHandler } from '../../lib/work/cron.ts'
import { isSettled } from '../../lib/work/jobs.ts'
import {
  counters,
  events,
  idempotency,
  jobs,
  links,
  passkeyChallenges,
  sessionBearers,
  sessions,
  signInSteps,
  tokens,
} from '../../schema/tables.ts'

const DAY_MS = 86_400_000
/** Days before a token's expiry on which the admins are told (docs/api.md, "Signing in"). */
const WARN_DAYS = [1, 7, 30]
/** Expired sessions and their bearers are kept this long, so that using one does not count as an attack. */
const KEEP_SESSIONS_MS = 30 * DAY_MS
const KEEP_JOBS_MS = 14 * DAY_MS
const KEEP_EVENTS_MS = 90 * DAY_MS

export default cronHandler({
  name: 'caducidad',
  summary: 'End what is over, warn of what soon will be, and forget what nobody can ask for',
  pattern: '0 * * * * *',
  ttlSeconds: 120,
  async run(services) {
    await services.db.write(async (tx) => sweep(tx, services))
    return { avisos: await services.db.write((tx) => warnOfExpiringTokens(tx, services)) }
  },
})

function sweep(tx: Tx, services: Services): void {
  const now = services.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  tx.later(
    tx
      .update(links)
      .set({ endedAt: now, endedWhy: 'caducado' })
      .where(and(lte(links.expiresAt, now), isNull(links.spentAt), isNull(links.endedAt))),
    tx.delete(signInSteps).where(lt(signInSteps.expiresAt, now)),
    tx.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now)),
    tx.delete(sessionBearers).where(lt(sessionBearers.expiresAt, before(KEEP_SESSIONS_MS))),
    tx.delete(sessions).where(lt(sessions.expiresAt, before(KEEP_SESSIONS_MS))),
    tx.delete(idempotency).where(lt(idempotency.createdAt, before(IDEMPOTENCY_HOURS * 3_600_000))),
    tx.delete(jobs).where(and(isSettled, lt(jobs.finishedAt, before(KEEP_JOBS_MS)))),
    tx.delete(events).where(isForgotten(before(KEEP_EVENTS_MS))),
    ...queueWebhookSweep(tx, now),
    tx.delete(counters).where(lt(counters.window, Math.floor(before(DAY_MS).getTime() / 1000))),
  )
}

/**
 * Events up to the last one that is old enough, so that those go too that a clock far ahead gave a late time. The last of
 * all stays, for keys go on from it.
 */
function isForgotten(before: Date): SQL | undefined {
  const lastOld = sql`(select max(id) from events where at < ${before.getTime()})`
  return and(lte(events.id, lastOld), lt(events.id, sql`(select max(id) from events)`))
}

async function warnOfExpiringTokens(tx: Tx, services: Services): Promise<number> {
  const now = services.now()
  const today = now.toISOString().slice(0, 10)
  const horizon = new Date(now.getTime() + 30 * DAY_MS).toISOString().slice(0, 10)
  const dying = tx
    .select()
    .from(tokens)
    .where(
      and(
        isNull(tokens.revokedAt),
        isNotNull(tokens.lastUsedAt),
        gte(tokens.expiresOn, today),
        lte(tokens.expiresOn, horizon),
        or(isNull(tokens.warnedDays), sql`${tokens.warnedDays} > 1`),
      ),
    )
  const [rows, admins] = await Promise.all([dying, activeAdmins(tx)])
  let due = 0
  for (const token of rows) {
    const days = Math.round((Date.parse(token.expiresOn) - Date.parse(today)) / DAY_MS)
    const level = WARN_DAYS.find((limit) => days <= limit)
    if (level === undefined || (token.warnedDays !== null && token.warnedDays <= level)) continue
    const about = { nombre: token.name, pista: `cpt_${token.publicId}`, dias: String(days) }
    for (const admin of admins) {
      const payload = { ...about, caduca: dayIn(token.expiresOn, admin) }
      enqueueMails(tx, services, { kind: 'token_caduca', payload, to: [admin] })
    }
    tx.later(tx.update(tokens).set({ warnedDays: level }).where(eq(tokens.id, token.id)))
    due++
  }
  if (due > 0) services.work.wake()
  return due
}

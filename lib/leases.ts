import { and, eq, gt, sql } from 'drizzle-orm'
import { leases } from '../schema/tables.ts'
import type { Services } from './context.ts'
import { faultOf, storedFault } from './faults.ts'

/** A lease is renewed this often within its lifetime: one renewal may be lost without losing the lease. */
const RENEWALS = 3

/**
 * Runs `work` and meanwhile prolongs the lease that it stands under. A renewal that fails is not told: either
 * the next one goes through or another worker takes over, which the work's own fence must bear.
 */
export async function whileRenewing<T>(
  ttlMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => {}), ttlMs / RENEWALS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Runs `work` while holding the named lease, so that of any number of processes one runs it; false when
 * another holds it. The lease ends with the work, however long that takes; a crash ends it after `ttlMs`.
 */
export async function underLease(
  services: Services,
  name: string,
  ttlMs: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const owner = crypto.randomUUID()
  if (!(await take(services, name, owner, ttlMs))) return false
  let failure: string | null = null
  try {
    await whileRenewing(ttlMs, () => prolong(services, name, owner, ttlMs), work)
  } catch (error) {
    failure = storedFault(faultOf(error))
    throw error
  } finally {
    await release(services, name, owner, failure)
  }
  return true
}

async function take(services: Services, name: string, owner: string, ttlMs: number): Promise<boolean> {
  const now = services.now()
  const until = new Date(now.getTime() + ttlMs)
  // A lease further ahead than any lifetime was taken under a clock that has since been set back.
  const stale = sql`${leases.until} <= ${now.getTime()} or ${leases.until} > ${now.getTime() + 2 * ttlMs}`
  const rows = await services.db.write((tx) =>
    tx
      .insert(leases)
      .values({ name, owner, until })
      .onConflictDoUpdate({ target: leases.name, set: { owner, until }, setWhere: stale })
      .returning({ owner: leases.owner }),
  )
  return rows[0]?.owner === owner
}

async function prolong(services: Services, name: string, owner: string, ttlMs: number): Promise<void> {
  const until = new Date(services.now().getTime() + ttlMs)
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(leases)
        .set({ until })
        .where(and(eq(leases.name, name), eq(leases.owner, owner))),
    )
  })
}

async function release(
  services: Services,
  name: string,
  owner: string,
  lastError: string | null,
): Promise<void> {
  const now = services.now()
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(leases)
        // Free for good: the moment of its end would still lie ahead for a clock that is set back.
        .set({ until: new Date(0), lastRunAt: now, lastError })
        .where(and(eq(leases.name, name), eq(leases.owner, owner))),
    )
  })
}

/** Ends leases of which a process knows that their holders are dead: those of its node, or where it is `alone` all. */
export async function releaseLeases(services: Services, node: string, alone: boolean): Promise<void> {
  const now = services.now()
  const dead = alone ? sql`1` : sql`substr(${leases.name}, ${-node.length - 1}) = ${`:${node}`}`
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(leases)
        .set({ until: now })
        .where(and(gt(leases.until, now), dead)),
    )
  })
}

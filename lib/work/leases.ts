import { and, eq, sql } from 'drizzle-orm'
import { leases } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { faultOf, storedFault } from '../text/stored-faults.ts'
import { later } from './back-off.ts'
import { isFree } from './clock.ts'

/** How often a lease is renewed within its lifetime: one renewal may fail without losing the lease. */
const RENEWALS = 3
/** The time of a free lease; any other moment could lie in the future once the clock is set back. */
const FREE = new Date(0)

/**
 * Runs `work` and renews its lease meanwhile. A failed renewal is not reported: either the next one succeeds or
 * another worker takes over, which the work's own fence has to handle.
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
 * Runs `work` under the named lease, so that only one process runs it; false if another holds the lease. The lease
 * ends with the work, however long that takes, or `ttlMs` after a crash. A process never starts work that it is
 * already running, whatever the clock makes of the lease.
 */
export async function underLease(
  services: Services,
  name: string,
  ttlMs: number,
  work: () => Promise<void>,
): Promise<boolean> {
  if (services.held.has(name)) return false
  services.held.add(name)
  try {
    return await takeAndRun(services, { name, owner: crypto.randomUUID(), ttlMs }, work)
  } finally {
    services.held.delete(name)
  }
}

type Lease = { name: string; owner: string; ttlMs: number }

async function takeAndRun(services: Services, lease: Lease, work: () => Promise<void>): Promise<boolean> {
  if (!(await take(services, lease))) return false
  let failure: string | null = null
  try {
    await whileRenewing(lease.ttlMs, () => prolong(services, lease), work)
  } catch (error) {
    failure = storedFault(faultOf(error))
    throw error
  } finally {
    await release(services, lease, failure)
  }
  return true
}

async function take(services: Services, { name, owner, ttlMs }: Lease): Promise<boolean> {
  const now = services.now()
  const until = later(now, ttlMs)
  const rows = await services.db.write((tx) =>
    tx
      .insert(leases)
      .values({ name, owner, until })
      .onConflictDoUpdate({
        target: leases.name,
        set: { owner, until },
        setWhere: isFree(leases.until, now, ttlMs),
      })
      .returning({ owner: leases.owner }),
  )
  return rows[0]?.owner === owner
}

async function prolong(services: Services, { name, owner, ttlMs }: Lease): Promise<void> {
  const until = later(services.now(), ttlMs)
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(leases)
        .set({ until })
        .where(and(eq(leases.name, name), eq(leases.owner, owner))),
    )
  })
}

async function release(services: Services, { name, owner }: Lease, lastError: string | null): Promise<void> {
  const now = services.now()
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(leases)
        .set({ until: FREE, lastRunAt: now, lastError })
        .where(and(eq(leases.name, name), eq(leases.owner, owner))),
    )
  })
}

/** Ends the leases of dead holders: those of this node or, with `alone`, all of them. */
export async function releaseLeases(services: Services, node: string, alone: boolean): Promise<void> {
  const dead = alone ? sql`1` : sql`substr(${leases.name}, ${-node.length - 1}) = ${`:${node}`}`
  await services.db.write(async (tx) => {
    tx.later(tx.update(leases).set({ until: FREE }).where(dead))
  })
}

import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { dnsAccounts, mirrors } from '../../schema/mirror.ts'
import { URGENCY } from '../../schema/states.ts'
import { rrsets, zones } from '../../schema/zones.ts'
import type { RemoteZone } from '../providers/types.ts'
import type { Database, Db, Tx } from '../store/database.ts'
import { later } from '../work/back-off.ts'
import { isDue, isFree, waitsUntil } from '../work/clock.ts'
import { pauseOf } from './account.ts'
import { LONGEST_LEASE_MS, LONGEST_PAUSE_MS } from './backoff.ts'
import { checkIsDue, runIsDue, turnOrder, URGENT_TURNS } from './order.ts'
import type { JobStore, Source } from './run.ts'
import type { AccountRow, MirrorRow, Settlement } from './states.ts'

/** About one zone a minute (specification 8). */
const SLOT_MS = 60_000

/** A zone that this worker owns until `leaseUntil`, unless a higher fence has been given out. */
export type Claim = { row: MirrorRow; account: AccountRow; fence: number; leaseMs: number }

/** Accounts that may have a turn: usable, with a free slot, and without a running worker. */
function usable(now: Date) {
  return and(
    isDue(dnsAccounts.nextSlotAt, now, SLOT_MS),
    isFree(dnsAccounts.leaseUntil, now, LONGEST_LEASE_MS),
    isFree(dnsAccounts.pausedUntil, now, LONGEST_PAUSE_MS),
    isNull(dnsAccounts.refusedAt),
  )
}

/** Rows whose run is due and that no worker has. */
const claimable = (now: Date) => and(runIsDue(now), isFree(mirrors.leaseUntil, now, LONGEST_LEASE_MS))

/** Whether a run or a check of a zone is due; a cheap look before any lock. */
export async function workDue(db: Db, now: Date): Promise<boolean> {
  const run = await db
    .select({ zone: mirrors.zone })
    .from(mirrors)
    .innerJoin(dnsAccounts, eq(dnsAccounts.node, mirrors.node))
    .where(and(claimable(now), usable(now)))
    .limit(1)
    .get()
  if (run) return true
  const check = and(checkIsDue(now), inArray(mirrors.state, [...RUNNABLE]))
  return (await db.select({ zone: mirrors.zone }).from(mirrors).where(check).limit(1).get()) !== undefined
}

/**
 * Takes the account's slot and the next due zone in one transaction, or nothing. Any number of workers may
 * ask at once. `leaseMs` must outlast the run's own deadline.
 */
export async function claimNext(db: Database, now: Date, leaseMs: number): Promise<Claim | null> {
  return db.write(async (tx) => {
    for (const account of await tx.select().from(dnsAccounts).where(usable(now))) {
      const row = await firstDue(tx, account, now)
      if (row === undefined) continue
      const fence = account.fence + 1
      const leaseUntil = later(now, leaseMs)
      const nextSlotAt = later(now, SLOT_MS)
      const keeps = row.state === 'retirando' || row.state === 'comprobando'
      tx.later(
        tx
          .update(dnsAccounts)
          .set({ fence, leaseUntil, nextSlotAt, urgentTurns: turnsAfter(account, row) })
          .where(eq(dnsAccounts.node, account.node)),
        tx
          .update(mirrors)
          // If the worker dies, the other zones come before this one.
          .set({ fence, leaseUntil, nextAt: leaseUntil, state: keeps ? row.state : 'sincronizando' })
          .where(eq(mirrors.zone, row.zone)),
      )
      return { row: { ...row, fence }, account: { ...account, fence }, fence, leaseMs }
    }
    return null
  })
}

/** The row whose turn it is: by urgency and time, and after some turns a daily one before the others. */
async function firstDue(tx: Tx, account: AccountRow, now: Date): Promise<MirrorRow | undefined> {
  const first = (which?: SQL) =>
    tx
      .select()
      .from(mirrors)
      .where(and(eq(mirrors.node, account.node), claimable(now), which))
      .orderBy(...turnOrder(now))
      .limit(1)
      .get()
  const daily = account.urgentTurns >= URGENT_TURNS && (await first(eq(mirrors.urgency, URGENCY.daily)))
  return daily || first()
}

function turnsAfter(account: AccountRow, { urgency }: MirrorRow): number {
  return urgency === URGENCY.daily ? 0 : Math.min(account.urgentTurns + 1, URGENT_TURNS)
}

/** The store of one run, bound to its fence. */
export function jobStore(db: Database, claim: Claim, now: () => Date): JobStore {
  const own = and(eq(mirrors.zone, claim.row.zone), eq(mirrors.fence, claim.fence))
  const update = (set: Partial<MirrorRow>) =>
    db.write(async (tx) => {
      const rows = await tx.update(mirrors).set(set).where(own).returning({ zone: mirrors.zone })
      return rows.length === 1
    })
  return {
    readSource: () => readSource(db.read, claim.row.zone),
    saveIntent: (intent) =>
      update(intent === null ? { intentAt: null } : { nonce: intent.nonce, intentAt: new Date(intent.atMs) }),
    saveRemote: (zone: RemoteZone) => update({ remoteId: zone.id, servers: zone.servers }),
    renew: () => renew(db, claim, now()),
  }
}

async function renew(db: Database, claim: Claim, now: Date): Promise<boolean> {
  const leaseUntil = later(now, claim.leaseMs)
  return db.write(async (tx) => {
    const rows = await tx
      .update(mirrors)
      .set({ leaseUntil })
      .where(and(eq(mirrors.zone, claim.row.zone), eq(mirrors.fence, claim.fence)))
      .returning({ zone: mirrors.zone })
    const accounts = await tx
      .update(dnsAccounts)
      .set({ leaseUntil })
      .where(and(eq(dnsAccounts.node, claim.row.node), eq(dnsAccounts.fence, claim.fence)))
      .returning({ node: dnsAccounts.node })
    return rows.length === 1 && accounts.length === 1
  })
}

/** The zone as the panel holds it, read in one statement and so as of one moment; null if there is none. */
async function readSource(db: Db, zone: string): Promise<Source | null> {
  const rows = await db
    .select({
      serial: zones.serial,
      signed: zones.dnssec,
      name: rrsets.name,
      type: rrsets.type,
      ttl: rrsets.ttl,
      values: rrsets.values,
    })
    .from(zones)
    .leftJoin(rrsets, eq(rrsets.zoneId, zones.id))
    .where(and(eq(zones.name, zone), eq(zones.state, 'activa')))
  const [first] = rows
  if (first === undefined) return null
  const sets = rows.flatMap(({ name, type, ttl, values }) =>
    name === null || type === null || ttl === null || values === null ? [] : [{ name, type, ttl, values }],
  )
  const apex = sets.find((set) => set.name === '@' && set.type === 'NS')
  return { serial: first.serial, signed: first.signed, rrsets: sets, nameservers: apex?.values ?? [] }
}

/**
 * Ends a run: writes its result, gives up the lease and, if somebody asked for it meanwhile, queues the next run.
 * `beside` joins the same transaction. Returns false, and changes nothing, if the fence is old.
 */
export async function finish(
  db: Database,
  claim: Claim,
  settlement: Settlement,
  now: Date,
  beside: (tx: Tx, row: MirrorRow) => Promise<void>,
): Promise<boolean> {
  return db.write(async (tx) => {
    const own = and(eq(mirrors.zone, claim.row.zone), eq(mirrors.fence, claim.fence))
    const [row] = await tx.select().from(mirrors).where(own)
    if (row === undefined) return false
    const patch = {
      ...settlement.mirror,
      ...wishedMeanwhile(claim.row, row, settlement, now),
      leaseUntil: null,
    }
    tx.later(tx.update(mirrors).set(patch).where(own))
    // If the zone is no longer in the panel, there is nothing left to show.
    if (patch.state === 'retirada' && row.zoneId === null) tx.later(tx.delete(mirrors).where(own))
    const { refusedAt, ...rest } = settlement.account
    const account = and(eq(dnsAccounts.node, claim.row.node), eq(dnsAccounts.fence, claim.fence))
    tx.later(
      tx
        .update(dnsAccounts)
        .set({ ...rest, leaseUntil: null })
        .where(account),
    )
    if (refusedAt !== undefined) {
      const epoch = eq(dnsAccounts.epoch, claim.account.epoch)
      tx.later(tx.update(dnsAccounts).set({ refusedAt }).where(and(account, epoch)))
    }
    await beside(tx, { ...row, ...patch })
    return true
  })
}

/** A change, a wish or a removal that came during the run leads to another run. */
function wishedMeanwhile(
  before: MirrorRow,
  current: MirrorRow,
  settlement: Settlement,
  now: Date,
): Partial<MirrorRow> {
  if (before.generation === current.generation) return {}
  if (current.state === 'retirando' && before.state !== 'retirando') {
    const { reason, urgency } = current
    return { state: 'retirando', reason, urgency, nextAt: now, nextCheckAt: null }
  }
  const wish = { state: 'en_cola' as const, nextAt: now, urgency: URGENCY.person }
  return settlement.mirror.state === 'al_dia' ? wish : {}
}

const RUNNABLE = ['en_cola', 'sincronizando', 'al_dia', 'error', 'sin_cuota'] as const

/** Whether a mirror in this state takes part in the queue. */
export function isRunnable(state: MirrorRow['state']): boolean {
  return RUNNABLE.some((one) => one === state)
}

/**
 * Queues a run of these zones now; several requests for a zone become one run. Zones that are not mirrored, or whose
 * mirror is inactive (`conflicto`, `perdida`, `retirada`), are left alone. Part of every change.
 */
export function mirrorWish(
  tx: Db,
  where: { zoneId: number } | { zone: string },
  now: Date,
  urgency: number = URGENCY.person,
) {
  const which = 'zoneId' in where ? eq(mirrors.zoneId, where.zoneId) : eq(mirrors.zone, where.zone)
  return tx
    .update(mirrors)
    .set({
      generation: sql`${mirrors.generation} + 1`,
      // A zone that waited at a lower urgency joins the end of the more urgent queue now.
      nextAt: sql`case when ${mirrors.urgency} > ${urgency} then ${now.getTime()} else min(coalesce(${mirrors.nextAt}, ${now.getTime()}), ${now.getTime()}) end`,
      urgency: sql`min(${mirrors.urgency}, ${urgency})`,
      state: sql`case when ${mirrors.state} = 'sincronizando' then ${mirrors.state} else 'en_cola' end`,
      updatedAt: now,
    })
    .where(and(which, sql`${mirrors.state} in ${RUNNABLE}`))
}

/** When the zone at this place (from 1) of the queue of an account's node is likely to have its turn. */
export function estimatedTurn(
  account: { nextSlotAt: Date; pausedUntil: Date | null } | undefined,
  place: number,
  now: Date,
): Date {
  const slot = waitsUntil(account?.nextSlotAt ?? null, now, SLOT_MS)
  const pause = account ? pauseOf(account, now) : null
  const firstMs = Math.max(now.getTime(), slot?.getTime() ?? 0, pause?.getTime() ?? 0)
  return new Date(firstMs + (place - 1) * SLOT_MS)
}

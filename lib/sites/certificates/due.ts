import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { clients, counters, plans, sites } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Tx } from '../../store/database.ts'
import { storedFault } from '../../text/stored-faults.ts'
import { isDue, turnAt } from '../../work/clock.ts'
import { enqueue } from '../../work/jobs.ts'
import { siteJob } from '../commands.ts'
import { LONGEST_WAIT_MS, LOOK_AGAIN_MS } from './schedule.ts'
import { enqueueCertificate } from './site.ts'

/** How many orders a node places per hour without being asked: Let's Encrypt allows an account 300 in three hours. */
const ORDERS_PER_HOUR = 80
const HOUR_MS = 3_600_000

/**
 * Queues the certificates that are due: first ones, renewals, and refused ones whose wait is over. Returns how many.
 * Sites whose plan lacks HTTPS are skipped until it has it.
 */
export async function enqueueDueCertificates(services: Services): Promise<number> {
  await endExpired(services)
  if (services.driver && !services.driver.issuesCertificates) return 0
  const queued = await services.db.write(async (tx) => {
    const room = ORDERS_PER_HOUR - (await ordersThisHour(tx, services))
    const due = room > 0 ? await dueSites(tx, services, room) : []
    for (const found of due) enqueueCertificate(tx, services, { ...found, renew: false })
    if (due.length > 0) addOrders(tx, services, due.length)
    return due.length
  })
  if (queued > 0) services.work.wake()
  return queued
}

/** Stops redirecting to HTTPS for sites whose certificate has expired: they are served over plain HTTP again. */
async function endExpired(services: Services): Promise<void> {
  const { node } = services.config
  const expired = and(eq(sites.certificateState, 'activo'), lte(sites.certificateExpiresAt, services.now()))
  const found = await services.db.read
    .select({ site: sites, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(and(expired, ne(sites.state, 'eliminando'), node === null ? undefined : eq(clients.node, node)))
  if (found.length === 0) return
  await services.db.write(async (tx) => {
    for (const { site, client } of found) {
      const error = sql`coalesce(${sites.certificateError}, ${storedFault({ codigo: 'certificado_caducado' })})`
      tx.later(
        tx
          .update(sites)
          .set({ certificateState: 'error', certificateError: error })
          .where(and(eq(sites.id, site.id), expired)),
      )
      if (site.httpsOnly)
        enqueue(tx, services, siteJob(client, { kind: 'sitio.aplicar', domain: site.domain }))
    }
  })
  services.work.wake()
}

/**
 * How far ahead a site's next time can be. A valid certificate without a fault waits for its renewal, which comes
 * before it expires.
 */
const longestWait = (now: Date) => sql`case
  when ${sites.certificateAttempts} > 0 then ${LONGEST_WAIT_MS}
  when ${sites.certificateState} = 'activo' and ${sites.certificateError} is null
    then max(${LOOK_AGAIN_MS}, ${sites.certificateExpiresAt} - ${now.getTime()})
  else ${LOOK_AGAIN_MS}
end`

async function dueSites(tx: Tx, services: Services, room: number) {
  const { node } = services.config
  const now = services.now()
  return tx
    .select({ site: sites, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(
      and(
        inArray(sites.state, ['activo', 'suspendido']),
        or(isNull(sites.certificateNextAt), isDue(sites.certificateNextAt, now, longestWait(now))),
        ne(clients.state, 'eliminando'),
        node === null ? undefined : eq(clients.node, node),
        or(isNull(plans.id), sql`exists (select 1 from json_each(${plans.functions}) where value = 'https')`),
      ),
    )
    .orderBy(asc(turnAt(sites.certificateNextAt, now, longestWait(now))), asc(sites.id))
    .limit(room)
}

const counterOf = (services: Services) => ({
  name: `certificados:${services.config.node ?? ''}`,
  // The window is in seconds, since old rows are removed by that.
  window: Math.floor(services.now().getTime() / HOUR_MS) * 3600,
})

async function ordersThisHour(tx: Tx, services: Services): Promise<number> {
  const { name, window } = counterOf(services)
  const row = await tx
    .select({ count: counters.count })
    .from(counters)
    .where(and(eq(counters.name, name), eq(counters.window, window)))
    .get()
  return row?.count ?? 0
}

function addOrders(tx: Tx, services: Services, count: number): void {
  tx.later(
    tx
      .insert(counters)
      .values({ ...counterOf(services), count })
      .onConflictDoUpdate({
        target: [counters.name, counters.window],
        set: { count: sql`${counters.count} + ${count}` },
      }),
  )
}

import { and, eq, gt, ne, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, mailMinutes, plans } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { noticeOnce } from './notices.ts'

/** Recipients in 24 hours where the plan leaves it open: a client whose programs were taken over must not send more. */
const OPEN_LIMIT = 500
const DAY_MINUTES = 1440

const minuteOf = (now: Date) => Math.floor(now.getTime() / 60_000)

/** Two hosts' clocks may differ by a minute; a later one was written under a clock since set back. */
const isStray = (minute: number) => gt(mailMinutes.minute, minute + 1)

/** What of a client's count is less than a day old. What a clock since set back wrote is part of it. */
const isCounted = (now: Date) => gt(mailMinutes.minute, minuteOf(now) - DAY_MINUTES)

const sum = sql<number>`coalesce(sum(${mailMinutes.recipients}), 0)`

/** To how many recipients a client's programs have written within a day. */
export const mailedLately = (client: SQLWrapper, now: Date) =>
  sql<number>`(select ${sum} from ${mailMinutes} where ${mailMinutes.clientId} = ${client} and ${isCounted(now)})`

const limit = sql<number>`coalesce(${plans.dailyMails}, ${OPEN_LIMIT})`

/** What a client's programs may still write to. */
export type Allowance = { id: number; limit: number; used: number }

/** What is left of a day's recipients. */
export const leftOf = ({ limit, used }: Pick<Allowance, 'limit' | 'used'>): number =>
  Math.max(0, limit - used)

const selectAllowances = (db: Db, now: Date) =>
  db
    .select({ id: clients.id, limit, used: sql<number>`${mailedLately(clients.id, now)}` })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))

/** The allowance of one client; none where it is gone. */
export const allowanceOf = (db: Db, client: number, now: Date): Promise<Allowance | undefined> =>
  selectAllowances(db, now).where(eq(clients.id, client)).get()

/** The allowances of a node's clients, after what a clock since set back wrote was brought to now. */
export async function allowancesOf({ db, now }: Services, node: string): Promise<Allowance[]> {
  const at = now()
  const onNode = eq(clients.node, node)
  const strays = await db.read
    .selectDistinct({ id: mailMinutes.clientId })
    .from(mailMinutes)
    .innerJoin(clients, eq(clients.id, mailMinutes.clientId))
    .where(and(onNode, isStray(minuteOf(at))))
  if (strays.length > 0) {
    await db.write(async (tx) => tx.later(...strays.flatMap(({ id }) => bringBack(tx, id, minuteOf(at)))))
  }
  return selectAllowances(db.read, at).where(and(onNode, ne(clients.state, 'eliminando')))
}

/**
 * Counts what is dated later than now as of now: it neither goes uncounted nor holds its client up for longer than a
 * day.
 */
function bringBack(tx: Tx, client: number, minute: number): Query[] {
  const theirs = and(eq(mailMinutes.clientId, client), isStray(minute))
  return [
    tx
      .insert(mailMinutes)
      .select(
        sql`select client_id, ${minute}, sum(recipients) from ${mailMinutes} where ${theirs} group by client_id`,
      )
      .onConflictDoUpdate({
        target: [mailMinutes.clientId, mailMinutes.minute],
        set: { recipients: sql`recipients + excluded.recipients` },
      }),
    tx.delete(mailMinutes).where(theirs),
  ]
}

/** Counts that were made; `charged` tells whether there was room. */
export type Charge = { charged: boolean; minute: number; left: number; limit: number }

/**
 * Counts recipients before they are written to, so that nothing which ends the panel leaves any uncounted. Where there is no
 * room, nothing is counted. The client is told once a day at most that nothing is left.
 */
export function chargeMail(services: Services, client: number, recipients: number): Promise<Charge> {
  const now = services.now()
  const minute = minuteOf(now)
  return services.db.write(async (tx) => {
    tx.later(...bringBack(tx, client, minute))
    const room = sql`select limit_ - used from (select ${limit} as limit_, ${mailedLately(sql`${client}`, now)} as used
      from ${clients} left join ${plans} on ${eq(plans.id, clients.planId)} where ${eq(clients.id, client)})`
    const rows = await tx
      .insert(mailMinutes)
      .select(sql`select ${client}, ${minute}, ${recipients} where (${room}) >= ${recipients}`)
      .onConflictDoUpdate({
        target: [mailMinutes.clientId, mailMinutes.minute],
        set: { recipients: sql`recipients + excluded.recipients` },
      })
      .returning({ minute: mailMinutes.minute })
    const allowance = (await allowanceOf(tx, client, now)) ?? { id: client, limit: 0, used: 0 }
    tx.later(forgetOldest(tx, client))
    const left = leftOf(allowance)
    if (left === 0 && allowance.used > 0) {
      await noticeOnce(tx, services, { client, kind: 'correos_agotados', number: allowance.limit })
    }
    return { charged: rows.length > 0, minute, left, limit: allowance.limit }
  })
}

/**
 * Keeps as many minutes as a day has, whatever the clock says: one that was set forward and back again finds all that
 * counts.
 */
function forgetOldest(tx: Tx, client: number): Query {
  const oldest = sql`(select minute from ${mailMinutes} where client_id = ${client}
    order by minute desc limit 1 offset ${DAY_MINUTES})`
  return tx.delete(mailMinutes).where(and(eq(mailMinutes.clientId, client), sql`minute <= ${oldest}`))
}

/** Gives back what was counted for recipients that the server has not taken yet. */
export async function refundMail(
  { db }: Services,
  client: number,
  { minute, recipients }: { minute: number; recipients: number },
): Promise<void> {
  await db.write(async (tx) =>
    tx.later(
      tx
        .update(mailMinutes)
        .set({ recipients: sql`max(0, recipients - ${recipients})` })
        .where(and(eq(mailMinutes.clientId, client), eq(mailMinutes.minute, minute))),
    ),
  )
}

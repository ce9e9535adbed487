import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { backupDestinations, mails } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { activeAdmins } from '../../identity/tokens.ts'
import { enqueueMails } from '../../mail/queue.ts'
import type { Tx } from '../../store/database.ts'
import { ulid } from '../../store/ids.ts'
import { isOfDestination, storedFaultText } from '../../text/stored-faults.ts'
import { selectDamaged } from '../damage/damaged.ts'
import { damaged } from '../errors.ts'
import { damagePayload, failurePayload } from '../view.ts'

/**
 * Writes to the operators that copies fail, once a day: the listing tells which. Where the stored fault is the
 * destination's, no copy can be made, and the mail tells why.
 */
export async function tellOnce(
  tx: Tx,
  services: Services,
  { client, reason }: { client: Pick<Client, 'name' | 'node'>; reason?: string | undefined },
): Promise<void> {
  const today = services.now().toISOString().slice(0, 10)
  const { node, toldOn } = backupDestinations
  const told = await tx
    .update(backupDestinations)
    .set({ toldOn: today })
    .where(and(eq(node, client.node), or(isNull(toldOn), ne(toldOn, today))))
    .returning({ node: sql<string>`node` })
  if (told.length === 0) return
  const isDestination = reason !== undefined && isOfDestination(reason)
  for (const admin of await activeAdmins(tx)) {
    const why = storedFaultText(isDestination ? reason : null, admin.language)
    enqueueMails(tx, services, { kind: 'copia_fallida', to: [admin], payload: failurePayload(client, why) })
  }
}

const DAY_MS = 86_400_000
const NAMED = 20

/** Writes to the operators whose copies are damaged on a node and what to do, once a day. */
export async function tellDamaged(tx: Tx, services: Services, node: string): Promise<void> {
  const spoilt = (await selectDamaged(tx, node)).filter(({ fault }) => fault === damaged())
  if (spoilt.length === 0 || (await isToldLately(tx, services, node))) return
  const names = spoilt.slice(0, NAMED).map(({ client }) => client)
  const payload = damagePayload(node, spoilt.length > NAMED ? [...names, '…'] : names)
  for (const admin of await activeAdmins(tx))
    enqueueMails(tx, services, { kind: 'copias_danadas', to: [admin], payload })
}

/** Ids begin with the time that they were made. */
async function isToldLately(tx: Tx, { now, random }: Services, node: string): Promise<boolean> {
  const since = `cor_${ulid(new Date(now().getTime() - DAY_MS), random)}`
  const ofNode = sql`json_extract(${mails.payload}, '$.nodo') = ${node}`
  const its = and(gt(mails.id, since), eq(mails.kind, 'copias_danadas'), ofNode)
  return (await tx.select({ id: mails.id }).from(mails).where(its).limit(1).get()) !== undefined
}

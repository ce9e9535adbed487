import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { backupDestinations } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { activeAdmins } from '../../identity/tokens.ts'
import { enqueueMails } from '../../mail/queue.ts'
import type { Tx } from '../../store/database.ts'
import { isOfDestination, storedFaultText } from '../../text/stored-faults.ts'
import { failurePayload } from '../view.ts'

/**
 * Writes to the operators that copies fail, once a day: the listing tells which. Where the stored fault is the
 * destination's, no copy can be made, and the mail tells why.
 */
export async function tellOnce(
  tx: Tx,
  services: Services,
  ...[client, reason]: [Pick<Client, 'name' | 'node'>, reason?: string]
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

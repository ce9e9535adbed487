import { and, eq, inArray } from 'drizzle-orm'
import { clients, persons, usage } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { enqueueMail, type Recipient } from '../mail/queue.ts'
import type { Tx } from '../store/database.ts'
import type { UsageView } from './shapes.ts'
import { viewUsage } from './usage.ts'
import { dueWarnings, type Warning } from './warnings.ts'
import { amount, RESOURCE_NAMES } from './words.ts'

/**
 * Queues the warnings of these clients that are due and records them in the caller's transaction, so that each is
 * sent once: to the client's address, or to the admins if it has none.
 */
export async function warnClients(tx: Tx, services: Services, ids: number[]): Promise<void> {
  const now = services.now()
  const measured = tx
    .select({ client: clients, warned: usage.warned })
    .from(clients)
    .innerJoin(usage, eq(usage.clientId, clients.id))
    .where(inArray(clients.id, ids))
  const [uses, rows, all] = await Promise.all([viewUsage(tx, ids, now), measured, admins(tx)])
  const views = new Map(uses.map((view) => [view.cliente, view]))
  for (const { client, warned } of rows) {
    const view = views.get(client.name)
    if (!view) continue
    const due = dueWarnings(limitsIn(view), { warned, month: now.toISOString().slice(0, 7) })
    if (JSON.stringify(due.warned) !== JSON.stringify(warned)) {
      tx.later(tx.update(usage).set({ warned: due.warned }).where(eq(usage.clientId, client.id)))
    }
    if (due.send.length === 0) continue
    const recipients = client.email === null ? all : [client]
    for (const recipient of recipients) {
      for (const warning of due.send) queueWarning(tx, services, { client: client.name, warning, recipient })
    }
  }
}

function limitsIn({ consumo }: UsageView) {
  const of = ({ usado, limite }: { usado: number; limite: number | null }) => ({ used: usado, limit: limite })
  return {
    disco_bytes: of(consumo.disco_bytes),
    inodos: of(consumo.inodos),
    trafico_bytes: of(consumo.trafico_bytes),
  }
}

function admins(tx: Tx): Promise<Recipient[]> {
  return tx
    .select({ email: persons.email, language: persons.language })
    .from(persons)
    .where(and(eq(persons.role, 'admin'), eq(persons.active, true)))
}

function queueWarning(
  tx: Tx,
  services: Services,
  mail: { client: string; warning: Warning; recipient: Recipient },
): void {
  const { client, warning, recipient } = mail
  const { resource, used, limit } = warning
  const { email, language } = recipient
  if (email === null) return
  enqueueMail(tx, services, {
    kind: 'cuota_aviso',
    to: email,
    language,
    client,
    // One payload per reader, since it is in the reader's language.
    payload: {
      cliente: client,
      recurso: RESOURCE_NAMES[resource][language],
      porcentaje: String(limit === 0 ? 100 : Math.floor((used / limit) * 100)),
      usado: amount(used, resource, language),
      limite: amount(limit, resource, language),
    },
  })
}

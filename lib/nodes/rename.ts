import { eq, inArray, like, or, sql } from 'drizzle-orm'
import {
  clients,
  dnsAccounts,
  jobs,
  leases,
  mails,
  mirrors,
  moves,
  nodeHours,
  nodes,
  zones,
} from '../../schema/tables.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Services } from '../endpoint/context.ts'
import { resealDestinations } from '../secrets/copies.ts'
import { credentialPlace } from '../secrets/sealed.ts'
import type { Tx } from '../store/database.ts'

/** Moves everything that is stored under these nodes' names to another name. */
export async function renameNode(tx: Tx, services: Services, from: string[], to: string): Promise<void> {
  await renameAccounts(tx, services, from, to)
  const { keys, random } = services
  await resealDestinations(tx, { old: keys, ring: keys, random }, (node) => (from.includes(node) ? to : node))
  for (const table of [zones, mirrors, jobs, mails]) {
    tx.later(tx.update(table).set({ node: to }).where(inArray(table.node, from)))
  }
  // A trigger binds a client to the node that has its files. Here the files stay and only the node's name changes.
  const [guard] = await tx.values<[string]>(sql`select sql from sqlite_master where name = 'clients_stay'`)
  await tx.run(sql`drop trigger if exists clients_stay`)
  tx.later(tx.update(clients).set({ node: to }).where(inArray(clients.node, from)))
  if (guard) await tx.run(sql.raw(guard[0]))
  tx.later(
    tx.update(moves).set({ source: to }).where(inArray(moves.source, from)),
    tx.update(moves).set({ target: to }).where(inArray(moves.target, from)),
    tx.delete(nodes).where(inArray(nodes.name, from)),
    tx.delete(leases).where(or(...from.map((name) => like(leases.name, `%:${name}`)))),
  )
  await tx.run(sql`update or replace ${nodeHours} set node = ${to} where ${inArray(nodeHours.node, from)}`)
  recordAudit(tx, services, {
    actor: { kind: 'system' },
    operation: 'panel nodo renombrar',
    outcome: 'hecho',
    requestId: null,
    note: { target: to },
  })
}

/** Seals the provider credentials anew, since they are sealed for the node's name. */
async function renameAccounts(tx: Tx, { keys, random }: Services, from: string[], to: string): Promise<void> {
  const accounts = await tx.select().from(dnsAccounts).where(inArray(dnsAccounts.node, from))
  for (const { node, credential } of accounts) {
    const plain = await keys.open(credentialPlace(node), credential)
    const sealed = await keys.seal(credentialPlace(to), plain, random)
    tx.later(tx.update(dnsAccounts).set({ node: to, credential: sealed }).where(eq(dnsAccounts.node, node)))
  }
}

import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { URGENCY } from '../../schema/states.ts'
import {
  backupDestinations,
  clients,
  databases,
  dnsAccounts,
  jobs,
  leases,
  lostNodes,
  mails,
  mirrors,
  moves,
  nodeHours,
  nodes,
  persons,
  siteNames,
  sites,
  zones,
} from '../../schema/tables.ts'
import { auditRow } from '../audit/audit.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { credentialPlace } from '../secrets/sealed.ts'

import type { Db } from '../store/database.ts'
import { both, mapped, type Query, type Reading, reading } from '../store/reading.ts'

/** Whether the copies of a lost node's zones at its DNS provider can be removed, or have to stay. */
export type CopiesFate = 'se_retira' | 'se_queda'

export type Belongings = {
  clientes: string[]
  sitios: string[]
  zonas: string[]
  espejos: { zona: string; proveedor: string; copia: CopiesFate }[]
}

/**
 * Whether the copies can still be removed at the provider: by a remaining host, if it can open the node's credential
 * and the provider did not refuse it.
 */
export async function copiesFate({ db, keys }: Services, node: string): Promise<CopiesFate> {
  const account = await db.read.select().from(dnsAccounts).where(eq(dnsAccounts.node, node)).get()
  if (!account || account.refusedAt !== null) return 'se_queda'
  return keys.open(credentialPlace(node), account.credential).then(
    () => 'se_retira' as const,
    () => 'se_queda' as const,
  )
}

export type Release = { node: string; copia: CopiesFate }

/** The facts for giving up a node: its row, and what lives on it. */
export function releaseFacts(db: Db, { node, copia }: Release) {
  const row = reading(db.select().from(nodes).where(eq(nodes.name, node)), ([found]) => found)
  return both(row, belongingsReading(db, { node, copia }))
}

/** What lives on a node. */
function belongingsReading(db: Db, { node, copia }: Release): Reading<Belongings> {
  const held = or(isNotNull(mirrors.remoteId), isNotNull(mirrors.intentAt))
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)
  const theirs = db
    .select({ name: clients.name })
    .from(clients)
    .where(eq(clients.node, node))
    .orderBy(asc(clients.name))
  const theirSites = db
    .select({ name: sites.domain })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(eq(clients.node, node))
    .orderBy(asc(sites.domain))
  const theirZones = db
    .select({ name: zones.name })
    .from(zones)
    .where(eq(zones.node, node))
    .orderBy(asc(zones.name))
  const copies = db
    .select({ zone: mirrors.zone, kind: mirrors.kind })
    .from(mirrors)
    .where(and(eq(mirrors.node, node), held))
    .orderBy(asc(mirrors.zone))
  const whole = both(
    both(reading(theirs, namesOf), reading(theirSites, namesOf)),
    both(
      reading(theirZones, namesOf),
      reading(copies, (rows) => rows.map(({ zone, kind }) => ({ zona: zone, proveedor: kind, copia }))),
    ),
  )
  return mapped(whole, ([[clientes, sitios], [zonas, espejos]]) => ({ clientes, sitios, zonas, espejos }))
}

/**
 * Takes everything on a lost node out of the database: its clients with logins, sites, zones and names, and its jobs.
 * The remaining hosts remove the copies at the provider. The node's name stays among the lost ones: if its machine
 * comes back, it finds its name there and serves nothing.
 */
export function queueRelease(ctx: WriteCtx, { node, copia }: Release, { clientes }: Belongings): Query[] {
  const { tx } = ctx
  const theirs = tx.select({ id: clients.id }).from(clients).where(eq(clients.node, node))
  const told = clientes.map((client) =>
    auditRow(tx, ctx, {
      actor: ctx.actor,
      operation: 'cliente.liberado',
      outcome: 'hecho',
      requestId: ctx.request.id,
      note: { client, target: node },
    }),
  )
  const waiting = inArray(mails.state, ['en_cola', 'fallido'])
  return [
    ...told,
    tx.delete(zones).where(or(eq(zones.node, node), inArray(zones.clientId, theirs))),
    tx.delete(databases).where(inArray(databases.clientId, theirs)),
    tx.delete(siteNames).where(inArray(siteNames.clientId, theirs)),
    tx.delete(sites).where(inArray(sites.clientId, theirs)),
    tx.delete(persons).where(inArray(persons.clientId, theirs)),
    tx.delete(clients).where(eq(clients.node, node)),
    tx.delete(jobs).where(and(eq(jobs.node, node), inArray(jobs.state, ['pendiente', 'en_curso']))),
    tx
      .update(mails)
      .set({ state: 'anulado' })
      .where(and(eq(mails.node, node), waiting)),
    tx.delete(leases).where(sql`substr(${leases.name}, ${-node.length - 1}) = ${`:${node}`}`),
    // Clients that it kept closed are opened by the node that they live on; see lib/moves/watch.ts.
    tx.delete(moves).where(or(eq(moves.source, node), eq(moves.target, node))),
    tx.delete(backupDestinations).where(eq(backupDestinations.node, node)),
    tx.delete(nodeHours).where(eq(nodeHours.node, node)),
    tx.delete(nodes).where(eq(nodes.name, node)),
    tx.insert(lostNodes).values({ name: node, givenUpAt: ctx.now() }).onConflictDoNothing(),
    ...queueCopies(ctx, { node, copia }),
  ]
}

/**
 * Queues the removal of copies that exist and can be reached; the provider account is removed with the last of them.
 */
function queueCopies({ tx, now }: WriteCtx, { node, copia }: Release): Query[] {
  const theirs = eq(mirrors.node, node)
  const absent = and(isNull(mirrors.remoteId), isNull(mirrors.intentAt), ne(mirrors.state, 'sincronizando'))
  const over = copia === 'se_queda' ? undefined : or(absent, eq(mirrors.state, 'retirada'))
  const left = tx.select({ node: mirrors.node }).from(mirrors).where(theirs)
  return [
    tx.delete(mirrors).where(and(theirs, over)),
    tx
      .update(mirrors)
      .set({
        state: 'retirando',
        reason: 'nodo_abandonado',
        urgency: URGENCY.person,
        nextAt: now(),
        nextCheckAt: null,
        negativeAt: null,
        attempts: 0,
        generation: sql`${mirrors.generation} + 1`,
        updatedAt: now(),
      })
      .where(and(theirs, ne(mirrors.state, 'retirando'))),
    tx.update(dnsAccounts).set({ removing: true }).where(eq(dnsAccounts.node, node)),
    tx.delete(dnsAccounts).where(and(eq(dnsAccounts.node, node), notInArray(dnsAccounts.node, left))),
  ]
}

import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import {
  clients,
  dnsAccounts,
  jobs,
  leases,
  lostNodes,
  mails,
  mirrors,
  nodes,
  persons,
  siteNames,
  sites,
  zones,
} from '../schema/tables.ts'
import { recordAudit } from './audit.ts'
import type { Services, WriteCtx } from './context.ts'
import type { Db } from './database.ts'
import { credentialPlace } from './mirror/account.ts'
import { URGENCY } from './mirror/order.ts'

/** What becomes of the copies of a lost node's zones at its DNS provider. */
export type CopiesFate = 'se_retira' | 'se_queda'

export type Belongings = {
  clientes: string[]
  sitios: string[]
  zonas: string[]
  espejos: { zona: string; proveedor: string; copia: CopiesFate }[]
}

/**
 * Whether the copies can still be removed at the provider: by whichever host goes on, if it can open the
 * node's credential and the provider did not refuse it.
 */
export async function copiesFate({ db, keys }: Services, node: string): Promise<CopiesFate> {
  const account = await db.read.select().from(dnsAccounts).where(eq(dnsAccounts.node, node)).get()
  if (!account || account.refusedAt !== null) return 'se_queda'
  return keys.open(credentialPlace(node), account.credential).then(
    () => 'se_retira' as const,
    () => 'se_queda' as const,
  )
}

/** What lives on a node. */
export async function belongingsOf(db: Db, node: string, copia: CopiesFate): Promise<Belongings> {
  const held = or(isNotNull(mirrors.remoteId), isNotNull(mirrors.intentAt))
  const [theirs, theirSites, theirZones, copies] = await db.batch([
    db.select({ name: clients.name }).from(clients).where(eq(clients.node, node)).orderBy(asc(clients.name)),
    db
      .select({ name: sites.domain })
      .from(sites)
      .innerJoin(clients, eq(clients.id, sites.clientId))
      .where(eq(clients.node, node))
      .orderBy(asc(sites.domain)),
    db.select({ name: zones.name }).from(zones).where(eq(zones.node, node)).orderBy(asc(zones.name)),
    db
      .select({ zone: mirrors.zone, kind: mirrors.kind })
      .from(mirrors)
      .where(and(eq(mirrors.node, node), held))
      .orderBy(asc(mirrors.zone)),
  ])
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)
  return {
    clientes: namesOf(theirs),
    sitios: namesOf(theirSites),
    zonas: namesOf(theirZones),
    espejos: copies.map(({ zone, kind }) => ({ zona: zone, proveedor: kind, copia })),
  }
}

/**
 * Releases all that lives on a node that is gone: its clients with logins, sites, zones and names, and the
 * work that waits for it. Copies at the provider are removed by those who go on. The name is kept as that
 * of a lost node, so that its machine, should it come back, learns it and serves nothing.
 */
export async function releaseNode(ctx: WriteCtx, node: string, copia: CopiesFate): Promise<Belongings> {
  const { tx } = ctx
  const found = await belongingsOf(tx, node, copia)
  const theirs = tx.select({ id: clients.id }).from(clients).where(eq(clients.node, node))
  for (const client of found.clientes) {
    recordAudit(tx, ctx, {
      actor: ctx.actor,
      operation: 'cliente.liberado',
      outcome: 'hecho',
      requestId: ctx.request.id,
      note: { client, target: node },
    })
  }
  const waiting = inArray(mails.state, ['en_cola', 'fallido'])
  tx.later(
    tx.delete(zones).where(or(eq(zones.node, node), inArray(zones.clientId, theirs))),
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
    tx.delete(nodes).where(eq(nodes.name, node)),
    tx.insert(lostNodes).values({ name: node, givenUpAt: ctx.now() }).onConflictDoNothing(),
  )
  releaseCopies(ctx, node, copia)
  return found
}

/** Copies that there are, and that can be reached, are queued for removal; the account goes with the last. */
function releaseCopies({ tx, now }: WriteCtx, node: string, copia: CopiesFate): void {
  const theirs = eq(mirrors.node, node)
  const absent = and(isNull(mirrors.remoteId), isNull(mirrors.intentAt), ne(mirrors.state, 'sincronizando'))
  const over = copia === 'se_queda' ? undefined : or(absent, eq(mirrors.state, 'retirada'))
  const left = tx.select({ node: mirrors.node }).from(mirrors).where(theirs)
  tx.later(
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
  )
}

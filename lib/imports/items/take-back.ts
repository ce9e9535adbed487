import { and, eq } from 'drizzle-orm'
import { databases, sites, zones } from '../../../schema/tables.ts'
import { databasesSync } from '../../clients/clients.ts'
import type { Client } from '../../clients/decide.ts'
import { broughtZone } from '../../dns/new-zone.ts'
import { retireZone } from '../../dns/zones.ts'
import type { WriteCtx } from '../../endpoint/context.ts'
import { queueLeaving, siteJob } from '../../sites/commands.ts'
import { queueJob } from '../../work/jobs.ts'
import type { Row } from '../importing.ts'

/** Removes what this import made of a thing that will not be whole. */
export async function takeBackItem(ctx: WriteCtx, client: Client, row: Row): Promise<void> {
  const { tx } = ctx
  if (!row.made) return
  if (row.kind === 'base') {
    const which = and(eq(databases.name, row.name), eq(databases.clientId, client.id))
    tx.later(
      tx.update(databases).set({ state: 'eliminando', loading: false }).where(which),
      queueJob(ctx, { ...databasesSync(client), kind: 'base.eliminar', target: row.name }),
    )
  }
  if (row.kind === 'sitio') {
    const which = and(eq(sites.domain, row.name), eq(sites.clientId, client.id))
    const [site, brought] = await Promise.all([
      tx.select().from(sites).where(which).get(),
      broughtZone(tx, row.name),
    ])
    if (!site || site.state === 'eliminando') return
    const removal = siteJob(client, { kind: 'sitio.eliminar', domain: site.domain })
    tx.later(...queueLeaving(ctx, site), queueJob(ctx, removal))
    if (brought.zone) retireZone(ctx, client, brought.zone)
  }
  if (row.kind === 'zona') {
    // What the client has changed meanwhile is its own.
    const which = and(
      ...[eq(zones.name, row.name), eq(zones.clientId, client.id)],
      ...[eq(zones.state, 'activa'), eq(zones.customised, false)],
    )
    const zone = await tx.select().from(zones).where(which).get()
    if (zone) retireZone(ctx, client, zone)
  }
}

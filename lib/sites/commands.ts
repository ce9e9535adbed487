import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { jobs, schedules, siteNames, sites } from '../../schema/tables.ts'
import { clientSubject } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import { queueNewZone } from '../dns/new-zone.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Query } from '../store/reading.ts'
import { reversedName } from '../text/host-names.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import type { AliasChange, NewSite, Site } from './decide.ts'
import { queueNameRecords } from './name-records.ts'

/** Creates the rows of a site, its names and its zone, and queues the job that serves it. */
export function queueNewSite(ctx: WriteCtx, client: Client, site: NewSite): Query[] {
  const { tx } = ctx
  const { id, domain, aliases, php, proven, zone } = site
  const row = { id, clientId: client.id, domain }
  return [
    tx.insert(sites).values({
      ...row,
      state: 'preparando',
      php,
      httpsOnly: false,
      certificateState: 'autofirmado',
      certificateNames: [],
      createdAt: ctx.now(),
    }),
    tx.insert(siteNames).values(nameRows(row, [domain, ...aliases], { proven, now: ctx.now() })),
    ...queueNameRecords(ctx, client, site.records),
    ...(zone ? queueNewZone(ctx, client, zone) : []),
    queueSiteSync(ctx, client, domain),
  ]
}

/** Gives a site other aliases; its domain stays, and the zones' records of its names are updated. */
export function queueAliases(
  ctx: WriteCtx,
  { site, client }: { site: Site; client: Client },
  { aliases, proven, records }: AliasChange,
): Query[] {
  const { tx } = ctx
  const dropped = and(
    eq(siteNames.siteId, site.id),
    eq(siteNames.alias, true),
    notInArray(siteNames.name, aliases),
  )
  return [
    tx.delete(siteNames).where(dropped),
    tx
      .insert(siteNames)
      .values(nameRows(site, [site.domain, ...aliases], { proven, now: ctx.now() }))
      .onConflictDoUpdate({ target: siteNames.name, set: { position: sql`excluded.position` } }),
    // The certificate follows the names. After a refusal its next time stays, or changing names would bypass the
    // authority's limits.
    tx
      .update(sites)
      .set({ certificateNextAt: ctx.now() })
      .where(and(eq(sites.id, site.id), isNull(sites.certificateError))),
    ...queueNameRecords(ctx, client, records),
  ]
}

const nameRows = (
  site: { id: number; clientId: number; domain: string },
  names: string[],
  { proven, now }: { proven: ReadonlySet<string>; now: Date },
) =>
  names.map((name, position) => ({
    name,
    reversed: reversedName(name),
    siteId: site.id,
    clientId: site.clientId,
    alias: name !== site.domain,
    position,
    provenAt: proven.has(name) ? now : null,
  }))

/** The job that makes the node serve a site as the database describes it. */
export const queueSiteSync = (ctx: WriteCtx, client: Client, domain: string): Query =>
  queueJob(ctx, siteJob(client, { kind: 'sitio.aplicar', domain }))

/** The job that empties a site's page cache. */
export const queueEmptying = (ctx: WriteCtx, client: Client, domain: string): Query =>
  queueJob(ctx, siteJob(client, { kind: 'sitio.vaciar', domain }))

/** Begins the deletion of a site; its row is deleted once it is no longer served. */
export const queueLeaving = (ctx: WriteCtx, site: Site): Query[] => [
  ctx.tx.update(sites).set({ state: 'eliminando' }).where(eq(sites.id, site.id)),
  // Cancels runs of its scheduled tasks, waiting and running ones.
  ctx.tx
    .update(jobs)
    .set({ cancelledAt: ctx.now() })
    .where(
      and(
        inArray(
          jobs.target,
          ctx.tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.siteId, site.id)),
        ),
        eq(jobs.kind, 'programada.ejecutar'),
        inArray(jobs.state, ['pendiente', 'en_curso']),
      ),
    ),
]

/** A job of a site; it has its client's subject, so all jobs of one client run in order. */
export const siteJob = (
  client: Client,
  { kind, domain }: { kind: 'sitio.aplicar' | 'sitio.vaciar' | 'sitio.eliminar'; domain: string },
): NewJob => ({
  kind,
  node: client.node,
  subject: clientSubject(client),
  target: domain,
  client: client.name,
})

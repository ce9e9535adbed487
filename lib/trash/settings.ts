import { and, eq, ne, sql } from 'drizzle-orm'
import { applications, databases, jobs, schedules, siteGuards, sites } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { desiredClient, markServed, serveSite } from '../clients/serve.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { BinEntry, BinPort } from '../endpoint/ports/bin.ts'
import { nextTurn } from '../schedules/decide.ts'
import { queueAliases } from '../sites/commands.ts'
import type { Site } from '../sites/decide.ts'
import { namesFacts } from '../sites/facts.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { workContext } from '../work/context.ts'
import { requireDriver } from '../work/driver.ts'
import type { RunningJob } from '../work/running.ts'
import { isOf } from './decide.ts'
import { decideSettings, type Settings, type SettingsFacts } from './decide-settings.ts'
import { formerSite, type KeptSite, keptSite } from './kept.ts'

type Getting = { site: Site; client: Client; from?: number | undefined }
type Running = { services: Services; job: RunningJob; step: Step; bin: BinPort }

/** What follows once the files are there, as the work's payload holds it until then. */
type Following = Pick<Settings, 'tasks' | 'application' | 'leftOut'>

/** What an entry's site was set to, or the site `from` of a whole client's; null where nothing of that was kept. */
export function keptOf(bin: Pick<BinPort, 'keptSettings'>, entry: BinEntry, from?: number): KeptSite | null {
  const siteId = entry.kind === 'site' ? entry.siteId : from
  return siteId === undefined ? null : keptSite(bin.keptSettings(entry.id), siteId)
}

/** The site of a whole client's entry that had this domain, as long as its files are there. */
export function formerOf(
  bin: Pick<BinPort, 'keptSettings' | 'holdsSite'>,
  entry: BinEntry | null,
  domain: string | undefined,
): number | undefined {
  if (entry?.kind !== 'client' || domain === undefined) return undefined
  const siteId = formerSite(bin.keptSettings(entry.id), domain)
  return siteId !== undefined && bin.holdsSite(entry.id, siteId) ? siteId : undefined
}

/** Whether it is the client whose it was, or the one that an operator has made in the place of that. */
const isFormer = (entry: BinEntry, client: Client): boolean =>
  isOf(entry, client) || (entry.kind === 'client' && entry.name === client.name)

/** Which of the settings that were kept a site gets. */
export async function settingsFor(
  ctx: WriteCtx,
  kept: KeptSite,
  { entry, site, client }: Getting & { entry: BinEntry },
): Promise<Settings> {
  const isFormerOwner = isFormer(entry, client)
  const isSame = isFormerOwner && site.domain === kept.site.domain
  const facts = await settingsFacts(ctx, kept, { site, client })
  return decideSettings(kept, facts, { site, client, isFormerOwner, isSame, keys: ctx.keys, now: ctx.now() })
}

async function settingsFacts(
  ctx: WriteCtx,
  kept: KeptSite,
  { site, client }: Getting,
): Promise<SettingsFacts> {
  const { tx } = ctx
  const wanted = kept.application?.database ?? ''
  const [names, database, application] = await Promise.all([
    namesFacts(ctx, client.id, {
      domain: site.domain,
      names: kept.aliases.map(({ name }) => name),
      force: false,
    }),
    tx
      .select({ name: databases.name })
      .from(databases)
      .where(
        and(eq(databases.name, wanted), eq(databases.clientId, client.id), ne(databases.state, 'eliminando')),
      )
      .get(),
    tx.select({ id: applications.siteId }).from(applications).where(eq(applications.siteId, site.id)).get(),
  ])
  return { names, database: database?.name, hasApplication: application !== undefined }
}

/**
 * Gives a site what the deleted one was set to, and resolves once that is in force: nobody may see what a password
 * opened, so the files come afterwards. What needs them comes in the transaction that it returns, last of all.
 */
export async function bringSettings(
  running: Running,
  entry: BinEntry | null,
  to: Getting,
): Promise<{ leftOut: Settings['leftOut']; end: (tx: Tx) => Promise<void> }> {
  const { services, job, step, bin } = running
  const kept = entry === null || following(job) !== null ? null : keptOf(bin, entry, to.from)
  if (kept !== null && entry !== null)
    await step('bin.settings', () => writeSettings(running, kept, { ...to, entry }))
  const then = following(job)
  if (then === null) return { leftOut: [], end: async () => {} }
  const served = await putInForce(running, to)
  return {
    leftOut: then.leftOut,
    async end(tx) {
      await markServed(tx, services, served)
      tx.later(...queueFollowing(services, tx, { ...to, then }), forgetFollowing(tx, job))
    },
  }
}

/** What this work has still to do, where it has written the settings already. */
const following = ({ payload }: Pick<RunningJob, 'payload'>): Following | null =>
  (payload.settings as Following | undefined) ?? null

async function writeSettings(
  { services, job }: Running,
  kept: KeptSite,
  to: Getting & { entry: BinEntry },
): Promise<void> {
  const payload = await services.db.write(async (tx) => {
    const ctx = workContext(services, tx, job.id)
    const settings = await settingsFor(ctx, kept, to)
    const { tasks, application, leftOut } = settings
    const noted = { ...job.payload, settings: { tasks, application, leftOut } satisfies Following }
    tx.later(...queueSettings(ctx, settings, to), notePayload(tx, job, noted))
    return noted
  })
  job.payload = payload
}

function queueSettings(ctx: WriteCtx, { aliases, columns, guards }: Settings, to: Getting): Query[] {
  const { tx } = ctx
  const siteId = to.site.id
  return [
    ...(aliases === null ? [] : queueAliases(ctx, to, aliases)),
    tx.update(sites).set(columns).where(eq(sites.id, siteId)),
    // What is protected already stays as it is.
    ...guards.map(({ path, user, secretHash }) =>
      tx.insert(siteGuards).values({ siteId, path, user, secretHash }).onConflictDoNothing(),
    ),
  ]
}

async function putInForce({ services, step }: Running, { site, client }: Getting) {
  const driver = requireDriver(services)
  const desired = await desiredClient(services, client.id)
  if (desired === null) throw new Error('the client is not served here')
  await driver.syncClient(desired, step)
  const served = await serveSite(services, driver, { id: site.id, step })
  if (served.length === 0) throw new Error('the site is not served here')
  return { client: desired, served }
}

function queueFollowing(
  { now, random }: Pick<Services, 'now' | 'random'>,
  tx: Tx,
  { site, client, then: { tasks, application } }: Getting & { then: Following },
): Query[] {
  const own = { siteId: site.id, clientId: client.id, createdAt: now() }
  const rows = tasks.map(({ pattern, argv, active }) =>
    tx.insert(schedules).values({
      id: `pro_${ulid(now(), random)}`,
      ...own,
      pattern,
      argv,
      active,
      ...nextTurn(pattern, now()),
    }),
  )
  if (application === null) return rows
  const { kind, state, version, language, installation, database, cloneOf } = application
  const original = sql<number>`(select ${sites.id} from ${sites} where ${sites.id} = ${cloneOf} and ${sites.clientId} = ${client.id})`
  const row = { ...own, kind, state, version, language, installation, database, cloneOf: original }
  return [...rows, tx.insert(applications).values(row).onConflictDoNothing()]
}

const notePayload = (tx: Tx, { id, fence }: RunningJob, payload: RunningJob['payload']): Query =>
  tx
    .update(jobs)
    .set({ payload })
    .where(and(eq(jobs.id, id), eq(jobs.fence, fence)))

/** Programs of customers are not kept with work that has ended. */
function forgetFollowing(tx: Tx, job: RunningJob): Query {
  const { settings: _settings, ...payload } = job.payload
  return notePayload(tx, job, payload)
}

import { and, eq, inArray, ne, sql } from 'drizzle-orm'
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
/** `replaces`: the site goes back to what it was, and tasks that it has otherwise end. */
type Bringing = Getting & { isFormerOwner: boolean; replaces: boolean }
type Working = { services: Services; job: RunningJob }
type Running = Working & { step: Step; bin: BinPort }

/** What follows once the files are there, as the work's payload holds it until then. */
export type Following = Pick<Settings, 'tasks' | 'application' | 'leftOut'> & Partial<Pick<Settings, 'ended'>>

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

/** Which of the settings of a deleted site another gets, as a dry run tells it. */
export const deletedSettings = (
  ctx: WriteCtx,
  kept: KeptSite,
  { entry, ...to }: Getting & { entry: BinEntry },
): Promise<Settings> =>
  settingsFor(ctx, kept, { ...to, isFormerOwner: isFormer(entry, to.client), replaces: false })

/** Which of the settings that were kept a site gets. */
async function settingsFor(
  ctx: WriteCtx,
  kept: KeptSite,
  { site, client, isFormerOwner, replaces }: Bringing,
): Promise<Settings> {
  const isSame = isFormerOwner && site.domain === kept.site.domain
  const facts = await settingsFacts(ctx, kept, { site, client, replaces })
  return decideSettings(kept, facts, { site, client, isFormerOwner, isSame, keys: ctx.keys, now: ctx.now() })
}

async function settingsFacts(
  ctx: WriteCtx,
  kept: KeptSite,
  { site, client, replaces }: Pick<Bringing, 'site' | 'client' | 'replaces'>,
): Promise<SettingsFacts> {
  const { tx } = ctx
  const wanted = kept.application?.database ?? ''
  const [names, database, application, tasks] = await Promise.all([
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
    replaces ? tx.select().from(schedules).where(eq(schedules.siteId, site.id)) : null,
  ])
  return { names, database: database?.name, hasApplication: application !== undefined, tasks }
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
    await step('bin.settings', async () => {
      const isFormerOwner = isFormer(entry, to.client)
      await writeSettings(running, kept, { ...to, isFormerOwner, replaces: false })
    })
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
export const following = ({ payload }: Pick<RunningJob, 'payload'>): Following | null =>
  (payload.settings as Following | undefined) ?? null

/** Writes down what the site is set to from now on, and notes what has still to be done. */
export async function writeSettings(
  { services, job }: Working,
  kept: KeptSite,
  to: Bringing & { queued?: (ctx: WriteCtx) => Query[] },
): Promise<void> {
  const payload = await services.db.write(async (tx) => {
    const ctx = workContext(services, tx, job.id)
    const settings = await settingsFor(ctx, kept, to)
    const { tasks, ended, application, leftOut } = settings
    const noted = { ...job.payload, settings: { tasks, ended, application, leftOut } satisfies Following }
    tx.later(...queueSettings(ctx, settings, to), ...(to.queued?.(ctx) ?? []), notePayload(tx, job, noted))
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

/** What comes last of all: tasks and the application, which need the files. */
export function queueFollowing(
  { now, random }: Pick<Services, 'now' | 'random'>,
  tx: Tx,
  { site, client, then: { tasks, ended = [], application } }: Getting & { then: Following },
): Query[] {
  const own = { siteId: site.id, clientId: client.id, createdAt: now() }
  const isEnded = and(eq(schedules.siteId, site.id), inArray(schedules.id, ended))
  const made = tasks.map(({ pattern, argv, active }) =>
    tx.insert(schedules).values({
      id: `pro_${ulid(now(), random)}`,
      ...own,
      pattern,
      argv,
      active,
      ...nextTurn(pattern, now()),
    }),
  )
  const rows = [tx.delete(schedules).where(isEnded), ...made]
  if (application === null) return rows
  const { kind, state, version, language, installation, database, cloneOf } = application
  const original = sql<number>`(select ${sites.id} from ${sites} where ${sites.id} = ${cloneOf} and ${sites.clientId} = ${client.id})`
  const row = { ...own, kind, state, version, language, installation, database, cloneOf: original }
  return [...rows, tx.insert(applications).values(row).onConflictDoNothing()]
}

const notePayload = (
  tx: Tx,
  { id, fence }: Pick<RunningJob, 'id' | 'fence'>,
  payload: RunningJob['payload'],
): Query =>
  tx
    .update(jobs)
    .set({ payload })
    .where(and(eq(jobs.id, id), eq(jobs.fence, fence)))

/** Programs of customers are not kept with work that has ended. */
export function forgetFollowing(tx: Tx, job: Pick<RunningJob, 'id' | 'fence' | 'payload'>): Query {
  const { settings: _settings, ...payload } = job.payload
  return notePayload(tx, job, payload)
}

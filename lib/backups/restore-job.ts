import { and, eq, sql } from 'drizzle-orm'
import { clients, copies, databases, sites } from '../../schema/tables.ts'
import { clientSubject } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { SiteOfCopy } from '../endpoint/ports/backups.ts'
import { decideFiles } from '../files/decide.ts'
import { selectFiles } from '../files/facts.ts'
import { decideLoad } from '../loads/decide.ts'
import { selectLoad } from '../loads/facts.ts'
import { endLoading, loadAndOpen } from '../loads/job.ts'
import { RESTORE_KIND } from '../nodes/unrestored.ts'
import { type Site, webRootOf } from '../sites/decide.ts'
import { giveUpAwaited, serveAwaited } from '../sites/lost/awaited.ts'
import type { Tx } from '../store/database.ts'
import { requireDriver } from '../work/driver.ts'
import { type Job, MAX_ATTEMPTS } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { RunningJob } from '../work/running.ts'
import { noteDamage, noteLost } from './damage/note.ts'
import { type Copy, decideCopies, type Restore, requireCopy, requirePart, undoesAll } from './decide.ts'
import { backupFault } from './destination/fault.ts'
import { lostOr, requireRepository } from './destination/open.ts'
import { tellDamaged } from './destination/tell.ts'
import { movedAway, spoilt } from './errors.ts'
import { selectCopyFacts } from './facts.ts'
import { endCopy } from './job.ts'
import { makeCopy, requireBackups, type Wanted } from './make.ts'
import { clientRepository } from './repository.ts'
import { takeNextCopy } from './restore/next-copy.ts'
import { bringCopied, serveLost } from './restore/settings.ts'
import { restoredView } from './view.ts'

type Running = {
  services: Services
  job: RunningJob
  step: Step
  client: Client
  copy: Copy
  wanted: Restore
}

/** How long a restore waits for what a lost client is made anew with; later it fails, and is tried again. */
const MADE_MS = 60_000

/** Restores something of a copy. What it replaces is copied first, under an id that its result tells. */
export const restoreJob: JobKind = {
  kind: RESTORE_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  // A lost node comes back by these alone, however long its destination is away.
  tries: (job) => (isBare(job) ? MAX_ATTEMPTS : 4),
  async run(services, job, step) {
    const { client: id, copy: named, wanted } = job.payload
    const which = eq(clients.id, Number(id))
    const facts = await selectCopyFacts(services.db.read, { client: which, copy: String(named) })
    const { client, copy } = decideCopies(facts && within(job, facts), services.config.node)
    const asked = { services, job, step, client, wanted: wanted as Restore } // Written by `queueRestore` alone.
    // User, directories and empty databases are about to be made.
    if (isBare(job)) await services.work.settle([clientSubject(client)], MADE_MS, async () => true)
    await requireUntaken(asked)
    if (!copy) await requireHere(services, { id: String(named), clientId: client.id })
    const running: Running = { ...asked, copy: requireCopy(copy) }
    return restoring(running).catch(async (error) => {
      throw await toldOf(running, error)
    })
  },
  async ended(tx, job, services) {
    await endCopy(tx, job)
    await endLoading(tx, job)
    const part = job.payload.wanted as Restore // Written by `queueRestore` alone.
    const which = eq(clients.id, Number(job.payload.client))
    const client = isBare(job) ? await tx.select().from(clients).where(which).get() : undefined
    if (client) await serveAwaited(tx, services, { client, part })
  },
}

/** 409 of its own for a copy that is where copies went before. */
async function requireHere({ db }: Services, { id, clientId }: Pick<Copy, 'id' | 'clientId'>): Promise<void> {
  const its = and(eq(copies.id, id), eq(copies.clientId, clientId))
  const elsewhere = await db.read.select({ id: copies.id }).from(copies).where(its).get()
  if (elsewhere) throw movedAway()
}

/** What has come back to a lost node is served; what could not be before is no longer awaited. */
const endAwaiting = (tx: Tx, { services, job, client, wanted: part }: Running): Promise<void> =>
  (isBare(job) ? serveAwaited : giveUpAwaited)(tx, services, { client, part })

async function restoring(running: Running): Promise<(tx: Tx) => Promise<void>> {
  const { base, mode } = running.wanted
  if (base === null || mode === 'aparte') return restoreSite(running)
  await replaceBase(running)
  return async (tx) => {
    await endLoading(tx, running.job)
    await endAwaiting(tx, running)
  }
}

/** What a restore fails with, for good where its copy is damaged; what of the copy that tells of is recorded. */
async function toldOf({ services, job, client, copy, wanted }: Running, thrown: unknown): Promise<unknown> {
  const { signal } = job
  const error = await lostOr(services, { backups: requireBackups(services), client, signal }, thrown)
  const kind = backupFault(error)?.kind
  if (kind === 'lost') await noteLost(services, client)
  if (kind === 'damaged') {
    const name = wanted.base ?? wanted.site
    const parts = copy.parts.filter((part) => part.name === name && part.damaged !== true)
    const broken = parts.flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot]))
    await noteDamage(services, client, { broken, all: false })
    await services.db.write((tx) => tellDamaged(tx, services, client.node))
    const lost = { kind: wanted.base === null ? ('sitio' as const) : ('base' as const), name: name ?? '' }
    const from = { ...lost, job, clientId: client.id, copy: copy.id }
    if (isBare(job) && (await takeNextCopy(services, from))) return error
    // Tried again, it would only keep the copy waiting that may mend it.
    return spoilt(error)
  }
  return error
}

const isBare = ({ payload }: Pick<Job, 'payload'>) => payload.bare === true

/** What a lost node held comes back whatever plan its client has by now. */
const within = <F extends { plan: unknown }>(job: Pick<Job, 'payload'>, facts: F): F =>
  isBare(job) ? { ...facts, plan: null } : facts

/** Refused also where its copy or its destination is gone, so that what was filled by hand is served. */
async function requireUntaken(asked: Omit<Running, 'copy'>): Promise<void> {
  const { services, job, wanted } = asked
  if (!isBare(job) || mayHaveBegun(job)) return
  if (wanted.site === null) {
    const { databases: server } = requireDriver(services)
    if ((await server?.holdsNothing({ name: wanted.base ?? '' })) === false)
      throw new AppError('base_no_vacia')
    return
  }
  const { site } = await siteOf(asked)
  if (!(await requireBackups(services).holdsNothing(site, job.signal))) throw new AppError('sitio_no_vacio')
}

/** A site or files of it, or a base's dump as a file of one. */
async function restoreSite(running: Running): Promise<(tx: Tx) => Promise<void>> {
  const { services, job, wanted } = running
  const { row, site, room } = await siteOf(running)
  const backups = requireBackups(services)
  const beside =
    wanted.mode === 'aparte' ? `${site.root}/.restaurado-${job.id.slice(-10).toLowerCase()}` : null
  const isLost = isLostSite(running, site)
  const held: Held = {
    isEmpty: () => backups.holdsNothing(site, job.signal),
    // What was lost leaves nothing to copy.
    isThere: async () => !isLost,
  }
  const undo = beside === null ? await clearTheWay(running, replacedBy(wanted, site), held) : null
  if (isLost && !isBare(job)) await serveLost(running, row)
  const brought = wanted.part === 'todo' || wanted.part === 'ajustes' ? await bringCopied(running, row) : null
  if (brought === null && wanted.part === 'ajustes')
    throw new AppError('sitio_no_existe', {}, { status: 409 })
  const { path, left } =
    wanted.part === 'ajustes' ? { path: '/', left: [] } : await restoreFiles(running, { site, beside, room })
  job.answers(restoredView({ path }, { undo, brought, left }))
  return async (tx) => {
    brought?.end(tx)
    const isWhole = beside === null && path === '/' && wanted.part !== 'ajustes'
    if (isBare(job) || isWhole) await endAwaiting(tx, running)
  }
}

/** Found at a first attempt: a later one meets the folder that the first has made. */
function isLostSite({ services, job }: Running, { clientId, siteId }: SiteOfCopy): boolean {
  const { reality } = requireDriver(services)
  return reality?.lacksFolder({ clientId, siteId }) === true && !mayHaveBegun(job)
}

/** What a restore into a site replaces. */
const replacedBy = ({ part, path }: Restore, site: SiteOfCopy): Wanted[] => [
  ...(part === 'todo' || part === 'ajustes' ? [{ kind: 'ajustes' as const, name: 'ajustes' }] : []),
  ...(part === 'ajustes' ? [] : [{ kind: 'sitio' as const, siteId: site.siteId, name: site.domain, path }]),
]

type Filling = { site: Target; beside: string | null; room: number | null }

/** Answers where they are, and some of what was left as it is. */
async function restoreFiles(
  running: Running,
  { site, beside, room }: Filling,
): Promise<{ path: string; left: string[] }> {
  const { services, job, step, client, copy, wanted } = running
  const backups = requireBackups(services)
  const repository = await clientRepository(services, client)
  if (wanted.base !== null && beside !== null) {
    const { snapshot } = requirePart(copy, 'base', wanted.base)
    await step('copies.restore', async () => {
      const content = await backups.read(repository, snapshot)
      await writeDump(running, { site, folder: beside, content, room })
    })
    return { path: `/${beside}/${wanted.base}.sql`, left: [] }
  }
  const { snapshot, index } = requirePart(copy, 'sitio', site.domain)
  let left: string[] = []
  await step('copies.restore', async () => {
    left = await backups.restoreSite({
      ...{ repository, snapshot, index: index ?? '', site, beside, room },
      ...{ path: wanted.path, id: job.id, signal: job.signal },
    })
  })
  if (beside === null) await requireDriver(services).emptyPages(site, step)
  return { path: beside === null ? wanted.path : `/${beside}`, left }
}

type Target = SiteOfCopy & { root: string }

async function siteOf({
  services,
  job,
  client,
  wanted,
}: Omit<Running, 'copy'>): Promise<{ row: Site; site: Target; room: number | null }> {
  const own = and(eq(sites.domain, wanted.site ?? ''), eq(sites.clientId, client.id))
  const [facts] = await selectFiles(services.db.read, own)
  if (!facts) throw new AppError('sitio_no_existe', {}, { status: 409 })
  const exhausted = requireDriver(services).exhausted()
  const { site, room } = decideFiles(within(job, facts), {
    here: services.config.node,
    grows: true,
    exhausted,
  })
  const root = webRootOf(site)
  return { row: site, site: { clientId: client.id, siteId: site.id, domain: site.domain, root }, room }
}

type DumpTarget = { site: Target; folder: string; content: ReadableStream<Uint8Array>; room: number | null }

async function writeDump({ services, job, wanted }: Running, { site, folder, content, room }: DumpTarget) {
  const { files } = requireDriver(services)
  if (!files) throw new AppError('no_disponible')
  const at = { ...site, path: '/' }
  const asked = {
    id: job.id,
    again: true,
    permissions: null,
    existing: null,
    entries: null,
    room,
    signal: job.signal,
  }
  await files.operate(at, { ...asked, kind: 'carpeta', paths: [`/${folder}`], target: null })
  const whole = { content, length: null, room, ifMatch: null, ifNoneMatch: null }
  await files.write({ ...at, path: `/${folder}/${wanted.base}.sql` }, whole)
}

/** A base becomes what it was: all of it or nothing. */
async function replaceBase(running: Running): Promise<void> {
  const { services, job, step, client, copy, wanted } = running
  const name = wanted.base ?? ''
  const { snapshot, bytes } = requirePart(copy, 'base', name)
  const which = { base: and(eq(databases.name, name), eq(databases.clientId, client.id)), site: sql`0` }
  const facts = await selectLoad(services.db.read, which)
  const known = decideLoad(facts && within(job, facts), services.config.node)
  const { databases: server } = requireDriver(services)
  if (!server) throw new AppError('bases_no_disponible')
  const undo = await clearTheWay(running, [{ kind: 'base', name }], {
    isEmpty: () => server.holdsNothing({ name }),
    isThere: () => server.isThere({ name }),
  })
  const repository = await clientRepository(services, client)
  const load = {
    id: job.id,
    base: { databaseId: known.database.id, clientId: client.id, name },
    packing: 'none' as const,
    room: known.room,
    signal: job.signal,
    async open() {
      const content = await requireBackups(services).read(repository, snapshot)
      return { bytes, content, close: () => content.cancel().catch(() => {}) }
    },
    reached: (done: number, total: number) => job.reached({ done, total, unit: 'bytes' }),
  }
  await loadAndOpen(services, { server, load }, step)
  job.answers(restoredView({ base: name }, { undo }))
}

/**
 * Has what is about to be replaced copied; answers the copy's id. What a lost node held comes back to where nothing is:
 * what somebody has put there meanwhile stays. Only what an earlier attempt may have begun to put there is replaced, and
 * copied first all the same. Of what was lost there is nothing to copy.
 */
async function clearTheWay(running: Running, wanted: Wanted[], { isEmpty, isThere }: Held) {
  const { services, job, step, client } = running
  if (isBare(job)) {
    const { signal } = job
    const tools = { backups: requireBackups(services), repository: await clientRepository(services, client) }
    await step(REACH, () => requireRepository(services, { ...tools, client, signal }))
    if (await isEmpty()) return null
    if (!mayHaveBegun(job))
      throw new AppError(wanted[0]?.kind === 'base' ? 'base_no_vacia' : 'sitio_no_vacio')
  } else if (!(await isThere())) return null
  return copyFirst(running, wanted)
}

type Held = { isEmpty(): Promise<boolean>; isThere(): Promise<boolean> }

const REACH = 'copies.reach'

/** Whether an earlier attempt came further than to its destination; of one that was killed that is not known. */
export const mayHaveBegun = ({ attempts, step }: Pick<Job, 'attempts' | 'step'>): boolean =>
  attempts > 1 && step !== 'start' && step !== REACH

/** A copy of what is about to be replaced; answers its id. One that lacks some of that does not undo it. */
async function copyFirst({ services, job, step, client }: Running, wanted: Wanted[]): Promise<string> {
  const id = String(job.payload.undo)
  const copy = await makeCopy({ services, job, step, client, id, reads: true }, wanted)
  if (!undoesAll(copy)) throw new AppError('copia_incompleta')
  return id
}

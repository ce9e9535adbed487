import { and, asc, desc, eq, ne } from 'drizzle-orm'
import { type CopyPart, copies, databases, sites } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError, isRefusal } from '../endpoint/errors.ts'
import type { Step } from '../endpoint/node-port.ts'
import { BackupFault, type Backups, type Repository } from '../endpoint/ports/backups.ts'
import { rootMessage } from '../text/root-message.ts'
import { faultOf, storedFault } from '../text/stored-faults.ts'
import { requireDriver } from '../work/driver.ts'
import type { RunningJob } from '../work/running.ts'
import { mendLost } from './damage/mend.ts'
import { damagedSince, noteDamage } from './damage/note.ts'
import { type Copy, stateOf } from './decide.ts'
import { decideClearing } from './decide-retention.ts'
import { addressOf } from './destination/destination.ts'
import { backupFault, noting } from './destination/fault.ts'
import { openRepository, requireRepository } from './destination/open.ts'
import { partial } from './errors.ts'
import { clientRepository } from './repository.ts'
import { settingsOf } from './settings.ts'

/** `path` is what of a site is about to be replaced, if not all of it. */
export type Wanted = Pick<CopyPart, 'kind' | 'name'> & { siteId?: number; path?: string }
type Making = {
  services: Services
  job: RunningJob
  step: Step
  client: Client
  id: string
  /** Is told what a site's copy lacks. */
  tell?: (site: string, lacking: string[]) => void
  /** What it is made for reads what is kept already: one that is lost is not begun anew. */
  reads?: true
}
type Tools = { backups: Backups; repository: Repository }

/** What makes and reads copies on this node. */
export function requireBackups(services: Services): Backups {
  const { backups } = requireDriver(services)
  if (!backups) throw new AppError('copias_no_disponibles')
  return backups
}

/**
 * Copies what a client has, or only what is named. Each part is recorded when it is kept, so that a copy that was cut
 * short goes on after the last of them. A part that fails does not end the others, and the copy is incomplete.
 */
export const makeCopy = (making: Making, only: Wanted[] | null): Promise<Copy> =>
  noting(making.services, making.client, () => makeParts(making, only)).catch(async (error) => {
    const isDamaged = backupFault(error)?.kind === 'damaged'
    if (isDamaged) await noteDamage(making.services, making.client, { broken: [], all: false })
    throw error
  })

async function makeParts(making: Making, only: Wanted[] | null): Promise<Copy> {
  const { services, job, step, client, id } = making
  const tools = { backups: requireBackups(services), repository: await clientRepository(services, client) }
  const destination = addressOf(tools.repository.destination)
  const begun = await beginCopy(services, { id, clientId: client.id, destination, whole: only === null })
  if (begun.state !== 'en_curso') return begun
  const open = making.reads ? requireRepository : openRepository
  await step('copies.open', () => open(services, { ...tools, client, signal: job.signal }))
  const { reads } = making
  let kept = begun.parts
  await step('copies.mend', async () => {
    // What an earlier attempt kept may count on what is lost.
    if (await mendLost({ services, job, client, ...tools, reads })) kept = []
  })
  const wanted = only ?? (await allOf(services, client.id))
  const parts = kept.filter(({ kind, name }) => wanted.some(isSame({ kind, name })))
  for (const one of wanted) {
    if (parts.some(isSame(one))) continue
    job.reached({ done: parts.length, total: wanted.length, unit: 'pasos' })
    await step('copies.part', async () => {
      parts.push(await partOf(making, tools, one))
      await record(services, id, { parts })
    })
  }
  const state = stateOf(parts)
  await record(services, id, { parts, state })
  return { ...begun, parts, state }
}

const isSame =
  ({ kind, name }: Pick<CopyPart, 'kind' | 'name'>) =>
  (other: Pick<CopyPart, 'kind' | 'name'>) =>
    other.kind === kind && other.name === name

async function beginCopy(
  { db, now }: Services,
  own: Pick<Copy, 'id' | 'clientId' | 'destination' | 'whole'>,
): Promise<Copy> {
  await db.write(async (tx) => {
    const row = { ...own, state: 'en_curso' as const, parts: [], startedAt: now() }
    tx.later(tx.insert(copies).values(row).onConflictDoNothing())
  })
  const row = await db.read.select().from(copies).where(eq(copies.id, own.id)).get()
  if (!row) throw new AppError('copia_no_existe', {}, { status: 409 })
  return row
}

async function record({ db }: Services, id: string, set: Partial<Copy>): Promise<void> {
  await db.write(async (tx) => {
    tx.later(tx.update(copies).set(set).where(eq(copies.id, id)))
  })
}

/** Everything of a client; settings first, since they are small and say what the rest is. */
async function allOf({ db }: Services, clientId: number): Promise<Wanted[]> {
  const [ownSites, held] = await Promise.all([
    db.read
      .select({ siteId: sites.id, name: sites.domain })
      .from(sites)
      .where(and(eq(sites.clientId, clientId), ne(sites.state, 'eliminando')))
      .orderBy(asc(sites.domain)),
    db.read
      .select({ name: databases.name })
      .from(databases)
      .where(and(eq(databases.clientId, clientId), eq(databases.state, 'activa')))
      .orderBy(asc(databases.name)),
  ])
  return [
    { kind: 'ajustes', name: 'ajustes' },
    ...ownSites.map((one) => ({ kind: 'sitio' as const, ...one })),
    ...held.map(({ name }) => ({ kind: 'base' as const, name })),
  ]
}

async function partOf(making: Making, tools: Tools, wanted: Wanted): Promise<CopyPart> {
  const { services, job } = making
  const { kind, name } = wanted
  try {
    const { lacking, ...kept } = await keptOf(making, tools, wanted)
    if (lacking === null) return { kind, name, ...kept, fault: null }
    making.tell?.(name, lacking)
    const about = { client: making.client.name, job: job.id }
    services.log('warn', 'not copied whole', { ...about, reason: `${name}: ${lacking.join(', ')}` })
    return { kind, name, ...kept, fault: partial(lacking) }
  } catch (error) {
    job.signal.throwIfAborted()
    // Without its destination, or while the node does nothing for the client, no other part would succeed.
    if (error instanceof BackupFault || isRefusal(error, 'no_disponible')) throw error
    services.log('warn', 'not copied', {
      client: making.client.name,
      job: job.id,
      reason: rootMessage(error),
    })
    const fault = storedFault(faultOf(error, job.id))
    return { kind, name, bytes: 0, snapshot: null, index: null, sha256: null, fault }
  }
}

type KeptPart = Pick<CopyPart, 'bytes' | 'snapshot' | 'index' | 'sha256' | 'undoes'> & {
  lacking: string[] | null
}

async function keptOf(making: Making, { backups, repository }: Tools, wanted: Wanted): Promise<KeptPart> {
  const { services, job, client } = making
  const { signal } = job
  const { kind, name } = wanted
  if (kind === 'sitio') {
    const site = { clientId: client.id, siteId: wanted.siteId ?? 0, domain: name }
    const { path = '/' } = wanted
    const { whole, lacking, ...kept } = await backups.keepSite(repository, site, {
      ...{ copy: making.id, signal, path },
    })
    return { ...kept, lacking: whole ? null : lacking }
  }
  const content =
    kind === 'base'
      ? await dumpOf(services, name)
      : new Blob([await settingsOf(services.db.read, client.id)]).stream()
  const kept = await backups.keep(repository, { content, copy: making.id, signal })
  return { ...kept, index: null, lacking: null }
}

/** Without its packing, under which restic would see nothing that stayed the same. */
async function dumpOf(services: Services, name: string): Promise<ReadableStream<Uint8Array>> {
  const { databases: server } = requireDriver(services)
  if (!server) throw new AppError('bases_no_disponible')
  const dump = await server.dump({ name }, null)
  return (dump as ReadableStream<BufferSource>).pipeThrough(new DecompressionStream('gzip'))
}

/** How long a damaged copy is kept as if it were whole. */
const HOPED_MS = 7 * 86_400_000

/** Forgets the copies that are due for it, and what a killed panel left in the repository; answers which copies. */
export async function clearCopies({
  services,
  job,
  step,
  client,
  isWhole,
}: Omit<Making, 'id' | 'reads'> & { isWhole: boolean }): Promise<string[]> {
  const since = await damagedSince(services.db.read, client)
  // Until then the next copies may bring back what one lacks.
  const isHoped = since !== null && since.getTime() > services.now().getTime() - HOPED_MS
  const repository = await clientRepository(services, client)
  const address = addressOf(repository.destination)
  const backups = requireBackups(services)
  // What is left of a damaged repository is not to be moved about.
  const how = { prune: isWhole, signal: job.signal }
  const all = await services.db.read
    .select()
    .from(copies)
    .where(eq(copies.clientId, client.id))
    .orderBy(desc(copies.id))
  const known = all.map(({ id, startedAt, state, whole, destination, parts }) => ({
    ...{ id, startedAt, whole, here: destination === address },
    ...{ complete: state === 'completa' || (state === 'danada' && isHoped), running: state === 'en_curso' },
    snapshots: parts.flatMap(({ snapshot, index }) => [snapshot, index]).filter((one) => one !== null),
  }))
  const over = decideClearing(known, await backups.snapshots(repository, job.signal), services.now())
  await step('copies.clear', () => backups.forget(repository, over.snapshots, how))
  return over.copies
}

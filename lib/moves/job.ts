import { and, eq } from 'drizzle-orm'
import { MOVE_PHASES } from '../../schema/states.ts'
import { clients, moves, sites } from '../../schema/tables.ts'
import { makeCopy } from '../backups/make.ts'
import { clientSubject } from '../clients/clients.ts'
import { desiredClient, markServed, type Served, serveSite } from '../clients/serve.ts'
import { desiredDatabases } from '../databases/job.ts'
import { followNode } from '../dns/follow.ts'
import { AppError, isRefusal } from '../endpoint/errors.ts'
import { BackupFault } from '../endpoint/ports/backups.ts'
import type { Tx } from '../store/database.ts'
import { faultOf } from '../text/stored-faults.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { carriedBy, takeCarried } from './carry.ts'
import { closing, followJob, giveUpMove, moveSubject, openAgain, switchOver } from './commands.ts'
import { MOVE_KIND, type Move } from './decide.ts'
import { leftBehind } from './errors.ts'
import { selectMove } from './facts.ts'
import { removeGone } from './leave.ts'
import type { Leg } from './leg.ts'
import { enterFiles, hold, requireQuiet, restoreAll } from './place.ts'
import { goBack, stay } from './return.ts'
import { movedView } from './view.ts'

type End = (tx: Tx) => Promise<void>

/**
 * Moves a client to another node. The job goes from one node to the other: each does its own part, and the phase in the
 * database says which is next. Until the switch, which is one transaction, the client lives on its old node; from then
 * on it lives on the new one.
 */
export const moveClientJob: JobKind = {
  kind: MOVE_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 8,
  async run(services, job, step) {
    const found = await selectMove(services.db.read, Number(job.payload.client))
    if (!found || found.move.job !== job.id) return nothingMore
    const leg: Leg = { ...found, services, job, step }
    job.reached(progressOf(found.move.phase))
    return LEGS[found.move.phase](leg)
  },
  async ended(tx, job, services) {
    const found = await selectMove(tx, Number(job.payload.client))
    if (found?.move.job !== job.id || found.move.phase === 'mudada') return
    if (found.move.phase === 'abriendo') openAgain(tx, services, found)
    else if (found.move.phase === 'volviendo') stay(tx, services, found)
    else await giveUpMove(tx, services, found)
  },
}

const LEGS: Record<Move['phase'], (leg: Leg) => Promise<End>> = {
  copiando: copyServed,
  preparando: (leg) => withCopies(leg, prepare),
  cerrando: closeAndCopy,
  cerrada: (leg) => closed(leg, applyAndSwitch),
  abriendo: open,
  mudada: async () => nothingMore,
  volviendo: (leg) => closed(leg, goBack),
}

const progressOf = (phase: Move['phase']) => ({
  ...(phase === 'volviendo'
    ? { done: 0, total: 1 }
    : { done: MOVE_PHASES.indexOf(phase), total: MOVE_PHASES.indexOf('mudada') }),
  unit: 'pasos' as const,
})

/** The next leg begins with the end of this one. */
function next({ client, move, job }: Leg, to: { phase: Move['phase']; node: string; closed?: true }): End {
  // Beside the client's other work while it is served, alone while it is closed.
  job.goesOn({ node: to.node, subject: to.closed ? clientSubject(client) : moveSubject(client) })
  const still = and(eq(moves.clientId, client.id), eq(moves.job, move.job))
  return async (tx) => tx.later(tx.update(moves).set({ phase: to.phase }).where(still))
}

/** What a suspended client has does not change, so it is copied only once. */
async function copyServed(leg: Leg): Promise<End> {
  const { client, move } = leg
  if (client.state === 'activo') await copyWhole(leg, move.firstCopy)
  return next(leg, { phase: 'preparando', node: move.target })
}

/** Refused where the copy lacks anything: that would stay behind. */
async function copyWhole({ services, job, step, client }: Leg, id: string): Promise<void> {
  const files: string[] = []
  const tell = (site: string, names: string[]) => files.push(...names.map((one) => `${site}${one}`))
  const { state, parts } = await makeCopy({ services, job, step, client, id, tell }, null)
  if (state === 'completa') return
  // Of what an earlier attempt has copied only the part is known.
  const isNamed = files.length > 0
  const failed = parts.filter(({ fault, snapshot }) => fault !== null && (snapshot === null || !isNamed))
  throw leftBehind(files, failed)
}

/** On the target: everything is there once before the client is closed, so that little is left to do then. */
async function prepare(leg: Leg): Promise<End> {
  const { client, move } = leg
  await enterFiles(leg)
  if (client.state === 'activo') await restoreAll(leg, move.firstCopy)
  return next(leg, { phase: 'cerrando', node: move.source, closed: true })
}

async function closeAndCopy(leg: Leg): Promise<End> {
  const { services, client } = leg
  if (!client.moving) {
    await requireQuiet(leg)
    await leg.step('move.close', async () => {
      const now = services.now()
      await services.db.write(async (tx) => tx.later(...closing({ ...leg, tx, now })))
    })
  }
  const at = { ...leg, client: { ...client, moving: true } }
  return closed(at, copyClosed)
}

async function copyClosed(leg: Leg): Promise<End> {
  const { client, move } = leg
  await requireQuiet(leg)
  await hold(leg)
  await copyWhole(leg, move.lastCopy)
  const carried = await carriedBy(leg)
  const end = next(leg, { phase: 'cerrada', node: move.target, closed: true })
  return async (tx) => {
    tx.later(tx.update(moves).set({ carried }).where(eq(moves.clientId, client.id)))
    await end(tx)
  }
}

/** On the target, and on to what was just switched. */
async function applyAndSwitch(leg: Leg): Promise<End> {
  const { services, step, client, move } = leg
  if (move.kept) await removeGone(leg, move.kept)
  await withCopies(leg, async () => {
    await enterFiles(leg)
    await restoreAll(leg, move.lastCopy)
  })
  await takeCarried(leg)
  await step('move.switch', async () => {
    const now = services.now()
    const isDone = await services.db.write((tx) => switchOver(tx, leg, now))
    if (!isDone) throw new AppError('mudanza_fallida')
  })
  return open({ ...leg, client: { ...client, moving: false, node: move.target } })
}

/** On the target, where the client lives now: brings about what the database says of it. */
async function open({ services, job, step, client, move }: Leg): Promise<End> {
  const driver = requireDriver(services)
  const desired = await desiredClient(services, client.id)
  if (!desired) return nothingMore
  await driver.syncClient(desired, step)
  const rows = await services.db.read
    .select({ id: sites.id })
    .from(sites)
    .where(eq(sites.clientId, client.id))
  const served: Served[] = []
  for (const { id } of rows) served.push(...(await serveSite(services, driver, { id, step })))
  const wanted = await desiredDatabases(services.db.read, client.id)
  if (wanted && wanted.databases.length > 0) await driver.databases?.sync(wanted, step)
  await step('move.follow', async () => void (await followNode(services)))
  job.answers(movedView(move))
  return async (tx) => {
    await markServed(tx, services, { client: desired, served })
    tx.later(
      tx.update(moves).set({ phase: 'mudada' }).where(eq(moves.clientId, client.id)),
      tx.update(clients).set({ updatedAt: services.now() }).where(eq(clients.id, client.id)),
    )
    enqueue(tx, services, followJob(client, move.source))
  }
}

/** A failure while the client is closed ends the move, rather than keep it closed until the next attempt. */
async function closed<T>(leg: Leg, run: (leg: Leg) => Promise<T>): Promise<T> {
  try {
    return await run(leg)
  } catch (error) {
    const isSwitched = (await selectMove(leg.services.db.read, leg.client.id))?.move.phase === 'abriendo'
    const isRefused = error instanceof AppError && !isRefusal(error, 'no_disponible')
    if (leg.job.signal.aborted || isSwitched || isRefused) throw error
    throw new AppError('mudanza_fallida', { causa: faultOf(error, leg.job.id) }, { cause: error })
  }
}

/** Copies that are not there on the target lie where only the source gets to. */
async function withCopies<T>(leg: Leg, run: (leg: Leg) => Promise<T>): Promise<T> {
  try {
    return await run(leg)
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    if (cause instanceof BackupFault && cause.kind === 'missing') throw new AppError('destino_no_comun')
    throw error
  }
}

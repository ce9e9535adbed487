import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { nativeHash } from '../../../../lib/databases/password.ts'
import { AppError, noSpace } from '../../../../lib/endpoint/errors.ts'
import type { Step } from '../../../../lib/endpoint/node-port.ts'
import type { DatabaseLoad } from '../../../../lib/endpoint/ports/loads.ts'
import { tooLarge } from '../../../../lib/loads/errors.ts'
import { removeFile, writeWhole } from '../../host/files.ts'
import { ownerOf } from '../../users/users.ts'
import { mariadbPlaces } from '../config.ts'
import { type LoadingNames, loadingAccount, loadingNames, userAt } from '../rights.ts'
import { sizeOf } from '../sizes.ts'
import { clear, makeLike } from './bases.ts'
import { define } from './define.ts'
import { definitionsAsSql, isEmpty, triggersAsSql } from './definitions.ts'
import { CLIENT_OPTIONS, CLIENT_PROGRAM, type Feeding, feed, SERVER_SOCKET, serverShown } from './feed.ts'
import { finish } from './finish.ts'
import type { Means } from './means.ts'
import { loadDirectory, makeLoadDirectory, type Plan, readPlan, writePlan } from './plan.ts'
import { loadFault } from './said.ts'

const LOOK_MS = 2_000
/** Where the program that loads finds who it is. */
const SHOWN = '/run/load/account.cnf'

/**
 * Makes a dump all that a base holds: it is loaded into a base of another name, by an account that has no rights but
 * there, and put in place once it is whole. One that was cut short is brought to its end, or begun again. What one that
 * failed has left is cleared by `createLoads`.
 */
export async function loadDatabase(means: Means, load: DatabaseLoad, step: Step): Promise<void> {
  const { directory, administration } = means
  const { databaseId } = load.base
  const names = loadingNames(databaseId)
  const left = readPlan(directory, databaseId)
  if (left && !left.isDone) await finish(means, { load, names, plan: left }, step)
  if (left?.job === load.id) return clear(administration, names)
  let plan: Plan | null = null
  await step('database.fill', async () => {
    plan = await fill(means, load, names).catch((error) => {
      throw load.signal.aborted ? error : loadFault(error, means.exhausted())
    })
  })
  if (plan) await finish(means, { load, names, plan }, step)
}

/** Loads the dump beside the base. */
async function fill(means: Means, load: DatabaseLoad, names: LoadingNames): Promise<Plan> {
  const { directory, administration } = means
  const { databaseId, name } = load.base
  await clear(administration, names)
  makeLoadDirectory(directory, databaseId)
  load.signal.throwIfAborted()
  await makeLike(administration, names.base, name)
  const definitions = await fillIt(means, load, names)
  const triggers = await triggersAsSql(means, name)
  const plan = { job: load.id, isDone: false, triggers, definitions }
  // By the client itself: what fails there fails before anything changes.
  await define(means, load.base.clientId, { base: names.base, sql: plan.definitions })
  load.signal.throwIfAborted()
  writePlan(directory, databaseId, plan)
  return plan
}

/**
 * Answers what the dump defines beside its tables. That belongs to the account that loads, which lives no longer than
 * this.
 */
async function fillIt(means: Means, load: DatabaseLoad, names: LoadingNames): Promise<string> {
  const { directory, administration, runCaged } = means
  const { clientId, databaseId } = load.base
  const password = randomBytes(24).toString('hex')
  for (const statement of loadingAccount(names, nativeHash(password))) await administration.run(statement)
  const from = join(loadDirectory(directory, databaseId), 'account.cnf')
  const content = `[client]\nuser=${names.account}\npassword=${password}\nsocket=${SERVER_SOCKET}\n`
  writeWhole({ path: from, content, mode: 0o400, owner: ownerOf(means.users, clientId) })
  const argv = [CLIENT_PROGRAM, `--defaults-file=${SHOWN}`, ...CLIENT_OPTIONS, names.base] as const
  const loader = { argv, shows: [serverShown(mariadbPlaces(directory)), { from, at: SHOWN }] }
  let isToldWhole = false
  try {
    const work = async (signal: AbortSignal) => {
      const file = await load.open()
      const feeding: Feeding = { run: runCaged, clientId, loader, signal }
      isToldWhole = await feed(feeding, {
        file,
        packing: load.packing,
        reached: (bytes) => load.reached(bytes, file.bytes),
      })
    }
    await whileItFits(means, load, { base: names.base, work })
    const definitions = await definitionsAsSql(means, names.base)
    // Words alone, of which the old content would be lost. A dump of a base without tables says that it is one.
    if (!isToldWhole && definitions === '' && (await isEmpty(administration, names.base)))
      throw new AppError('volcado_incompleto')
    return definitions
  } finally {
    removeFile(from)
    await administration.run(`DROP USER IF EXISTS ${userAt(names.account, 'localhost')}`)
  }
}

/** Ends what is loading once it is larger than its client has room for, or the node has none left. */
async function whileItFits(
  means: Means,
  load: DatabaseLoad,
  { base, work }: { base: string; work: (signal: AbortSignal) => Promise<void> },
): Promise<void> {
  const over = new AbortController()
  const look = async () => {
    const exhausted = means.exhausted()
    if (exhausted !== null) throw noSpace(exhausted)
    const { room } = load
    if (room === null) return
    const { data } = mariadbPlaces(means.directory)
    const { bytes } = await sizeOf(means.administration, data, [base])
    if (bytes <= room.bytes) return
    throw tooLarge(room.held + bytes, room.limit)
  }
  const timer = setInterval(() => {
    void look().catch((error) => {
      // A look that failed tells nothing of the base.
      if (error instanceof AppError) over.abort(error)
    })
  }, LOOK_MS)
  try {
    await work(AbortSignal.any([load.signal, over.signal]))
  } finally {
    clearInterval(timer)
  }
  await look()
}

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_REPOSITORY } from '../../../../lib/backups/destination/destination.ts'
import { chosenKey } from '../../../../lib/backups/destination/host-key.ts'
import { enterRecovered } from '../../../../lib/backups/destination/recovered.ts'
import { type Recovered, recoverClients } from '../../../../lib/backups/recover.ts'
import type { PanelConfig } from '../../../../lib/endpoint/context.ts'
import { BackupFault, type Repository } from '../../../../lib/endpoint/ports/backups.ts'
import { parseKeyRing } from '../../../../lib/secrets/keys.ts'
import { Secret } from '../../../../lib/secrets/secret.ts'
import { createDatabase } from '../../../../lib/store/database.ts'
import { migrate } from '../../../../lib/store/migrate.ts'
import { DESTINATION_KINDS } from '../../../../schema/states.ts'
import type { NodeConfig } from '../../../config.ts'
import { embeddedClient } from '../../../database/embedded/database.ts'
import { type Output, UsageError } from '../../commands/output.ts'
import type { Given } from '../../commands/words.ts'
import { makeDataDirectory } from '../../database/open.ts'
import { baseDirectory } from '../../driver.ts'
import { clock } from '../../host/clock.ts'
import { ensureDirectory, putInPlace, readIfThere, writeWhole } from '../../host/files.ts'
import { random } from '../../host/random.ts'
import { runProgram } from '../../services/program.ts'
import { hostKeysOf } from '../host-keys.ts'
import { placesOf } from '../node-copy.ts'
import { copiesIn } from '../start.ts'
import { destinationProblem, NO_DIRECTORY, type Places } from '../target.ts'
import { askedTime } from './asked-time.ts'
import { fetchCopy } from './fetch-copy.ts'
import { formerHost } from './former-host.ts'
import { missingCopies } from './missing-copies.ts'
import { tellRecovered } from './recovered-view.ts'
import { unfinishedMark } from './unfinished.ts'

const CP = '/usr/bin/cp'
const SYNC = '/usr/bin/sync'

/**
 * `panel recuperar`: makes this machine the node that a destination has copies of. Clients' files and databases follow
 * once the panel is started. Nothing is in place before all has been fetched, and the panel's database comes last, so
 * that what was cut short can be begun again; a mark has no panel start before that.
 */
export async function recoverNode(
  { node: config, panel, passed }: { node: NodeConfig; panel: PanelConfig; passed: Passed },
  given: Given,
  output: Output,
): Promise<void> {
  if (process.getuid?.() !== 0) throw new UsageError('run this as root, whose the panel is to be')
  const of = given.get('--copia') ?? null
  // What cannot be understood is refused before any password is asked for.
  if (of !== null) askedTime(of)
  const parts = { config, web: baseDirectory(config, 'web'), dns: baseDirectory(config, 'dns') }
  const targets = placesOf(parts)
  const database = targets['panel.db']
  if (database === undefined) throw new UsageError('a database server is restored with its own tools')
  if (existsSync(database))
    throw new UsageError(`there is a panel in ${config.dataDir}: name a fresh directory`)
  const places: Places = { directory: copiesIn(config), test: panel.test }
  await inNew(config.dataDir, places.directory, async (staging) => {
    const repository = await askedRepository(given, places)
    const { when, unreadable, store } = await fetchCopy(places, { repository, staging, of }).catch(refuse)
    await passed('traer')
    const now = clock(config.testClock)
    const simulated = given.has('--simular')
    const { found, missing } = await prepareDatabase(staging, { now, simulated, places, repository, store })
    await passed('preparar')
    if (!simulated) await putAll(config, { staging, targets, passed })
    const host = formerHost(staging, panel.host)
    tellRecovered(output, { found, when, unreadable, missing, simulated, host })
    return !simulated
  })
}

/**
 * Does something with a new directory for what is fetched, which holds keys; answers whether anything came of it. Where
 * nothing did, what was made for it goes, too, unless there is the mark of what has to be begun again.
 */
async function inNew(
  data: string,
  directory: string,
  work: (staging: string) => Promise<boolean>,
): Promise<void> {
  const made = [directory, data].filter((path) => !existsSync(path))
  await makeDataDirectory(data)
  ensureDirectory(directory, { mode: 0o700, owner: null })
  const staging = join(directory, 'recuperar')
  // Also what a run that was killed left there.
  rmSync(staging, { recursive: true, force: true })
  ensureDirectory(staging, { mode: 0o700, owner: null })
  let isDone = false
  try {
    isDone = await work(staging)
  } finally {
    rmSync(staging, { recursive: true, force: true })
    if (!isDone && !existsSync(unfinishedMark(data)))
      for (const path of made) rmSync(path, { recursive: true, force: true })
  }
}

/** Told what has been done, at each point where tests end the process. */
type Passed = (what: string) => Promise<void>

/** The destination by its options, its password and its credential by standard input, one a line. */
async function askedRepository(given: Given, places: Places): Promise<Repository> {
  const kind = DESTINATION_KINDS.find((one) => one === given.get('--tipo'))
  if (kind === undefined) throw new UsageError(`--tipo is one of ${DESTINATION_KINDS.join(', ')}`)
  if (process.stdin.isTTY)
    process.stderr.write('Password of the copies, then the credential if there is one:\n')
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdin })) lines.push(line)
  const [password = '', ...rest] = lines
  const credential = rest.join('\n').trim()
  if (password === '') throw new UsageError('the password of the copies is read from standard input')
  const destination = {
    kind,
    url: given.get('--url') ?? '',
    credential: credential === '' ? null : new Secret(credential),
  }
  const problem = destinationProblem(places, destination)
  if (problem) throw new UsageError(`the ${problem.field} is not one of a destination of this kind`)
  const hostKey = kind === 'sftp' ? await askedHostKey(given, destination) : null
  return { destination: { ...destination, hostKey }, name: NODE_REPOSITORY, key: new Secret(password) }
}

/** The key of the fingerprint that was given; else the one that the server shows, which is told. */
async function askedHostKey(given: Given, destination: { url: string }): Promise<string> {
  const fingerprint = given.get('--huella') ?? null
  try {
    const found = chosenKey(await hostKeysOf(destination), fingerprint)
    if (fingerprint === null) process.stderr.write(`The server's key is ${found.fingerprint}\n`)
    return found.key
  } catch (error) {
    return refuse(error)
  }
}

const FAULTS: Record<BackupFault['kind'], string> = {
  password: 'the password is wrong',
  missing: 'there are no copies of a node',
  lost: 'it has nothing of a client',
  unreachable: 'it does not answer',
  refused: 'it refuses the credential',
  full: 'it has no space left',
  stranger: 'its server shows another key',
  foreign: 'it has copies of another panel',
  damaged: 'it has lost or changed what was kept there',
  other: 'it failed',
}

function refuse(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof BackupFault ? error.cause : error
  if (!(cause instanceof BackupFault)) throw error
  const why = cause.message.endsWith(NO_DIRECTORY) ? NO_DIRECTORY : FAULTS[cause.kind]
  throw new UsageError(`the destination of copies: ${why}`)
}

type Preparing = {
  now: () => Date
  simulated: boolean
  places: Places
  repository: Repository
  store: string
}

async function prepareDatabase(
  staging: string,
  { now, simulated, places, repository, store }: Preparing,
): Promise<{ found: Recovered; missing: string[] }> {
  const path = join(staging, 'panel.db')
  const ring = readIfThere(join(staging, 'keys'))
  if (!existsSync(path)) throw new UsageError('the copy holds no database of a panel')
  await chmod(path, 0o600)
  const client = embeddedClient(path)
  try {
    await migrate(client, now(), async () => {})
    const db = createDatabase(client)
    const keys = parseKeyRing((await ring) ?? '')
    await enterRecovered(db, { keys, now, random }, { repository, store })
    const found = await recoverClients(db, { now, random }, simulated)
    // Looking into the copies of all clients takes a while, which a lost machine's visitors do not have.
    const missing = simulated ? await missingCopies(db, { keys, places, repository }, found.wanted) : []
    return { found, missing }
  } finally {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {})
    client.close()
  }
}

type Fetched = { staging: string; targets: Record<string, string>; passed: Passed }

async function putAll({ dataDir }: NodeConfig, { staging, targets, passed }: Fetched): Promise<void> {
  const mark = unfinishedMark(dataDir)
  writeWhole({ path: mark, content: '', mode: 0o600 })
  for (const [name, path] of Object.entries(targets)) {
    const from = join(staging, name)
    if (name === 'panel.db' || !existsSync(from)) continue
    mkdirSync(dirname(path), { recursive: true, mode: 0o711 })
    await passed(name)
    const { code, output } = await runProgram([CP, '-a', '-T', '--', from, path], { timeoutMs: null })
    if (code !== 0) throw new Error(`${path}: ${output.slice(0, 200)}`)
  }
  // After a loss of power, too, whoever finds the database finds its keys.
  await runProgram([SYNC, '-f', dataDir], { timeoutMs: null })
  await passed('colocar')
  putInPlace(join(staging, 'panel.db'), targets['panel.db'] ?? '')
  await passed('base')
  rmSync(mark, { force: true })
}

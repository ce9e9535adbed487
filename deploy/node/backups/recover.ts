import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_REPOSITORY } from '../../../lib/backups/destination/destination.ts'
import { chosenKey } from '../../../lib/backups/destination/host-key.ts'
import { type Recovered, recoverClients } from '../../../lib/backups/recover.ts'
import type { PanelConfig } from '../../../lib/endpoint/context.ts'
import { BackupFault, type Repository } from '../../../lib/endpoint/ports/backups.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { createDatabase } from '../../../lib/store/database.ts'
import { migrate } from '../../../lib/store/migrate.ts'
import { DESTINATION_KINDS } from '../../../schema/states.ts'
import type { NodeConfig } from '../../config.ts'
import { embeddedClient } from '../../database/embedded/database.ts'
import { type Output, UsageError } from '../commands/output.ts'
import type { Given } from '../commands/words.ts'
import { makeDataDirectory } from '../database/open.ts'
import { baseDirectory } from '../driver.ts'
import { clock } from '../host/clock.ts'
import { ensureDirectory, putInPlace, writeWhole } from '../host/files.ts'
import { random } from '../host/random.ts'
import { runProgram } from '../services/program.ts'
import { hostKeysOf } from './host-keys.ts'
import { placesOf } from './node-copy.ts'
import { tellRecovered } from './recovered-view.ts'
import { readSnapshot, runRestic } from './restic.ts'
import { copiesIn } from './start.ts'
import { destinationProblem, type Places } from './target.ts'
import { unfinishedMark } from './unfinished.ts'

const TAR = '/usr/bin/tar'
const CP = '/usr/bin/cp'
const SYNC = '/usr/bin/sync'

/**
 * `panel recuperar`: makes this machine the node that a destination has copies of. Clients' files and databases follow
 * once the panel is started. Nothing is in place before all has been fetched, and the panel's database comes last, so
 * that what was cut short can be begun again; a mark has no panel start before that.
 */
export async function recoverNode(
  { node: config, panel, passed }: { node: NodeConfig; panel: PanelConfig; passed: Passed },
  ...[given, output]: [Given, Output]
): Promise<void> {
  if (process.getuid?.() !== 0) throw new UsageError('run this as root, whose the panel is to be')
  const parts = { config, web: baseDirectory(config, 'web'), dns: baseDirectory(config, 'dns') }
  const targets = placesOf(parts)
  const database = targets['panel.db']
  if (database === undefined) throw new UsageError('a database server is restored with its own tools')
  if (existsSync(database))
    throw new UsageError(`there is a panel in ${config.dataDir}: name a fresh directory`)
  await makeDataDirectory(config.dataDir)
  const places: Places = { directory: copiesIn(config), test: panel.test }
  ensureDirectory(places.directory, { mode: 0o700, owner: null })
  const repository = await askedRepository(given, places)
  // Also what a run that was killed left there: it holds keys.
  const staging = join(places.directory, 'recuperar')
  rmSync(staging, { recursive: true, force: true })
  ensureDirectory(staging, { mode: 0o700, owner: null })
  try {
    const when = await fetchLatest(places, repository, staging)
    await passed('traer')
    const now = clock(config.testClock)
    const simulated = given.has('--simular')
    const found = await prepareDatabase(join(staging, 'panel.db'), now, simulated)
    await passed('preparar')
    if (!simulated) await putAll(config, { staging, targets, passed })
    tellRecovered(output, { found, when, simulated })
  } finally {
    rmSync(staging, { recursive: true, force: true })
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
    throw refusalOf(error)
  }
}

const FAULTS: Record<BackupFault['kind'], string> = {
  password: 'the password is wrong',
  missing: 'there are no copies of a node',
  unreachable: 'it does not answer',
  refused: 'it refuses the credential',
  full: 'it has no space left',
  stranger: 'its server shows another key',
  foreign: 'it has copies of another panel',
  damaged: 'it has lost or changed what was kept there',
  other: 'it failed',
}

/** Unpacks the latest copy of the node; answers when that was made. */
async function fetchLatest(places: Places, repository: Repository, staging: string): Promise<string> {
  const { signal } = new AbortController()
  try {
    const text = await runRestic(places, repository, { argv: ['snapshots', '--json', '--no-lock'], signal })
    const all: { id: string; time: string }[] = JSON.parse(text) ?? []
    const latest = all.toSorted((a, b) => (a.time < b.time ? 1 : -1))[0]
    if (!latest) throw new UsageError('the destination has no copy of a node yet')
    const tar = Bun.spawn([TAR, '--extract', '--file=-', '-C', staging], {
      stdin: readSnapshot(places, repository, latest.id),
      stdout: 'ignore',
      stderr: 'ignore',
    })
    if ((await tar.exited) !== 0) throw new Error('the copy could not be unpacked')
    return latest.time
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof BackupFault ? error.cause : error
  return cause instanceof BackupFault
    ? new UsageError(`the destination of copies: ${FAULTS[cause.kind]}`)
    : error
}

async function prepareDatabase(path: string, now: () => Date, simulated: boolean): Promise<Recovered> {
  if (!existsSync(path)) throw new UsageError('the copy holds no database of a panel')
  await chmod(path, 0o600)
  const client = embeddedClient(path)
  try {
    await migrate(client, now(), async () => {})
    return await recoverClients(createDatabase(client), { now, random }, simulated)
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

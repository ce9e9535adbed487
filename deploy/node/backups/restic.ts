import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { NOBODY } from '../../../lib/backups/destination/decide-owner.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import {
  BackupFault,
  type Content,
  type Destination,
  type Kept,
  type Repository,
} from '../../../lib/endpoint/ports/backups.ts'
import { heldParts, PROGRAM_ENVIRONMENT } from '../services/program.ts'
import { hostKeysOf } from './host-keys.ts'
import { watchStalling } from './stalled.ts'
import { type Places, targetOf } from './target.ts'
import { faultOf } from './told-faults.ts'

export const RESTIC = '/usr/bin/restic'
const SAID_MAX = 4_000
/** How long it may do nothing, or go on to fail at the same thing: by itself it waits for ever, and tries for 15 minutes. */
const STALLED_MS = 300_000
const STALLED_IN_TESTS_MS = 15_000
/** Of a destination that answers, what a repository is takes a moment to read. */
const OPENED_MS = 60_000
const RETRIED = /^(\S+\(.*?\)) returned error, retrying.*/gm
/** It asks for a file that is gone as often as for one that it cannot reach. */
const LOST = /^Load\(<data\/.*? returned error, retrying.*?: .*(?:no such file|not exist|not found)/im
/** How long it may ask for one that the destination says it has not. */
const LOST_MS = 5_000
/** Ends with this process: fed by a killed panel, it would take half a stream for a whole one. */
const BOUND = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
/** Behind everybody for processor and disk, and the first to go where memory runs out. */
const GENTLE = [
  ...['/usr/bin/choom', '-n', '500', '--'],
  ...['/usr/bin/nice', '-n', '10', '/usr/bin/ionice', '-c', '2', '-n', '7'],
]
const SNAPSHOT = /^[0-9a-f]{8,64}$/

type Running = ReturnType<typeof start>

function spawned(places: Places, repository: Repository, argv: string[]) {
  const { location, options, environment } = targetOf(places, repository)
  const behind = places.behind ?? []
  const [file = '', ...rest] = [...BOUND, ...behind, ...GENTLE, RESTIC, '--no-cache', ...options, ...argv]
  return spawn(file, rest, {
    cwd: '/',
    env: {
      ...PROGRAM_ENVIRONMENT,
      ...environment,
      HOME: places.directory,
      TMPDIR: places.directory,
      RESTIC_REPOSITORY: location,
      RESTIC_PASSWORD: repository.key.reveal(),
      GOGC: '40',
      // By itself it takes all processors, and clients' groups weigh no more than the panel's.
      GOMAXPROCS: '1',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Starts restic on a repository. What it is told in secret is in its environment, which only root reads. */
function start(places: Places, repository: Repository, argv: string[]) {
  const child = spawned(places, repository, argv)
  const stop = () => void child.kill('SIGKILL')
  const mostMs = places.test ? STALLED_IN_TESTS_MS : STALLED_MS
  const watch = watchStalling({ pid: child.pid, mostMs, stop })
  const retried = new Map<string, number>()
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    const text = part.toString()
    if (said.length < SAID_MAX) said += text
    for (const [told, what = ''] of text.matchAll(RETRIED)) {
      const since = retried.get(what) ?? performance.now()
      retried.set(what, since)
      if (performance.now() - since > (LOST.test(told) ? LOST_MS : mostMs)) watch.give()
    }
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      said += error.message
      resolve(-1)
    })
    child.on('close', (code) => resolve(code ?? -1))
  }).finally(watch.end)
  const fault = async (late = watch.isStalled()): Promise<BackupFault> => {
    if (late && LOST.test(said)) {
      const { message } = faultOf(said)
      return (await faultOfOpening(places, repository)) ?? new BackupFault('damaged', message)
    }
    return recognised(repository.destination, faultOf(late ? `${said} timeout` : said))
  }
  return { child, ended, fault, stop, awaiting: watch.awaiting }
}

/** What keeps a repository from being opened, as a disk that is no longer mounted does; null where nothing does. */
async function faultOfOpening(places: Places, repository: Repository): Promise<BackupFault | null> {
  try {
    await identityOf(places, repository, AbortSignal.timeout(OPENED_MS))
    return null
  } catch (error) {
    return error instanceof BackupFault ? error : faultOf(String(error))
  }
}

/** What ssh says of a key that has changed restic may not have passed on: the server is asked for it. */
async function recognised({ kind, url, hostKey }: Destination, fault: BackupFault): Promise<BackupFault> {
  if (kind !== 'sftp' || hostKey === null || fault.kind !== 'unreachable') return fault
  const shown = await hostKeysOf({ url })
  const isOther = shown.length > 0 && !shown.some(({ key }) => key === hostKey)
  return isOther ? new BackupFault('stranger', fault.message) : fault
}

async function during<T>(running: Running, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.addEventListener('abort', running.stop)
  if (signal.aborted) running.stop()
  try {
    return await work()
  } catch (error) {
    running.stop()
    if (isDeadline(signal.reason)) throw await running.fault(true)
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', running.stop)
  }
}

const isDeadline = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'

async function textOf(readable: Readable, seen: (part: Buffer) => void = () => {}): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of readable) {
    parts.push(part as Buffer)
    seen(part as Buffer)
  }
  return Buffer.concat(parts).toString()
}

/** `until` is what it says once all has been found that is asked for: it is ended there. */
type Command = { argv: string[]; signal: AbortSignal; until?: RegExp }

/** Runs a command to its end; answers what it wrote. */
export const runRestic = (places: Places, repository: Repository, { argv, signal }: Command) =>
  textOfAll(start(places, repository, argv), signal)

function textOfAll(running: Running, signal: AbortSignal): Promise<string> {
  running.child.stdin.end()
  return during(running, signal, async () => {
    const whole = Promise.all([textOf(running.child.stdout), running.ended])
    const [text, code] = await running.awaiting(whole)
    signal.throwIfAborted()
    if (code !== 0) throw await running.fault()
    return text
  })
}

/**
 * Runs a command that looks for damage; answers all that it said, and whether it found nothing. What keeps it from
 * looking is thrown.
 */
export async function saidByRestic(
  places: Places,
  repository: Repository,
  { argv, signal, until }: Command,
): Promise<{ said: string; isWell: boolean }> {
  const running = start(places, repository, argv)
  let said = ''
  running.child.stderr.on('data', (part: Buffer) => {
    if (said.length < EXAMINED_MAX) said += part.toString()
  })
  let isEnough = false
  const seen = (part: Buffer) => {
    if (!until?.test(part.toString())) return
    isEnough = true
    running.stop()
  }
  running.child.stdin.end()
  return during(running, signal, async () => {
    const whole = Promise.all([textOf(running.child.stdout, seen), running.ended])
    const [text, code] = await running.awaiting(whole)
    signal.throwIfAborted()
    if (code === 0 || isEnough) return { said: `${text}\n${said}`, isWell: true }
    const fault = await running.fault()
    if (fault.kind !== 'damaged' && fault.kind !== 'other') throw fault
    return { said: `${text}\n${said}`, isWell: false }
  })
}

/** It may name each of a hundred thousand packs. */
const EXAMINED_MAX = 20_000_000

/** How long it runs and is halted in turns while it makes a repository under a random key. */
const [RUNS_MS, HALTED_MS] = [5, 60]

/**
 * Makes a repository. From its key restic derives another one at each opening, so slowly that nobody can try many:
 * it makes that take half a second by its own clock on the machine. A random key cannot be tried, and a copy opens its
 * repository for each part, so restic is halted most of the time here: what seems slow to it already is a twentieth of
 * that. Where it is not halted in time, the repository is like any other.
 */
export async function makeRepository(
  places: Places,
  repository: Repository,
  { random, signal }: { random: boolean; signal: AbortSignal },
): Promise<void> {
  const running = start(places, repository, ['init'])
  if (random) void haltInTurns(running)
  await textOfAll(running, signal)
}

async function haltInTurns({ child, ended }: Running): Promise<void> {
  let over = false
  void ended.finally(() => {
    over = true
  })
  while (!over) {
    await Bun.sleep(RUNS_MS)
    child.kill('SIGSTOP')
    await Bun.sleep(HALTED_MS)
    child.kill('SIGCONT')
  }
}

/** The id that a repository was given when it was made, and has in every place that it is moved to. */
export async function identityOf(
  places: Places,
  repository: Repository,
  signal: AbortSignal,
): Promise<string> {
  const text = await runRestic(places, repository, { argv: ['cat', 'config', '--no-lock'], signal })
  const { id }: { id: string } = JSON.parse(text)
  return id
}

export type Snapshot = { id: string; tree: string; time: string; hostname: string; tags?: string[] }

/** What a repository holds. Nobody who writes there keeps it from being listed. */
export async function snapshotsIn(
  places: Places,
  repository: Repository,
  signal: AbortSignal,
): Promise<Snapshot[]> {
  const text = await runRestic(places, repository, { argv: ['snapshots', '--json', '--no-lock'], signal })
  return JSON.parse(text) ?? []
}

/** `owner` is what a node's copy is kept under. */
type Stream = Omit<Content, 'copy'> & { name: string; copy?: string; owner?: string }

/** Keeps a stream under a name. What fails on the way is never ended as if it were whole. */
export async function keepStream(
  places: Places,
  repository: Repository,
  { name, content, signal, copy, owner = NOBODY }: Stream,
): Promise<Kept> {
  const tag = copy === undefined ? [] : ['--tag', copy]
  const argv = ['backup', '--stdin', '--stdin-filename', name, '--host', owner, ...tag, '--json']
  const running = start(places, repository, argv)
  const hash = createHash('sha256')
  let bytes = 0
  const feed = async () => {
    for await (const part of content) {
      hash.update(part)
      bytes += part.length
      if (!(await running.awaiting(write(running, part)))) break
    }
    running.child.stdin.end()
    await running.awaiting(running.ended)
  }
  return during(running, signal, async () => {
    const [told, code] = await Promise.all([textOf(running.child.stdout), running.ended, feed()])
    if (code !== 0) throw await running.fault()
    const snapshot = /"snapshot_id":"([0-9a-f]+)"/.exec(told)?.[1]
    if (snapshot === undefined) throw faultOf('no snapshot was told')
    return { snapshot, bytes, sha256: hash.digest('hex') }
  })
}

/** Whether it still listens. */
async function write({ child, ended }: Running, part: Uint8Array): Promise<boolean> {
  if (child.exitCode !== null || child.stdin.destroyed) return false
  if (child.stdin.write(part)) return true
  const drained = new Promise<boolean>((resolve) => child.stdin.once('drain', () => resolve(true)))
  return Promise.race([drained, ended.then(() => false)])
}

/**
 * What was kept, read no faster than it is taken; one that fails breaks off. Without a lock it keeps no copy waiting,
 * works where the destination is full, and fails where what it reads is cleared away meanwhile.
 */
export function readSnapshot(places: Places, repository: Repository, snapshot: string) {
  if (!SNAPSHOT.test(snapshot)) throw new TypeError('not a snapshot')
  const running = start(places, repository, ['dump', '--no-lock', snapshot, `/${KEPT_NAME}`])
  running.child.stdin.end()
  const parts = heldParts(running.child.stdout)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await running.awaiting(parts.next())
        if (!done) return controller.enqueue(new Uint8Array(value))
        if ((await running.awaiting(running.ended)) !== 0) throw await running.fault()
        controller.close()
      },
      cancel: running.stop,
    },
    { highWaterMark: 0 },
  )
}

type Tested = Pick<Kept, 'snapshot' | 'sha256'> & { signal: AbortSignal }

/** Reads one snapshot back as a restore would. */
export async function readsBack(
  places: Places,
  repository: Repository,
  { snapshot, sha256, signal }: Tested,
): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const part of readSnapshot(places, repository, snapshot)) {
      signal.throwIfAborted()
      hash.update(part)
    }
  } catch (error) {
    // Of one that does not answer, nothing is known.
    if (error instanceof BackupFault && (error.kind === 'damaged' || error.kind === 'other')) return false
    throw error
  }
  return hash.digest('hex') === sha256
}

/** The name of everything that is kept: what it is stands in the panel's database. */
export const KEPT_NAME = 'contenido'

/** 503 where a destination does not answer, or lets nobody in: what needed it is tried again. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof BackupFault) || !['unreachable', 'refused'].includes(error.kind)) return error
  return new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause: error })
}

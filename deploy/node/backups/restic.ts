import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError } from '../../../lib/endpoint/errors.ts'
import {
  BackupFault,
  type BackupFaultKind,
  type Content,
  type Kept,
  type Repository,
} from '../../../lib/endpoint/ports/backups.ts'
import { PROGRAM_ENVIRONMENT } from '../services/program.ts'
import { type Places, targetOf } from './target.ts'

export const RESTIC = '/usr/bin/restic'
const SAID_MAX = 4_000
/** Ends with this process: fed by a killed panel, it would take half a stream for a whole one. */
const BOUND = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
const GENTLE = ['/usr/bin/nice', '-n', '10', '/usr/bin/ionice', '-c', '2', '-n', '7']
const SNAPSHOT = /^[0-9a-f]{8,64}$/

type Running = ReturnType<typeof start>

/** Starts restic on a repository. What it is told in secret is in its environment, which only root reads. */
function start(places: Places, repository: Repository, argv: string[]) {
  const { location, options, environment } = targetOf(places, repository)
  const [file = '', ...rest] = [...BOUND, ...GENTLE, RESTIC, '--no-cache', ...options, ...argv]
  const child = spawn(file, rest, {
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
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < SAID_MAX) said += part.toString()
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      said += error.message
      resolve(-1)
    })
    child.on('close', (code) => resolve(code ?? -1))
  })
  return { child, ended, said: () => said, stop: () => void child.kill('SIGKILL') }
}

const REASONS: [BackupFaultKind, RegExp][] = [
  ['password', /wrong password|no key found/],
  ['missing', /Is there a repository at the following location|repository does not exist/],
  ['full', /no space left|quota exceeded|disk full/i],
  [
    'unreachable',
    /connect|dial |timeout|no such host|unreachable|permission denied|Forbidden|Unauthorized|AccessDenied|InvalidAccessKey|certificate|EOF|unexpected HTTP|no such file/i,
  ],
]

function faultOf(said: string): BackupFault {
  const kind = REASONS.find(([, pattern]) => pattern.test(said))?.[0] ?? 'other'
  // Addresses may carry a password.
  return new BackupFault(
    kind,
    said
      .replace(/\/\/[^/@\s]*@/g, '//')
      .replace(/\s+/g, ' ')
      .slice(0, 500),
  )
}

async function during<T>(running: Running, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.addEventListener('abort', running.stop)
  if (signal.aborted) running.stop()
  try {
    return await work()
  } catch (error) {
    running.stop()
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', running.stop)
  }
}

async function textOf(readable: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of readable) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Runs a command to its end; answers what it wrote. */
export async function runRestic(
  places: Places,
  repository: Repository,
  { argv, signal }: { argv: string[]; signal: AbortSignal },
): Promise<string> {
  const running = start(places, repository, argv)
  running.child.stdin.end()
  return during(running, signal, async () => {
    const [text, code] = await Promise.all([textOf(running.child.stdout), running.ended])
    signal.throwIfAborted()
    if (code !== 0) throw faultOf(running.said())
    return text
  })
}

/** Keeps a stream under a name. What fails on the way is never ended as if it were whole. */
export async function keepStream(
  places: Places,
  repository: Repository,
  { name, content, signal }: Content & { name: string },
): Promise<Kept> {
  const argv = ['backup', '--stdin', '--stdin-filename', name, '--host', 'panel', '--json']
  const running = start(places, repository, argv)
  const hash = createHash('sha256')
  let bytes = 0
  const feed = async () => {
    for await (const part of content) {
      hash.update(part)
      bytes += part.length
      if (!(await write(running, part))) break
    }
    running.child.stdin.end()
  }
  return during(running, signal, async () => {
    const [told, code] = await Promise.all([textOf(running.child.stdout), running.ended, feed()])
    if (code !== 0) throw faultOf(running.said())
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
 * What was kept, read no faster than it is taken; one that fails breaks off. Without a lock it keeps no copy waiting, and
 * fails where what it reads is cleared away meanwhile.
 */
export function readSnapshot(places: Places, repository: Repository, snapshot: string) {
  if (!SNAPSHOT.test(snapshot)) throw new TypeError('not a snapshot')
  const running = start(places, repository, ['dump', '--no-lock', snapshot, `/${KEPT_NAME}`])
  running.child.stdin.end()
  const parts: AsyncIterator<Buffer> = running.child.stdout[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (!done) return controller.enqueue(new Uint8Array(value))
        if ((await running.ended) !== 0) throw faultOf(running.said())
        controller.close()
      },
      cancel: running.stop,
    },
    { highWaterMark: 0 },
  )
}

type Tested = Pick<Kept, 'snapshot' | 'sha256'> & { signal: AbortSignal }

/** Checks the structure of a repository and a part of its content, and reads one snapshot back as a restore would. */
export async function testKept(
  places: Places,
  repository: Repository,
  { snapshot, sha256, signal }: Tested,
): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await runRestic(places, repository, { argv: ['check', '--read-data-subset', '5%'], signal })
    for await (const part of readSnapshot(places, repository, snapshot)) {
      signal.throwIfAborted()
      hash.update(part)
    }
  } catch (error) {
    // Of one that does not answer, nothing is known.
    if (error instanceof BackupFault && error.kind === 'other') return false
    throw error
  }
  return hash.digest('hex') === sha256
}

/** The name of everything that is kept: what it is stands in the panel's database. */
export const KEPT_NAME = 'contenido'

/** 503 where a destination does not answer: what needed it is tried again. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof BackupFault) || error.kind !== 'unreachable') return error
  return new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause: error })
}

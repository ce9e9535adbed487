import { AppError } from '../../../lib/endpoint/errors.ts'
import type { CagedEnd } from '../../../lib/endpoint/node-port.ts'
import { noRoom } from './faults.ts'
import type { SiteFolder } from './helpers.ts'

/** A Debian program that works on a site's files as the client, and sees nothing else. */
export type Program = {
  argv: readonly [string, ...string[]]
  deadlineMs: number
  directory?: string
  /** The size of the largest file that it may write. */
  fileBytes?: number
}
export type Running = {
  stdout: ReadableStream<Uint8Array>
  ended: Promise<CagedEnd>
  stop(): void
}
export type RunProgram = (program: Program) => Promise<Running>
/** Runs a program for a site. */
export type StartProgram = (folder: SiteFolder, program: Program) => Promise<Running>

/** A program failed by itself. */
export class ProgramFailed extends Error {
  readonly said: string
  constructor(said: string) {
    super(`a program failed: ${said}`)
    this.name = 'ProgramFailed'
    this.said = said
  }
}

/** The signal that ends a program whose file grew beyond `fileBytes` (signal(7)). */
const SIGXFSZ = 25

/** Copying and packing may take as long as they need, within reason. */
export const LONG_MS = 3_600_000

/** Runs a program to its end; 507 where it found no room. */
export async function runToEnd(run: RunProgram, program: Program): Promise<void> {
  const running = await run(program)
  await running.stdout.pipeTo(new WritableStream())
  await requireSuccess(running)
}

export async function requireSuccess({ ended }: Running): Promise<void> {
  const { code, signal, reason, stderr } = await ended
  if (reason === 'exit' && code === 0) return
  if (signal === SIGXFSZ || /No space left|Disk quota exceeded|File too large/.test(stderr)) throw noRoom()
  if (/Permission denied|Operation not permitted/.test(stderr)) throw new AppError('prohibido')
  if (reason !== 'exit') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
  throw new ProgramFailed(stderr.slice(0, 500))
}

/** Ends the programs of an operation that nobody wants any more, and starts none. */
export const stopping =
  (signal: AbortSignal, run: RunProgram): RunProgram =>
  async (program) => {
    signal.throwIfAborted()
    const running = await run(program)
    const stop = () => running.stop()
    signal.addEventListener('abort', stop)
    void running.ended.finally(() => signal.removeEventListener('abort', stop))
    return running
  }

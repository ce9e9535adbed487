import { lstatSync, readFileSync } from 'node:fs'
import { type Owner, writeWhole } from '../host/files.ts'
import type { Sample } from '../host/processor.ts'
import { isAlive, type ProcessId, readProcess } from './process.ts'

type RenderedFile = { path: string; content: string; mode: number; owner?: Owner | null }

/** A background service: how it runs, from which files, and how to tell that it works. */
export type ServiceDefinition = {
  /** Program by its whole path, staying in the foreground, and its arguments. */
  argv: string[]
  /** The program that `argv` becomes, where that is not its first word. */
  program?: string
  /** Written before each start; a change makes a running service reload them. */
  files: RenderedFile[]
  /** Whether it answers. Called again and again, so it must be cheap, and end by itself within seconds. */
  ready(): Promise<boolean>
  /** Called before a start, while nothing of the service runs, to renew what has to differ at each start. */
  renew?(): void | Promise<void>
  /** Number of the user that its main process becomes; default: that of the panel. */
  user?: number
  /** Part of the main process's command line that no other process has; default: `argv` joined by blanks. */
  marker?: string
  /** Local ports that it needs, to tell who holds them when it cannot start. */
  ports?: Port[]
  /** Throws with the reason if these files would not work; runs before they replace the present ones. */
  check?(): Promise<void>
  /**
   * Its standard streams go nowhere: it keeps its own log, and programs that it starts would inherit the streams,
   * with the right to write, empty and preallocate a file of root's.
   */
  silent?: boolean
  /** Signal that makes it read changed files; without one it is restarted. */
  reloadSignal?: NodeJS.Signals
  /** The signal that asks it to end after its current work; default SIGTERM. */
  stopSignal?: NodeJS.Signals
  /** How long it may take to answer after a start, milliseconds; default 15,000. */
  startMs?: number
  /** How long it may take to end before it is killed, milliseconds; default 5,000. */
  stopMs?: number
  version?(): Promise<string | null>
  /** The Debian package of the program, for the advice if it is missing. */
  package?: string
  /** A unit of the distribution that would take the same ports. */
  distributionUnit?: string
  /** Beside what each program is told (`PROGRAM_ENVIRONMENT`). */
  environment?: Record<string, string>
  /** For production under systemd: properties of the transient unit, such as `MemoryMax=1G`. */
  unitProperties?: string[]
}

export type Port = { protocol: 'tcp' | 'udp'; address: string; port: number }

/** What a process had open when it was seen not to listen, and when that was. */
export type Look = { sockets: string; at: number }

/** Whether a file is in its place as it is to be. */
export function isWritten(file: RenderedFile): boolean {
  const found = lstatSync(file.path, { throwIfNoEntry: false })
  return found?.isFile() === true && readFileSync(file.path, 'utf8') === file.content
}

export function writeFiles({ files }: ServiceDefinition, temporary: string): void {
  for (const file of files) if (!isWritten(file)) writeWhole(file, temporary)
}

/** A service as its supervisor knows it. */
export type Service = {
  name: string
  definition: ServiceDefinition
  running: ProcessId | null
  /** The process that was seen to hold the service's ports. */
  proven: ProcessId | null
  /** The last look at which it did not listen yet. */
  look: Look | null
  wanted: boolean
  /** Whether it was begun and has not answered yet. */
  starting: boolean
  error: Error | null
  failures: number
  retryAt: number
  unanswered: number
  /** Taken at its last question that was not answered. */
  sample: Sample | null
  /** Whether it did not answer for want of a processor. */
  short: boolean
  checkAt: number
  /** Start, stop and repair of one service never overlap. */
  queue: Promise<void>
}

export function newService(name: string, definition: ServiceDefinition): Service {
  return {
    name,
    definition,
    running: null,
    proven: null,
    look: null,
    wanted: true,
    starting: false,
    error: null,
    failures: 0,
    retryAt: 0,
    unanswered: 0,
    sample: null,
    short: false,
    checkAt: 0,
    queue: Promise.resolve(),
  }
}

/** The state of a service as a text; a change of it is reported. */
export const tale = (service: Service): string =>
  `${service.name}:${isWell(service)}:${service.error?.message ?? ''}`

/** Whether it runs and answers. */
export function isWell({ running, starting, unanswered, short }: Service): boolean {
  const answers = !starting && unanswered === 0 && !short
  return running !== null && isAlive(running) && !isHalted(running) && answers
}

/** Whether a process was stopped by a signal. */
export const isHalted = (running: ProcessId): boolean => readProcess(running.pid)?.state === 'T'

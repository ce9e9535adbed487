import { existsSync, lstatSync, readFileSync } from 'node:fs'
import type { ServiceState } from '../../../lib/node.ts'
import type { Words } from '../../../lib/words.ts'
import { writeWhole } from '../files/safe.ts'
import { failedStart } from './advice.ts'
import type { ServiceDefinition } from './definition.ts'
import type { Launcher } from './launcher.ts'
import { createNotes, type Notes } from './notes.ts'
import { listensAlone, PortTaken, portHolders } from './ports.ts'
import { findProcesses, isAlive, type ProcessId, readProcess, signal, waitUntil } from './process.ts'
import { bears, markOf } from './recognition.ts'

export type SupervisorOptions = {
  /** Directory of the panel alone, for the notes about running services. */
  runDirectory: string
  temporaryDirectory: string
  launcher: Launcher
  /** Told about what an operator should know; never holds a secret. */
  report?: (event: { service: string; message: string }) => void
  /** Called when a service began to run, to answer, or ceased to. */
  changed?: () => void
  /** How often services are looked after, milliseconds. */
  watchMs?: number
  /** How often they are asked for an answer, milliseconds; after three without one they are started again. */
  probeMs?: number
}

type Means = SupervisorOptions & { notes: Notes }

export type Supervisor = ReturnType<typeof createSupervisor>

type Service = {
  name: string
  definition: ServiceDefinition
  running: ProcessId | null
  /** The process that was seen to hold the service's ports. */
  proven: ProcessId | null
  wanted: boolean
  error: Error | null
  failures: number
  retryAt: number
  unanswered: number
  checkAt: number
  /** Start, stop and repair of one service never overlap. */
  queue: Promise<void>
}

const READY_MS = 15_000
const PROBE_MS = 5_000
/** A service that gave no answer is asked again soon: its visitors wait meanwhile. */
const PROBE_AGAIN_MS = 1_000
const UNANSWERED_MAX = 3
const BACK_OFF_MS = [0, 1_000, 2_000, 5_000, 15_000, 30_000]

/**
 * Keeps services running that outlive it: they are processes of their own session, found again by a note or
 * by their command line, restarted when they ended or no longer answer, and ended only when asked to.
 */
export function createSupervisor(options: SupervisorOptions) {
  const means: Means = { ...options, notes: createNotes(options) }
  const services = new Map<string, Service>()
  let timer: ReturnType<typeof setInterval> | null = null

  let told = ''
  const watch = () => {
    const now = [...services.values()].map(tale).join()
    if (told !== '' && told !== now) means.changed?.()
    told = now
    for (const service of services.values()) {
      if (service.wanted) void exclusive(service, () => lookAfter(means, service)).catch(() => undefined)
    }
  }

  return {
    /** Starts a service, or takes over the one that runs; resolves when it answers. Throws with the reason. */
    async start(name: string, definition: ServiceDefinition): Promise<void> {
      const service = services.get(name) ?? newService(name, definition)
      services.set(name, service)
      service.definition = definition
      service.wanted = true
      timer ??= unreferenced(setInterval(watch, means.watchMs ?? 500))
      await exclusive(service, () => bringUp(means, service))
    },

    /** Ends a service and forgets it. */
    async stop(name: string): Promise<void> {
      const service = services.get(name)
      if (service === undefined) return
      service.wanted = false
      await exclusive(service, () => bringDown(means, service))
      services.delete(name)
    },

    /** Ends all that it runs. */
    async stopAll(): Promise<void> {
      await Promise.all([...services.keys()].map((name) => this.stop(name)))
      this.release()
    },

    /** Stops looking after the services and leaves them running, for the next start to find. */
    release(): void {
      if (timer !== null) clearInterval(timer)
      timer = null
      for (const service of services.values()) service.wanted = false
    },

    /** The main process of a service, while it lives. */
    processOf(name: string): ProcessId | null {
      const running = services.get(name)?.running ?? null
      return running !== null && isAlive(running) ? running : null
    },

    names: (): string[] => [...services.keys()],

    states: (): Promise<ServiceState[]> => Promise.all([...services.values()].map(stateOf)),

    /** Services that an earlier start noted under names that are no longer wanted are ended gracefully. */
    async endOthers(prefix: string, keep: (name: string) => boolean): Promise<void> {
      for (const name of means.notes.names()) {
        if (!name.startsWith(prefix) || keep(name) || services.has(name)) continue
        const running = means.notes.read(name)
        if (running !== null) signal(running, 'SIGQUIT')
        means.notes.remove(name)
      }
    },
  }
}

function newService(name: string, definition: ServiceDefinition): Service {
  return {
    name,
    definition,
    running: null,
    proven: null,
    wanted: true,
    error: null,
    failures: 0,
    retryAt: 0,
    unanswered: 0,
    checkAt: 0,
    queue: Promise.resolve(),
  }
}

function exclusive(service: Service, run: () => Promise<void>): Promise<void> {
  const result = service.queue.then(run)
  service.queue = result.catch(() => undefined)
  return result
}

async function bringUp(means: Means, service: Service): Promise<void> {
  try {
    service.running = findRunning(means, service)
    if (service.running === null) await launch(means, service)
    else await refresh(means, service)
    service.error = null
    service.failures = 0
    await ask(means, service, 0)
  } catch (error) {
    service.error = error instanceof Error ? error : new Error(String(error))
    service.retryAt = performance.now() + (BACK_OFF_MS[service.failures] ?? 60_000)
    service.failures += 1
    means.report?.({ service: service.name, message: service.error.message })
    throw error
  }
}

/** A service that runs gets changed files when they would work; until then it goes on with what it has. */
async function refresh(means: Means, service: Service): Promise<void> {
  const { definition, running } = service
  if (running === null) return
  means.notes.write(service.name, running)
  if (definition.files.every(isWritten)) return
  await definition.check?.()
  writeFiles(means, definition)
  if (definition.reloadSignal !== undefined) signal(running, definition.reloadSignal)
  else {
    await bringDown(means, service)
    await launch(means, service)
  }
}

async function launch(means: Means, service: Service): Promise<void> {
  const { definition, name } = service
  const program = definition.argv[0] ?? ''
  if (!existsSync(program)) throw new Error(`${program} is not installed`)
  const restarted = readProcess((await means.launcher.restarted(name)) ?? 0)
  if (restarted !== null) {
    service.running = { pid: restarted.pid, startTicks: restarted.startTicks }
    await refresh(means, service)
    return
  }
  await endLeftovers(means, service)
  const [holder] = portHolders(definition.ports ?? [])
  if (holder !== undefined) throw new PortTaken(holder)
  definition.renew?.()
  await definition.check?.()
  writeFiles(means, definition)
  const pid = await means.launcher.launch(name, definition)
  const found = readProcess(pid)
  if (found === null) throw new Error(`${name} ended at once; see its log`)
  service.running = { pid, startTicks: found.startTicks }
  means.notes.write(name, service.running)
  const started = service.running
  const answered = await waitUntil(async () => !isAlive(started) || (await answers(service)), {
    timeoutMs: READY_MS,
  })
  if (!isAlive(started)) throw new Error(`${name} ended while starting; see its log`)
  if (!answered) throw new Error(`${name} does not answer`)
}

async function lookAfter(means: Means, service: Service): Promise<void> {
  if (!service.wanted || performance.now() < service.retryAt) return
  const { running } = service
  if (running === null || !isAlive(running)) {
    if (running !== null) means.report?.({ service: service.name, message: 'it ended and is started again' })
    await bringUp(means, service)
    return
  }
  // A halted process is seen without asking it.
  const halted = service.unanswered === 0 && isHalted(running)
  if (!halted && performance.now() < service.checkAt) return
  await ask(means, service, service.unanswered)
  if (service.unanswered < UNANSWERED_MAX) return
  means.report?.({ service: service.name, message: 'it no longer answers and is started again' })
  await killSession(running)
  await bringUp(means, service)
}

/** It runs as far as it answers: noted so, and asked again in time. */
async function ask(means: Means, service: Service, unanswered: number): Promise<void> {
  service.unanswered = (await answers(service)) ? 0 : unanswered + 1
  const probeMs = means.probeMs ?? PROBE_MS
  service.checkAt = performance.now() + (service.unanswered > 0 ? Math.min(probeMs, PROBE_AGAIN_MS) : probeMs)
}

async function answers(service: Service): Promise<boolean> {
  // A stopped process keeps its sockets, and the kernel goes on taking connections for it.
  const { running, definition } = service
  if (running === null || !isAlive(running) || isHalted(running)) return false
  try {
    // Asked only where it listens itself: the question may hold a secret. A socket stays with its process.
    if (service.proven !== running && !listensAlone(running.pid, definition.ports ?? [])) return false
    service.proven = running
    return await definition.ready()
  } catch {
    return false
  }
}

async function bringDown(means: Means, service: Service): Promise<void> {
  const running = service.running ?? findRunning(means, service)
  service.running = null
  if (running !== null) {
    const { stopSignal = 'SIGTERM', stopMs = 5_000 } = service.definition
    await means.launcher.beforeStop(service.name)
    signal(running, stopSignal)
    await waitUntil(() => sessionOf(running).length === 0, { timeoutMs: stopMs })
    await killSession(running)
  }
  means.notes.remove(service.name)
}

/**
 * Workers go on without their main process, and hold its ports. They are asked to end: they let the ports go
 * at once and finish what they are answering. A session's number is not reused while one of them lives.
 */
async function endLeftovers(means: Means, service: Service): Promise<void> {
  const noted = service.running ?? means.notes.read(service.name)
  if (noted === null) return
  for (const worker of sessionOf(noted)) signal(worker, 'SIGQUIT')
  const ports = service.definition.ports ?? []
  const left = () => sessionOf(noted).length === 0 || (ports.length > 0 && portHolders(ports).length === 0)
  if (!(await waitUntil(left, { timeoutMs: 2_000 }))) await killSession(noted)
}

async function killSession(main: ProcessId): Promise<void> {
  for (const member of sessionOf(main)) signal(member, 'SIGKILL')
  signal(main, 'SIGKILL')
  await waitUntil(() => sessionOf(main).length === 0, { timeoutMs: 2_000 })
}

/** The main process is its session's leader; a later process of that number would begin a session of its own. */
function sessionOf(main: ProcessId): ProcessId[] {
  const leader = readProcess(main.pid)
  if (leader !== null && leader.startTicks !== main.startTicks) return []
  return findProcesses((found) => found.session === main.pid)
}

function findRunning(means: Means, service: Service): ProcessId | null {
  const noted = service.running ?? means.notes.read(service.name)
  if (noted !== null && isAlive(noted)) return noted
  const mark = markOf(service.definition)
  // Killed between start and note: the command line, with the panel's own path in it, still tells.
  const [found] = findProcesses(({ pid, session }) => pid === session && bears(pid, mark))
  return found === undefined ? null : { pid: found.pid, startTicks: found.startTicks }
}

/** What is told of a service, and anew when it changes. */
const tale = (service: Service): string =>
  `${service.name}:${isWell(service)}:${service.error?.message ?? ''}`

function isWell({ running, unanswered }: Service): boolean {
  return running !== null && isAlive(running) && !isHalted(running) && unanswered === 0
}

const isHalted = (running: ProcessId): boolean => readProcess(running.pid)?.state === 'T'

async function stateOf(service: Service): Promise<ServiceState> {
  const { definition, running } = service
  const alive = running !== null && isAlive(running)
  const well = isWell(service)
  const version = alive && service.proven === running ? await definition.version?.().catch(() => null) : null
  return {
    name: service.name,
    running: well,
    version: version ?? null,
    advice: well ? null : advice(service, alive),
  }
}

function advice(service: Service, alive: boolean): Words {
  const { definition, error } = service
  if (!existsSync(definition.argv[0] ?? '')) return installIt(definition.package ?? service.name)
  if (error instanceof PortTaken) return error.advice
  if (alive) {
    return {
      es: 'No responde; tras tres intentos se vuelve a arrancar.',
      en: 'It does not answer; it is started again after three attempts.',
    }
  }
  if (error !== null) return failedStart(error, service.name)
  return { es: 'Ha terminado; se está arrancando de nuevo.', en: 'It ended; it is being started again.' }
}

/** What to do about a program that is not there. */
export const installIt = (packages: string): Words => ({
  es: `Instálelo: apt-get install ${packages}`,
  en: `Install it: apt-get install ${packages}`,
})

function isWritten(file: ServiceDefinition['files'][number]): boolean {
  const found = lstatSync(file.path, { throwIfNoEntry: false })
  return found?.isFile() === true && readFileSync(file.path, 'utf8') === file.content
}

function writeFiles(means: Means, definition: ServiceDefinition): void {
  for (const file of definition.files) {
    if (!isWritten(file)) writeWhole(means.temporaryDirectory, file)
  }
}

function unreferenced(timer: ReturnType<typeof setInterval>): ReturnType<typeof setInterval> {
  timer.unref()
  return timer
}

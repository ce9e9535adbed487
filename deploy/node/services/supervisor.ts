import { existsSync } from 'node:fs'
import type { ServiceState } from '../../../lib/endpoint/node-port.ts'
import { isOutOfSpace } from '../../../lib/text/root-message.ts'
import { sampleOf, wasShort, watchOwnTime } from '../host/processor.ts'
import type { Lend } from '../space/reserve.ts'
import { adviceFor } from './advice.ts'
import {
  isHalted,
  isWell,
  isWritten,
  newService,
  type Service,
  type ServiceDefinition,
  tale,
  writeFiles,
} from './definition.ts'
import type { Launcher } from './launcher.ts'
import { createNotes, type Notes } from './notes.ts'
import { lastingHolder, listensAlone, PortTaken, portHolders } from './ports.ts'
import {
  findProcesses,
  isAlive,
  isOver,
  killSession,
  type ProcessId,
  readProcess,
  sessionOf,
  signal,
  waitUntil,
} from './process.ts'
import { bears, markOf } from './recognition.ts'

export type SupervisorOptions = {
  /** Directory of the panel alone, for the notes about running services. */
  runDirectory: string
  temporaryDirectory: string
  launcher: Launcher
  /** Room for what a start writes on a full disk. */
  lend: Lend
  /** Told about what an operator should know; never holds a secret. */
  report?: (event: { service: string; message: string }) => void
  /** Called when a service began to run, to answer, or ceased to. */
  changed?: () => void
  /** How often services are looked after, milliseconds. */
  watchMs?: number
  /** How often they are asked for an answer, milliseconds; after three without one that they had a processor for, they start anew. */
  probeMs?: number
}

type Means = SupervisorOptions & { notes: Notes }

export type Supervisor = ReturnType<typeof createSupervisor>

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
  let fallen: string[] = []
  const wereWell = new WeakSet<Service>()
  /** Down after it worked, or could not be started; not while it is started for the first time. */
  const hasFallen = (service: Service): boolean => {
    if (isWell(service)) wereWell.add(service)
    return service.wanted && !isWell(service) && (wereWell.has(service) || service.error !== null)
  }
  const watch = () => {
    const now = [...services.values()].map(tale).join()
    fallen = [...services.values()].filter(hasFallen).map(({ name }) => name)
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

    /** The names of those that were down at the last look, without asking them. */
    fallen: (): string[] => fallen,

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

/** Gives a running service changed files if it would work with them; until then it goes on with those it has. */
async function refresh(means: Means, service: Service): Promise<void> {
  const { definition, running } = service
  if (running === null) return
  await note(means, service)
  // A reload changes files and not the arguments that it was started with.
  const asWanted = definition.marker !== undefined || bears(running.pid, markOf(definition))
  if (asWanted && definition.files.every(isWritten)) return
  await means.lend(async () => {
    await definition.check?.()
    writeFiles(definition, means.temporaryDirectory)
  })
  if (asWanted && definition.reloadSignal !== undefined) signal(running, definition.reloadSignal)
  else {
    await bringDown(means, service)
    await launch(means, service)
  }
}

async function launch(means: Means, service: Service): Promise<void> {
  const { definition, name } = service
  const program = definition.program ?? definition.argv[0] ?? ''
  if (!existsSync(program)) throw new Error(`${program} is not installed`)
  const restarted = readProcess((await means.launcher.restarted(name)) ?? 0)
  if (restarted !== null) {
    service.running = { pid: restarted.pid, startTicks: restarted.startTicks }
    await refresh(means, service)
    return
  }
  await endLeftovers(means, service)
  // Where there is no room for another one, it starts with the one that it had.
  await means.lend(async () => definition.renew?.()).catch(unlessFull)
  const holder = await lastingHolder(definition.ports ?? [])
  if (holder !== undefined) throw new PortTaken(holder)
  // What ends again and again is not for want of room.
  const mayHelp = (error: unknown) =>
    isOutOfSpace(error) || (service.failures === 0 && error instanceof EndedAtOnce)
  await means.lend(() => begin(means, service), mayHelp)
}

/** No service says why it ended, where there was no room for its log either. */
class EndedAtOnce extends Error {}

async function begin(means: Means, service: Service): Promise<void> {
  const { definition, name } = service
  await definition.check?.()
  writeFiles(definition, means.temporaryDirectory)
  const pid = await means.launcher.launch(name, definition)
  const found = readProcess(pid)
  if (found === null) throw new EndedAtOnce(`${name} ended at once; see its log`)
  const started = { pid, startTicks: found.startTicks }
  Object.assign(service, { running: started, starting: true })
  await note(means, service)
  const answered = await waitUntil(async () => !isAlive(started) || (await answers(service)), {
    timeoutMs: definition.startMs ?? READY_MS,
  }).finally(() => {
    service.starting = false
  })
  if (!isAlive(started)) throw new EndedAtOnce(`${name} ended while starting; see its log`)
  if (!answered) throw new Error(`${name} does not answer`)
}

/** Where there is no room for it, the command line tells as well. */
async function note(means: Means, { name, running }: Service): Promise<void> {
  if (running === null) return
  await means.lend(async () => means.notes.write(name, running)).catch(unlessFull)
}

function unlessFull(error: unknown): void {
  if (!isOutOfSpace(error)) throw error
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

/**
 * A service counts as running if it answers: this is noted, and it is asked again in time. Silence counts only where the
 * service and the panel had a processor: a service that is slow for want of one would not be quicker after a restart.
 */
async function ask(means: Means, service: Service, unanswered: number): Promise<void> {
  const own = watchOwnTime()
  const asked = listens(service)
  const answered = asked && (await answers(service))
  const heldUp = own.wasHeldUp() && asked
  const { running, sample: before } = service
  const mayRun = !answered && running !== null && !isHalted(running)
  service.sample = mayRun ? sampleOf(sessionOf(running)) : null
  service.short = before !== null && service.sample !== null && wasShort(before, service.sample)
  if (answered) service.unanswered = 0
  else service.unanswered = heldUp || service.short ? unanswered : unanswered + 1
  const probeMs = means.probeMs ?? PROBE_MS
  service.checkAt = performance.now() + (answered ? probeMs : Math.min(probeMs, PROBE_AGAIN_MS))
}

async function answers(service: Service): Promise<boolean> {
  return listens(service) && service.definition.ready().catch(() => false)
}

/** Asked only where it listens itself: the question may hold a secret. A socket stays with its process. */
function listens(service: Service): boolean {
  // A stopped process keeps its sockets, and the kernel goes on taking connections for it.
  const { running, definition } = service
  if (running === null || !isAlive(running) || isHalted(running)) return false
  if (service.proven === running) return true
  const looked = listensAlone(running.pid, definition.ports ?? [], service.look)
  service.look = looked === true ? null : looked
  if (looked === true) service.proven = running
  return looked === true
}

async function bringDown(means: Means, service: Service): Promise<void> {
  const running = service.running ?? findRunning(means, service)
  service.running = null
  if (running !== null) {
    const { stopSignal = 'SIGTERM', stopMs = 5_000 } = service.definition
    await means.launcher.beforeStop(service.name)
    signal(running, stopSignal)
    await waitUntil(() => isOver(running), { timeoutMs: stopMs })
    await killSession(running)
  }
  means.notes.remove(service.name)
}

/**
 * Workers go on without their main process and hold its ports. They are asked to end: they close the ports at once
 * and finish what they are answering. A session's number is not reused while one of them lives.
 */
async function endLeftovers(means: Means, service: Service): Promise<void> {
  const noted = service.running ?? means.notes.read(service.name)
  if (noted === null) return
  for (const worker of sessionOf(noted)) signal(worker, 'SIGQUIT')
  const ports = service.definition.ports ?? []
  const left = () => isOver(noted) || (ports.length > 0 && portHolders(ports).length === 0)
  if (!(await waitUntil(left, { timeoutMs: 2_000 }))) await killSession(noted)
  // A process that ends has its sockets, which then are nobody's, until its last thread has ended.
  await waitUntil(() => portHolders(ports).every(({ pid }) => pid !== null), { timeoutMs: 2_000 })
}

function findRunning(means: Means, service: Service): ProcessId | null {
  const noted = service.running ?? means.notes.read(service.name)
  if (noted !== null && isAlive(noted)) return noted
  const mark = markOf(service.definition)
  // The panel may have been killed between starting and noting the service: its command line, with the panel's own
  // path in it, still tells.
  const [found] = findProcesses(({ pid, session }) => pid === session && bears(pid, mark))
  return found === undefined ? null : { pid: found.pid, startTicks: found.startTicks }
}

async function stateOf(service: Service): Promise<ServiceState> {
  const { definition, running } = service
  const alive = running !== null && isAlive(running)
  const well = isWell(service)
  const version = alive && service.proven === running ? await definition.version?.().catch(() => null) : null
  return {
    name: service.name,
    running: well,
    version: version ?? null,
    advice: well ? null : adviceFor(service, alive),
  }
}

function unreferenced(timer: ReturnType<typeof setInterval>): ReturnType<typeof setInterval> {
  timer.unref()
  return timer
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What tells one process from a later one with the same number. */
export type ProcessId = { pid: number; startTicks: number }
export type ProcessState = ProcessId & { state: string; parent: number; session: number; name: string }

/** A process as /proc shows it; null when there is none. */
export function readProcess(pid: number): ProcessState | null {
  const stat = readProc(pid, 'stat')
  // The name may hold anything, a parenthesis too: the fields begin after the last one (proc(5)).
  const end = stat.lastIndexOf(')')
  if (end < 0) return null
  const fields = stat.slice(end + 2).split(' ')
  const [state = 'X', parent = '0', , session = '0'] = fields
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    state,
    parent: Number(parent),
    session: Number(session),
    startTicks: Number(fields[19] ?? 0),
  }
}

/** Whether this very process still lives; one that has ended but was not yet reaped does not. */
export function isAlive(process: ProcessId): boolean {
  const found = readProcess(process.pid)
  return found !== null && found.startTicks === process.startTicks && !'ZX'.includes(found.state)
}

/** The command line with blanks between the arguments. */
export function commandLine(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim()
}

/** The program that a process runs; null when it may not be seen. */
export function executable(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return null
  }
}

/** The user that a process runs as; null when it has ended. */
export function userOf(pid: number): number | null {
  const found = /^Uid:\t(\d+)/m.exec(readProc(pid, 'status'))?.[1]
  return found === undefined ? null : Number(found)
}

/** Whether the process is in a PID namespace of its own, as clients' programs are. */
export function isCaged({ pid }: ProcessId): boolean {
  const numbers = (of: string) => {
    try {
      return readlinkSync(`/proc/${of}/ns/pid`)
    } catch {
      return null
    }
  }
  const found = numbers(String(pid))
  return found !== null && found !== numbers('self')
}

/** Each thread of a process: what it ran, what it waited for a processor, and whether it could run now (proc(5)). */
export function threadsOf(pid: number): [number, { ranMs: number; waitedMs: number; wants: boolean }][] {
  return numbersIn(`/proc/${pid}/task`).map((id) => {
    const path = `${pid}/task/${id}`
    const [ran = 0, waited = 0] = readProc(path, 'schedstat').split(' ').map(Number)
    const stat = readProc(path, 'stat')
    const wants = stat[stat.lastIndexOf(')') + 2] === 'R'
    return [id, { ranMs: ran / 1e6, waitedMs: waited / 1e6, wants }]
  })
}

/** All processes for which the test holds. */
export function findProcesses(test: (found: ProcessState) => boolean): ProcessState[] {
  return numbersIn('/proc')
    .map(readProcess)
    .filter((found): found is ProcessState => found !== null && !'ZX'.includes(found.state) && test(found))
}

/** The same of those that have ended and that nobody has collected. */
export const deadProcesses = (test: (found: ProcessState) => boolean): ProcessState[] =>
  numbersIn('/proc')
    .map(readProcess)
    .filter((found): found is ProcessState => found?.state === 'Z' && test(found))

/** Sends a signal to this very process; false when it has ended. */
export function signal(target: ProcessId, name: NodeJS.Signals): boolean {
  if (!isAlive(target)) return false
  try {
    process.kill(target.pid, name)
    return true
  } catch {
    return false
  }
}

/**
 * Waits until a condition holds; false when it does not in time. Unless told how often, it looks the more rarely the
 * longer that takes: a look at all processes costs milliseconds, which the awaited one may lack.
 */
export async function waitUntil(
  test: () => boolean | Promise<boolean>,
  limits: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const begun = performance.now()
  while (!(await test())) {
    const passed = performance.now() - begun
    if (passed > limits.timeoutMs) return false
    await Bun.sleep(limits.everyMs ?? Math.min(10 + passed / 8, 100))
  }
  return true
}

function numbersIn(path: string): number[] {
  try {
    return readdirSync(path)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // The process has ended.
    return []
  }
}

/** Ends a main process with all that it began. */
export async function killSession(main: ProcessId): Promise<void> {
  for (const member of sessionOf(main)) signal(member, 'SIGKILL')
  signal(main, 'SIGKILL')
  await waitUntil(() => isOver(main), { timeoutMs: 2_000 })
}

/** Whether a main process has ended, and all that it began. It is asked first: to find the others takes longer. */
export function isOver(main: ProcessId): boolean {
  return !isAlive(main) && sessionOf(main).length === 0
}

/** The main process is its session's leader; a later process of that number would begin a session of its own. */
export function sessionOf(main: ProcessId): ProcessId[] {
  const leader = readProcess(main.pid)
  if (leader !== null && leader.startTicks !== main.startTicks) return []
  return findProcesses((found) => found.session === main.pid)
}

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

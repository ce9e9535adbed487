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

/** All processes for which the test holds. */
export function findProcesses(test: (found: ProcessState) => boolean): ProcessState[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found): found is ProcessState => found !== null && !'ZX'.includes(found.state) && test(found))
}

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

/** Waits until a condition holds; false when it does not in time. */
export async function waitUntil(
  test: () => boolean | Promise<boolean>,
  limits: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const end = performance.now() + limits.timeoutMs
  while (!(await test())) {
    if (performance.now() > end) return false
    await Bun.sleep(limits.everyMs ?? 10)
  }
  return true
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

import { realpathSync } from 'node:fs'
import type { Port, ServiceDefinition } from './definition.ts'
import { portHolders } from './ports.ts'
import { commandLine, executable, isAlive, type ProcessId, readProcess, userOf } from './process.ts'

/** What tells a service's main process from whatever else runs here. */
export type Mark = { program: string; commandLine: string; users: number[] }

export function markOf(definition: Pick<ServiceDefinition, 'argv' | 'program' | 'marker' | 'user'>): Mark {
  const { argv, program, marker, user } = definition
  const own = process.getuid?.() ?? 0
  return {
    program: program ?? argv[0] ?? '',
    commandLine: marker ?? argv.join(' '),
    users: user === undefined ? [own] : [own, user],
  }
}

/** Checks user and program as the kernel tells them too: a customer can give a program any command line. */
export function bears(pid: number, mark: Mark): boolean {
  return (
    mark.users.includes(userOf(pid) ?? -1) && runs(pid, mark) && commandLine(pid).includes(mark.commandLine)
  )
}

/** Whether a process that bears the mark listens on a port. It is looked for once: a socket stays with its process. */
export function holderOf(mark: Mark): (port: Port) => boolean {
  let seen: { process: ProcessId; port: number } | null = null
  return (port) => {
    if (seen?.port === port.port && isAlive(seen.process)) return true
    const [found] = portHolders([port]).flatMap(({ pid }) => (pid !== null && bears(pid, mark) ? [pid] : []))
    const process = found === undefined ? null : readProcess(found)
    seen = process === null ? null : { process, port: port.port }
    return seen !== null
  }
}

/** An upgrade of the package replaces the file below a program that runs on. */
function runs(pid: number, { program }: Mark): boolean {
  try {
    const path = realpathSync(program)
    return [path, `${path} (deleted)`].includes(executable(pid) ?? '')
  } catch {
    return false
  }
}

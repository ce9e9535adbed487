import { realpathSync } from 'node:fs'
import type { Port, ServiceDefinition } from './definition.ts'
import { portHolders } from './ports.ts'
import { commandLine, executable, userOf } from './process.ts'

/** What tells a service's main process from whatever else runs here. */
export type Mark = { program: string; commandLine: string; users: number[] }

export function markOf({ argv, marker, user }: Pick<ServiceDefinition, 'argv' | 'marker' | 'user'>): Mark {
  const own = process.getuid?.() ?? 0
  return {
    program: argv[0] ?? '',
    commandLine: marker ?? argv.join(' '),
    users: user === undefined ? [own] : [own, user],
  }
}

/** By the kernel's word for user and program besides: a customer gives a program of its own any command line. */
export function bears(pid: number, mark: Mark): boolean {
  return (
    mark.users.includes(userOf(pid) ?? -1) && runs(pid, mark) && commandLine(pid).includes(mark.commandLine)
  )
}

/** Whether the process that holds a port bears the mark. */
export function isHeldBy(port: Port, mark: Mark): boolean {
  return portHolders([port]).some(({ pid }) => pid !== null && bears(pid, mark))
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

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeFile, writeWhole } from '../host/files.ts'
import { commandLine, type ProcessId } from './process.ts'

export type Notes = ReturnType<typeof createNotes>

/**
 * Notes which process runs a service, by the service's name in a directory of the panel alone, so that the panel's
 * next start finds it. A note that was copied with its directory is void: its process belongs to the original.
 */
export function createNotes(options: { runDirectory: string; temporaryDirectory: string }) {
  const pathOf = (name: string) => join(options.runDirectory, `${name}.json`)

  const here = () => realpathSync(options.runDirectory)

  /** The process noted here; null when there is none, or when it was one before the last boot. */
  const read = (name: string): ProcessId | null => {
    try {
      const value: unknown = JSON.parse(readFileSync(pathOf(name), 'utf8'))
      if (typeof value !== 'object' || value === null) return null
      const { pid, startTicks, boot, place } = value as Record<string, unknown>
      if (typeof pid !== 'number' || typeof startTicks !== 'number' || boot !== bootId()) return null
      const isOurs = place === undefined ? worksIn(dirname(options.runDirectory), pid) : place === here()
      return isOurs ? { pid, startTicks } : null
    } catch {
      // Absent or cut short: then the command line finds it.
      return null
    }
  }

  return {
    read,

    write(name: string, running: ProcessId): void {
      const content = JSON.stringify({ ...running, boot: bootId(), place: here() })
      if (JSON.stringify(read(name)) === JSON.stringify(running)) return
      writeWhole({ path: pathOf(name), content, mode: 0o600 }, options.temporaryDirectory)
    },

    remove: (name: string) => void removeFile(pathOf(name)),

    /** The services that are noted. */
    names(): string[] {
      if (!existsSync(options.runDirectory)) return []
      return readdirSync(options.runDirectory).flatMap((file) =>
        file.endsWith('.json') ? [file.slice(0, -5)] : [],
      )
    },
  }
}

/** Older versions did not note the directory: then the command line must name a file of this one. */
const worksIn = (directory: string, pid: number): boolean =>
  commandLine(pid)
    .split(/[\s=()]/)
    .some((word) => word.startsWith(`${directory}/`))

/** Process numbers begin anew at each boot. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

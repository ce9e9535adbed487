import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeFile, writeWhole } from '../files/safe.ts'
import { commandLine, type ProcessId } from './process.ts'

export type Notes = ReturnType<typeof createNotes>

/**
 * Which process runs a service, noted by the service's name in a directory of the panel alone: the next start
 * of the panel finds it there again. A note that was copied with its directory counts for nothing: its process
 * is the original's.
 */
export function createNotes(options: { runDirectory: string; temporaryDirectory: string }) {
  const pathOf = (name: string) => join(options.runDirectory, `${name}.json`)

  const here = () => realpathSync(options.runDirectory)
  /** Versions that did not note the directory: then the command line has to name a file of this one. */
  const isOurs = (place: unknown, pid: number) =>
    place === undefined
      ? commandLine(pid)
          .split(/[\s=()]/)
          .some((word) => word.startsWith(`${dirname(options.runDirectory)}/`))
      : place === here()

  /** The process noted here; null when there is none, or when it was one before the last boot. */
  const read = (name: string): ProcessId | null => {
    try {
      const value: unknown = JSON.parse(readFileSync(pathOf(name), 'utf8'))
      if (typeof value !== 'object' || value === null) return null
      const { pid, startTicks, boot, place } = value as Record<string, unknown>
      if (typeof pid !== 'number' || typeof startTicks !== 'number' || boot !== bootId()) return null
      return isOurs(place, pid) ? { pid, startTicks } : null
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
      writeWhole(options.temporaryDirectory, { path: pathOf(name), content, mode: 0o600 })
    },

    remove(name: string): void {
      removeFile(pathOf(name))
    },

    /** The services that are noted. */
    names(): string[] {
      if (!existsSync(options.runDirectory)) return []
      return readdirSync(options.runDirectory).flatMap((file) =>
        file.endsWith('.json') ? [file.slice(0, -5)] : [],
      )
    },
  }
}

/** Process numbers begin anew at each boot. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

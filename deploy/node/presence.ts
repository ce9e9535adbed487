import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from './services/process.ts'

const NOTE = /^serving-(\d+)$/
/** Held open as long as this process lives: what is collected would be closed. */
const held: Database[] = []

/** Notes in the data directory that this process serves from it; answers how to take the note back. */
export function announce(dataDir: string): () => void {
  const path = join(dataDir, `serving-${process.pid}`)
  writeFileSync(path, String(readProcess(process.pid)?.startTicks ?? 0), { mode: 0o600 })
  return () => rmSync(path, { force: true })
}

/** The panels that serve from a data directory now; notes that crashed ones left are removed. */
export function servingFrom(dataDir: string): number[] {
  return readdirSync(dataDir).flatMap((name) => {
    const pid = Number(NOTE.exec(name)?.[1] ?? 0)
    if (pid === 0) return []
    const startTicks = Number(readFileSync(join(dataDir, name), 'utf8'))
    if (isAlive({ pid, startTicks })) return [pid]
    rmSync(join(dataDir, name), { force: true })
    return []
  })
}

/**
 * Takes a data directory for the panel that starts on it, for as long as this process lives: SQLite's lock is the
 * kernel's, which lets it go however the process ends. Answers null, or the process that has it (0 if not told).
 */
export function holdAlone(dataDir: string): number | null {
  const path = join(dataDir, 'serving.lock')
  const lock = new Database(path, { create: true, readwrite: true })
  try {
    lock.run('pragma busy_timeout = 0')
    lock.run('begin exclusive')
    held.push(lock)
    return null
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')) throw error
    lock.close()
    return lockerOf(path) ?? servingFrom(dataDir)[0] ?? 0
  }
}

/** The process that holds a lock of a file, by the kernel's word (proc_locks(5)). */
function lockerOf(path: string): number | undefined {
  const { ino } = statSync(path)
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const pids = fields.flatMap(([, , , , pid, file]) =>
    file?.split(':')[2] === String(ino) ? [Number(pid)] : [],
  )
  return pids.find((pid) => pid > 0 && pid !== process.pid)
}

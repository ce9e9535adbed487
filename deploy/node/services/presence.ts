import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfSpace } from '../../../lib/text/root-message.ts'
import { exists, writeWhole } from '../host/files.ts'
import { isAlive, readProcess } from './process.ts'

const NOTE = /^serving-(\d+)$/
const ENDING = ' ending'
/** Keeps the databases referenced: a collected one would be closed, and its lock released. */
const held: Database[] = []

/** Notes in the data directory that this process serves from it; answers how to take the note back. */
export function announce(dataDir: string): () => void {
  // Of those that crashed: on a full disk theirs is the room for this one.
  servingFrom(dataDir)
  writeNote(dataDir, '')
  return () => rmSync(ownNote(dataDir), { force: true })
}

/** Adds to the note that this process ends now, which takes some seconds; where there is no room, nobody is told. */
export function announceEnd(dataDir: string): void {
  try {
    if (exists(ownNote(dataDir))) writeNote(dataDir, ENDING)
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
  }
}

const ownNote = (dataDir: string) => join(dataDir, `serving-${process.pid}`)

function writeNote(dataDir: string, more: string): void {
  const content = `${readProcess(process.pid)?.startTicks ?? 0}${more}`
  writeWhole({ path: ownNote(dataDir), content, mode: 0o600 })
}

/** The panel that serves from a data directory and is ending; null where none does. */
export function endingFrom(dataDir: string): number | null {
  const notes = servingFrom(dataDir).map((pid) => ({ pid, path: join(dataDir, `serving-${pid}`) }))
  const ending = notes.find(({ path }) => exists(path) && readFileSync(path, 'utf8').endsWith(ENDING))
  return ending?.pid ?? null
}

/**
 * The panels that serve from a data directory now, by their notes, and by the lock of one for whose note there was no
 * room; notes that crashed ones left are removed.
 */
export function servingFrom(dataDir: string): number[] {
  const holder = lockerOf(join(dataDir, 'serving.lock'))
  const noted = notedIn(dataDir)
  return holder === undefined || noted.includes(holder) ? noted : [...noted, holder]
}

function notedIn(dataDir: string): number[] {
  return readdirSync(dataDir).flatMap((name) => {
    const pid = Number(NOTE.exec(name)?.[1] ?? 0)
    if (pid === 0) return []
    const startTicks = Number.parseInt(readFileSync(join(dataDir, name), 'utf8'), 10)
    if (isAlive({ pid, startTicks })) return [pid]
    rmSync(join(dataDir, name), { force: true })
    return []
  })
}

/** Why no second panel starts on a data directory; `pid` 0 where it is not known. */
export function runningLine(dataDir: string, pid: number): string {
  if (pid !== 0 && endingFrom(dataDir) === pid)
    return `the panel on ${dataDir} is ending (process ${pid}), which takes some seconds. Start this one after that`
  const who = pid === 0 ? 'another process' : `process ${pid}`
  return `a panel runs already on ${dataDir}: ${who}. Stop it first, or give this one another PANEL_DATA`
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
    // Nothing is ever written here, and a journal on the disk would need room there.
    lock.run('pragma journal_mode = memory')
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
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  const inode = `${deviceOf(found.dev)}:${found.ino}`
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const pids = fields.flatMap(([, , , , pid, file]) => (file === inode ? [Number(pid)] : []))
  return pids.find((pid) => pid > 0 && pid !== process.pid)
}

/** As the kernel prints it: the low byte is the minor number, but for what of it lies above the major's twelve bits. */
function deviceOf(dev: number): string {
  const [major, minor] = [(dev >>> 8) & 0xfff, (dev & 0xff) | ((dev >>> 12) & 0xfff00)]
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':')
}

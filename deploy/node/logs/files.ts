import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogKind } from '../../../lib/endpoint/ports/logs.ts'
import { exists, hasCode, removeFile, writeQuickly } from '../host/files.ts'
import { type Count, countOf, dayAndHour, emptyDay, HOUR_BYTES, HOURS, hourLine, sumOf } from './hours.ts'
import { type FileKind, fileOf, filesOf, type LogFile } from './names.ts'
import type { AddedBySite } from './split.ts'

export type LogLimits = {
  /** How long a file is kept after its day. */
  days: number
  /** How much of a kind is kept of a site. */
  bytes: number
}

/** What a file was before a change that may not have ended: so long, or with this text at a place. */
type Undo = { file: string; length: number } | { file: string; at: number; text: string }

/** `cursor` is how far the web server's log has been taken; `taken` the last of PHP's logs, `<client>/<name>`. */
type State = { cursor: string | null; taken: string | null; undo: Undo[] }

type Change = { undo: Undo; site: number; path: string; text: string }

const DAY_MS = 86_400_000
/** Files end after this part of what is kept, which goes in such steps. */
const PARTS = 8
const SHORTEST_PART = 65_536
const READABLE = 0o644

type Options = { root: string; limits: LogLimits; now: () => Date }

/**
 * The logs of all sites, each in a directory of its own that root alone changes. What is taken from where a log was
 * before is noted in the same file as what that adds, so that a kill at any moment neither loses a row nor gives it
 * twice: an addition that was not noted as ended is undone and made again.
 */
export class LogFiles {
  readonly #options: Options
  #state: State

  constructor(options: Options) {
    this.#options = options
    this.#state = readState(statePath(options.root))
  }

  get cursor(): string | null {
    return this.#state.cursor
  }

  get taken(): string | null {
    return this.#state.taken
  }

  /** Undoes an addition that a kill cut short; to be called before anything is read. */
  recover(): void {
    this.#undo(this.#state.undo)
    this.#state = { ...this.#state, undo: [] }
  }

  /** Adds rows, together with how far that goes; on a failure nothing is added. Of a site that is gone they are dropped. */
  add(sites: AddedBySite, reached: Partial<Pick<State, 'cursor' | 'taken'>>): void {
    const changes = [...sites].flatMap(([site, { visits, php, hours }]) =>
      exists(this.#directoryOf(site))
        ? [
            ...this.#rows(site, 'acceso', visits),
            ...this.#rows(site, 'php', php),
            ...this.#hours(site, hours),
          ]
        : [],
    )
    const undo = changes.map((change) => change.undo)
    if (changes.length > 0) this.#save({ ...this.#state, undo })
    try {
      for (const change of changes) apply(change)
      const next = { ...this.#state, ...reached, undo: [] }
      this.#save(next)
      this.#state = next
    } catch (error) {
      this.#undo(undo)
      throw error
    }
    const begun = changes.filter((change) => 'length' in change.undo && change.undo.length === 0)
    for (const site of new Set(begun.map((change) => change.site))) this.prune(site)
  }

  /** Removes what is kept no longer: by its day, and from the oldest on beyond the size. */
  prune(site: number): void {
    const { limits, now } = this.#options
    const oldest = new Date(now().getTime() - limits.days * DAY_MS).toISOString().slice(0, 10)
    for (const kind of ['acceso', 'php', 'horas'] as const) {
      const files = filesOf(this.#directoryOf(site), kind).map(({ name, day }) => {
        const path = join(this.#directoryOf(site), name)
        return { day, path, length: lengthOf(path) }
      })
      let total = files.reduce((sum, { length }) => sum + length, 0)
      for (const { day, path, length } of files) {
        if (day >= oldest && total <= limits.bytes) break
        removeFile(path)
        total -= length
      }
    }
  }

  /** Where lines of that kind go now, and how long that file is. */
  #target(site: number, kind: FileKind, more: number): { file: LogFile; length: number } {
    const { limits, now } = this.#options
    const today = now().toISOString().slice(0, 10)
    const newest = filesOf(this.#directoryOf(site), kind).at(-1)
    // A clock that was set back begins no earlier file: the order of names is that of rows.
    if (newest === undefined || newest.day < today) return { file: fileOf(kind, today, 0), length: 0 }
    const length = lengthOf(join(this.#directoryOf(site), newest.name))
    const longest = Math.max(limits.bytes / PARTS, SHORTEST_PART)
    if (length === 0 || length + more <= longest) return { file: newest, length }
    return { file: fileOf(kind, newest.day, newest.part + 1), length: 0 }
  }

  #rows(site: number, kind: LogKind, rows: string[]): Change[] {
    if (rows.length === 0) return []
    const text = `${rows.join('\n')}\n`
    const { file, length } = this.#target(site, kind, text.length)
    const path = join(this.#directoryOf(site), file.name)
    return [{ undo: { file: join(String(site), file.name), length }, site, path, text }]
  }

  #hours(site: number, hours: Map<number, Count>): Change[] {
    return [...hours].map(([at, count]) => {
      const { day, hour } = dayAndHour(at)
      const { name } = fileOf('horas', day, 0)
      const path = join(this.#directoryOf(site), name)
      if (lengthOf(path) !== HOUR_BYTES * HOURS) makeDay(this.#options.root, path, day)
      const before = readAt(path, hour * HOUR_BYTES, HOUR_BYTES)
      const text = hourLine(day, hour, sumOf(countOf(before), count))
      return {
        undo: { file: join(String(site), name), at: hour * HOUR_BYTES, text: before },
        site,
        path,
        text,
      }
    })
  }

  #directoryOf(site: number): string {
    return join(this.#options.root, String(site))
  }

  #undo(undo: Undo[]): void {
    for (const one of undo) takeBack(this.#options.root, one)
  }

  #save(state: State): void {
    const content = JSON.stringify(state)
    writeQuickly({ path: statePath(this.#options.root), content, mode: 0o600 })
  }
}

const statePath = (root: string) => join(root, 'state.json')

/** A file that cannot be read is one of a machine that lost power: everything is taken from the beginning. */
function readState(path: string): State {
  const empty: State = { cursor: null, taken: null, undo: [] }
  try {
    return { ...empty, ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<State>) }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return empty
    throw error
  }
}

const lengthOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Made in the logs' root, which each start clears of what a killed process left: a site's own directory is not. */
function makeDay(root: string, path: string, day: string): void {
  writeQuickly({ path, content: emptyDay(day), mode: READABLE }, root)
}

function readAt(path: string, at: number, length: number): string {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, length, at))
  } finally {
    closeSync(handle)
  }
}

function apply({ undo, path, text }: Change): void {
  const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, READABLE)
  try {
    // The process's mask closes what it makes.
    if ((fstatSync(handle).mode & 0o777) !== READABLE) fchmodSync(handle, READABLE)
    const bytes = Buffer.from(text)
    const start = 'length' in undo ? undo.length : undo.at
    for (let done = 0; done < bytes.length; )
      done += writeSync(handle, bytes, done, bytes.length - done, start + done)
  } finally {
    closeSync(handle)
  }
}

/** What has gone meanwhile needs nothing taken back. */
function takeBack(root: string, undo: Undo): void {
  const path = join(root, undo.file)
  const length = lengthOf(path)
  if ('length' in undo) {
    if (length > undo.length) truncateSync(path, undo.length)
    return
  }
  if (length < undo.at + undo.text.length) return
  const handle = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    writeSync(handle, undo.text, undo.at, 'latin1')
  } finally {
    closeSync(handle)
  }
}

import type { ParsedZone } from '../../dns/zonefile/zonefile.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { ArchiveReader, RulesText } from '../../endpoint/ports/imports.ts'
import type { Packing } from '../../endpoint/ports/loads.ts'
import { type FoundRules, isRules, RulesFound } from './rules.ts'

/** What was found in an archive, as its panel wrote it: nothing of it is believed before it was decided on. */
export type Contents = {
  sites: FoundSite[]
  databases: FoundDatabase[]
  zones: { name: string; text: string }[]
  tasks: { pattern: string; command: string }[]
  /** The site that each of these directories of the old server was. */
  homes: { path: string; domain: string }[]
  left: Left[]
}

/** The same with its zones' records, which take longer to read than all else. */
export type ReadContents = Omit<Contents, 'zones'> & { zones: ({ name: string } & ParsedZone)[] }

export type FoundSite = {
  domain: string
  aliases: string[]
  php: string | null
  content: SiteContent
  /** As it lies in the archive; null where that is not told. */
  bytes: number | null
  /** Its `.htaccess` files; null where they could not be read. */
  rules: FoundRules[] | null
  /** Whom the old panel asked for a password before all of the site. */
  asked: string[]
}

/** Where a site's files are: in the archive, or in an archive within it. */
export type SiteContent = {
  member: string | null
  folder: string
  /** Folders below it that are other sites'. */
  without: string[]
}

export type FoundDatabase = { name: string; member: string; packing: Packing; bytes: number }

export const LEFT_KINDS = [
  'sitio',
  'alias',
  'base',
  'zona',
  'registro',
  'programada',
  'correo',
  'ftp',
  'ssl',
  'proteccion',
  'usuario_de_base',
  'archivos',
] as const
/** What is not taken, and the code that says why. */
export type Left = { kind: (typeof LEFT_KINDS)[number]; name: string; why: string }

/** Most things of a kind that are taken from one archive. */
export const MOST = 500
/** Most lines of one of its files, and so most of what it names that is left out. */
export const MOST_LINES = 1_000
/** Most aliases of all of its sites. */
const MOST_ALIASES = 2_000
const MOST_TEXTS = 5_000
/** Longer than any path that Linux opens. */
const MOST_PATH = 4_096
/** All names that are kept while an archive is read. */
const MOST_NAMES = 16 * 1_048_576

const dangerous = () => new AppError('archivo_peligroso')

/** Refuses more than a customer of any panel has, before anything is asked about each. */
export function requireBounded({ sites, databases, zones, tasks }: Contents): void {
  if ([sites, databases, zones, tasks].some((list) => list.length > MOST)) throw dangerous()
  if (sites.reduce((sum, { aliases }) => sum + aliases.length, 0) > MOST_ALIASES) throw dangerous()
}

/** What is found in each of these, up to as much as is told. */
export const firstOf = <T, U>(all: Iterable<T>, found: (one: T) => U[]): U[] =>
  Iterator.from(all).flatMap(found).take(MOST_LINES).toArray()

/** The first lines of a text. */
export const linesOf = (text: string): string[] => text.split('\n', MOST_LINES)

/** The list of an archive, gathered while it is read; more than fits into memory is refused. */
export class Listing {
  readonly files = new Map<string, number>()
  readonly texts = new Map<string, string>()
  /** Bytes below each folder, as deep as this matters. */
  readonly folders = new Map<string, number>()
  readonly #rules = new RulesFound(dangerous)
  readonly #isText: RegExp
  readonly #isInner: RegExp | null
  readonly #home: RegExp | null
  readonly #isKept: RegExp
  #names = 0
  #children: Map<string, string[]> | null = null

  /** `.htaccess` files are those below `home`, or those of the archives within it that `inner` fits. */
  constructor({ texts, kept, inner, home }: { texts: RegExp; kept: RegExp; inner?: RegExp; home?: RegExp }) {
    this.#isText = texts
    this.#isKept = kept
    this.#isInner = inner ?? null
    this.#home = home ?? null
  }

  isRules = (path: string): boolean => this.#home?.test(path) === true && isRules(path)

  rules = (path: string, content: RulesText): void => this.#rules.add(null, { path, content })

  inner = (member: string): ReturnType<ArchiveReader['inner']> =>
    this.#isInner?.test(member)
      ? {
          isRules,
          rules: (path, content) => this.#rules.add(member, { path, content }),
          unreadable: () => this.#rules.giveUp(member),
        }
      : null

  /** The `.htaccess` files of a site, and those above it; null where they could not be read. */
  rulesOf = (content: SiteContent): FoundRules[] | null => this.#rules.of(content)

  isText = (path: string): boolean => this.#isText.test(path)

  text = (path: string, content: string): void => {
    if (this.texts.size >= MOST_TEXTS) throw dangerous()
    this.texts.set(path, content)
  }

  entry = (path: string, bytes: number): void => {
    if (path.length > MOST_PATH) throw dangerous()
    if (this.#isKept.test(path) || this.isText(path)) this.#put(this.files, path, bytes)
    for (let depth = 1, end = path.indexOf('/'); end >= 0 && depth <= FOLDER_DEPTH; depth++) {
      const folder = path.slice(0, end)
      this.#put(this.folders, folder, (this.folders.get(folder) ?? 0) + bytes)
      end = path.indexOf('/', end + 1)
    }
  }

  #put(into: Map<string, number>, path: string, bytes: number): void {
    if (!into.has(path)) this.#names += path.length
    if (this.#names > MOST_NAMES) throw dangerous()
    into.set(path, bytes)
  }

  /** A file by its name before what tells of its packing. */
  packed(start: string): string | undefined {
    return PACKED.map((end) => `${start}${end}`).find((path) => this.files.has(path))
  }

  /** The names right below a folder; all have been read by then. */
  below(folder: string): string[] {
    this.#children ??= Map.groupBy(new Set([...this.files.keys(), ...this.folders.keys()]), (path) =>
      path.slice(0, Math.max(path.lastIndexOf('/'), 0)),
    )
    return (this.#children.get(folder) ?? []).map((path) => path.slice(folder.length + 1)).sort()
  }
}

const PACKED = ['', '.gz', '.zst']
/** A home, a folder of it, and a document root two below that. */
const FOLDER_DEPTH = 5

/** The ends of a dump's name. */
export const packingOf = (name: string): Packing =>
  name.endsWith('.gz') ? 'gzip' : name.endsWith('.zst') ? 'zstd' : 'none'

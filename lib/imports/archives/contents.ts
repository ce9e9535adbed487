import type { Packing } from '../../endpoint/ports/loads.ts'

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

export type FoundSite = {
  domain: string
  aliases: string[]
  php: string | null
  content: SiteContent
  /** As it lies in the archive; null where that is not told. */
  bytes: number | null
}

/** Where a site's files are: in the archive, or in an archive within it. */
type SiteContent = {
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
  'usuario_de_base',
  'archivos',
] as const
/** What is not taken, and the code that says why. */
export type Left = { kind: (typeof LEFT_KINDS)[number]; name: string; why: string }

/** The list of an archive, gathered while it is read. */
export class Listing {
  readonly files = new Map<string, number>()
  readonly texts = new Map<string, string>()
  /** Bytes below each folder, as deep as this matters. */
  readonly folders = new Map<string, number>()
  readonly #isText: RegExp
  readonly #isKept: RegExp

  constructor({ texts, kept }: { texts: RegExp; kept: RegExp }) {
    this.#isText = texts
    this.#isKept = kept
  }

  isText = (path: string): boolean => this.#isText.test(path)
  text = (path: string, content: string): void => void this.texts.set(path, content)

  entry = (path: string, bytes: number): void => {
    if (this.#isKept.test(path) || this.isText(path)) this.files.set(path, bytes)
    const parts = path.split('/')
    for (let depth = 1; depth <= Math.min(parts.length - 1, FOLDER_DEPTH); depth++) {
      const folder = parts.slice(0, depth).join('/')
      this.folders.set(folder, (this.folders.get(folder) ?? 0) + bytes)
    }
  }

  /** Each different first name below a folder. */
  below(folder: string): string[] {
    const names = [...this.files.keys(), ...this.folders.keys()].flatMap((path) =>
      path.startsWith(`${folder}/`) ? (path.slice(folder.length + 1).split('/')[0] ?? []) : [],
    )
    return [...new Set(names)].sort()
  }
}

/** A home, a folder of it, and a document root two below that. */
const FOLDER_DEPTH = 5

/** The ends of a dump's name. */
export const packingOf = (name: string): Packing =>
  name.endsWith('.gz') ? 'gzip' : name.endsWith('.zst') ? 'zstd' : 'none'

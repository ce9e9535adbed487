import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Caged } from '../../../lib/endpoint/node-port.ts'
import type { ArchiveReader, ImportArchive } from '../../../lib/endpoint/ports/imports.ts'
import { type Listed, type Sink, TarIndex } from '../backups/tar-index.ts'
import { whileWanted } from '../cage/while-wanted.ts'
import { BSDTAR, literally } from '../customer-files/archives.ts'
import { sizeOf } from './directory.ts'
import { feedArchive, type Means, pass, start } from './programs.ts'
import { bare, InnerArchives, rulesIndex, rulesSink, tellLink } from './rules.ts'

/** Has any format and packing told as one plain archive. */
const PLAIN = [BSDTAR, '-cf', '-', '--format=pax', '@-'] as const
const MOST_ENTRIES = 1_000_000
/** Files that tell of an archive are small, and few. */
const MOST_TEXT_BYTES = 1_048_576
const MOST_TEXTS_BYTES = 16 * 1_048_576
/** A small archive that unpacks to more than this, and to more than so many times its size, is one to do harm. */
const PLAIN_BYTES = 512 * 1_048_576
const MOST_RATIO = 250

const dangerous = (cause?: unknown) => new AppError('archivo_peligroso', {}, { cause })

/** Reads the list of an archive, and its small files. */
export async function readArchive(
  means: Means,
  archive: ImportArchive,
  { reader, signal }: { reader: ArchiveReader; signal: AbortSignal },
): Promise<void> {
  const most = mostOf(means, archive)
  const plain = await start(means, archive.clientId, { argv: PLAIN })
  const running = [plain]
  const texts = new Texts(reader)
  const inner = new InnerArchives(
    async () => {
      const one = await start(means, archive.clientId, { argv: PLAIN })
      running.push(one)
      return one
    },
    (program, found) => follow(program, rulesIndex(found), { most }),
  )
  let entries = 0
  const index = new TarIndex(
    (entry) => {
      if (++entries > MOST_ENTRIES) throw dangerous()
      if (entry.kind === 'archivo') reader.entry(bare(entry), entry.bytes)
      tellLink(reader, entry)
    },
    { content: (entry) => sinkOf(reader, { entry, inner }) ?? texts.sinkFor(entry) },
  )
  await whileWanted(running, signal, async () => {
    await Promise.all([
      feedArchive(means, archive, plain),
      follow(plain, index, { most, drained: () => inner.drained() }),
    ])
    await inner.ended()
    await requireRead(plain)
  })
}

type Passing = { entry: Listed; inner: InnerArchives }

function sinkOf(reader: ArchiveReader, { entry, inner }: Passing): Sink | null {
  if (entry.kind !== 'archivo') return null
  const found = reader.inner(bare(entry))
  return found ? inner.sinkFor(found) : rulesSink(reader, entry)
}

const mostOf = ({ directory }: Means, { name }: ImportArchive) =>
  Math.max(PLAIN_BYTES, sizeOf(directory, name) * MOST_RATIO)

type Following = { most: number; drained?: () => Promise<void> }

async function follow({ stdout }: Caged, index: TarIndex, { most, drained }: Following): Promise<void> {
  let left = most
  for await (const part of stdout) {
    left -= part.length
    if (left < 0) throw dangerous()
    index.feed(part)
    await drained?.()
  }
}

/** What bsdtar cannot read to its end is no archive, or one that was cut off. */
async function requireRead(program: Caged): Promise<void> {
  const { code, reason, stderr } = await program.ended
  if (reason === 'exit' && code === 0) return
  if (reason !== 'exit') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
  throw new AppError('importacion_no_reconocida', {}, { cause: new Error(stderr.slice(-300)) })
}

/** Gathers the files that a reader wants, within bounds. */
class Texts {
  readonly #reader: ArchiveReader
  #left = MOST_TEXTS_BYTES

  constructor(reader: ArchiveReader) {
    this.#reader = reader
  }

  sinkFor(entry: Listed): Sink | null {
    const path = bare(entry)
    if (entry.kind !== 'archivo' || !this.#reader.isText(path)) return null
    this.#left -= entry.bytes
    if (entry.bytes > MOST_TEXT_BYTES || this.#left < 0) throw dangerous()
    const parts: Uint8Array[] = []
    let gathered = 0
    return {
      add(part) {
        gathered += part.length
        // An archive may say that a file is smaller than what it holds.
        if (gathered > MOST_TEXT_BYTES) throw dangerous()
        parts.push(Uint8Array.from(part))
      },
      end: () => this.#reader.text(path, Buffer.concat(parts).toString()),
    }
  }
}

export type Counted = { bytes: number; links: number }
type Inner = { archive: ImportArchive; content: { member: string | null; folder: string; without: string[] } }

/** Options by which bsdtar takes a folder alone, without those below it that are other sites'. */
export const chosen = ({ folder, without }: Inner['content']): string[] => [
  ...without.flatMap((one) => ['--exclude', `^${literally(one)}`]),
  '--include',
  literally(folder),
]

/** Counts what would be unpacked, and refuses what no site holds. */
export async function countContent(
  means: Means,
  { archive, content }: Inner,
  { room, signal }: { room: number; signal: AbortSignal },
): Promise<Counted> {
  const argv = [BSDTAR, '-cf', '-', '--format=pax', ...chosen(content), '@-'] as const
  const bound = Math.min(room, mostOf(means, archive))
  const plain = await start(means, archive.clientId, { argv })
  const counted = { bytes: 0, links: 0, entries: 0 }
  // Headers and padding besides.
  const most = bound + MOST_SITE_ENTRIES * ENTRY_BYTES
  const index = new TarIndex(
    ({ path, kind, bytes }) => {
      counted.entries++
      counted.bytes += bytes
      if (kind === 'enlace') counted.links++
      if (counted.entries > MOST_SITE_ENTRIES || counted.bytes > bound || path.split('/').includes('..'))
        throw dangerous()
    },
    {
      other() {
        throw dangerous()
      },
    },
  )
  await feedContent(
    means,
    { archive, content },
    { to: plain, signal, read: () => follow(plain, index, { most }) },
  )
  return counted
}
const MOST_SITE_ENTRIES = 500_000
const ENTRY_BYTES = 8_192

type Feeding = { to: Caged; signal: AbortSignal; read: () => Promise<void> }

/** Passes a site's content on: the archive itself, or the archive within it. */
export async function feedContent(
  means: Means,
  { archive, content }: Inner,
  feeding: Feeding,
): Promise<void> {
  const { to, signal, read } = feeding
  const { member } = content
  const opener =
    member === null
      ? null
      : await start(means, archive.clientId, { argv: [BSDTAR, '-xOqf', '-', '--', literally(member)] })
  await whileWanted(opener ? [opener, to] : [to], signal, async () => {
    const feeding = opener
      ? [feedArchive(means, archive, opener), pass(opener.stdout, to)]
      : [feedArchive(means, archive, to)]
    await Promise.all([...feeding, read()])
    const { code, reason, stderr } = await to.ended
    if (reason === 'exit' && code === 0) return
    if (/No space left|Disk quota exceeded|File too large/.test(stderr)) throw new AppError('sin_espacio')
    if (reason !== 'exit') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
    throw dangerous(new Error(stderr.slice(-300)))
  })
}

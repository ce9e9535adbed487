import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Caged, NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { Backups, Repository, SiteOfCopy } from '../../../lib/endpoint/ports/backups.ts'
import type { FileEntry } from '../../../lib/endpoint/ports/files.ts'
import { CageRefused } from '../cage/cage.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import { ensureSiteDirectories, type Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { STAGING } from '../files/layout.ts'
import { DEEPEST, Lacking } from './lacking.ts'
import pack from './pack.pl' with { type: 'text' }
import { KEPT_NAME, keepStream, readSnapshot } from './restic.ts'
import { type Listed, TarIndex } from './tar-index.ts'
import type { Places } from './target.ts'

export type Node = { layout: Layout; identity: Identity; runCaged: NodeDriver['runCaged'] }

const TOO_DEEP = `./${Array(DEEPEST + 1)
  .fill('*')
  .join('/')}`

/**
 * The same bytes for the same files, whatever process makes them. Logs and what is not whole yet are no part of a
 * site.
 */
const TAR = [
  '/usr/bin/tar',
  ...['--create', '--file=-', '--format=pax', '--sparse', '--sort=name', '--numeric-owner'],
  ...['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime', '--anchored'],
  ...[`--exclude=./${STAGING}`, '--exclude=./registros'],
  ...['--wildcards', '--no-wildcards-match-slash', `--exclude=${TOO_DEEP}`],
] as const

const PERL = '/usr/bin/perl'

/** Starts a program in a client's cage, of whose sites it sees this one. */
export async function startIn(
  { layout, identity, runCaged }: Node,
  site: SiteOfCopy,
  program: { argv: readonly [string, ...string[]]; readOnly?: boolean; stdin?: 'pipe'; fileBytes?: number },
): Promise<Caged> {
  ensureSiteDirectories(layout, identity, site)
  try {
    return await runCaged({
      client: { clientId: site.clientId, sites: [site] },
      sees: { site: site.domain },
      deadlineMs: LONG_MS * 6,
      ...program,
    })
  } catch (error) {
    if (!(error instanceof CageRefused)) throw error
    throw new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause: error })
  }
}

/** Keeps a site's files as one archive that its client writes, and the list of what is in it. */
export async function keepSite(
  node: Node & { places: Places },
  repository: Repository,
  { site, path, ...options }: { site: SiteOfCopy } & Parameters<Backups['keepSite']>[2],
): ReturnType<Backups['keepSite']> {
  const caged = await startIn(node, site, {
    argv: [PERL, '-e', pack, '--', path, ...TAR, '-C', `/sitios/${site.domain}`, '.'],
    readOnly: true,
  })
  const list = createGzip()
  const packed: Uint8Array[] = []
  list.on('data', (part: Buffer) => packed.push(part))
  const listed = new Promise<void>((resolve) => list.once('end', resolve))
  const lacking = new Lacking(path)
  const index = new TarIndex((entry) => {
    lacking.pass(entry)
    list.write(`${JSON.stringify(entry)}\n`)
  })
  async function* passing() {
    for await (const part of caged.stdout) {
      index.feed(part)
      yield part
    }
    lacking.end(await caged.ended)
  }
  try {
    const content = streamOf(passing())
    const kept = await keepStream(node.places, repository, { name: KEPT_NAME, content, ...options })
    list.end()
    await listed
    const names = streamOf(packed.values())
    const about = await keepStream(node.places, repository, { name: KEPT_NAME, content: names, ...options })
    return { ...kept, index: about.snapshot, ...lacking.told() }
  } finally {
    caged.stop()
  }
}

/** The entries of a folder, by the list that was kept beside the files. */
export async function folderOf(
  places: Places,
  repository: Repository,
  { index, path }: { index: string; path: string },
): Promise<FileEntry[] | null> {
  const packed = Readable.from(readSnapshot(places, repository, index))
  const plain = packed.pipe(createGunzip())
  packed.on('error', (error) => plain.destroy(error))
  const entries: FileEntry[] = []
  let there = path === '/'
  const below = path === '/' ? '/' : `${path}/`
  for await (const line of createInterface({ input: plain })) {
    const { path: own, ...entry } = JSON.parse(line) as Listed
    if (own === path && entry.kind === 'carpeta') there = true
    const name = own.slice(below.length)
    if (!own.startsWith(below) || name === '' || name.includes('/')) continue
    entries.push({ ...entry, name, modified: new Date(entry.modified) })
  }
  return there ? entries.sort((a, b) => (a.name < b.name ? -1 : 1)) : null
}

function streamOf(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const each = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await each.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

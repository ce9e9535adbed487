import { Readable } from 'node:stream'
import { AppError, isRefusal } from '../../../lib/endpoint/errors.ts'
import type { Caged } from '../../../lib/endpoint/node-port.ts'
import type { ArchiveOfCopy, Repository } from '../../../lib/endpoint/ports/backups.ts'
import { CageRefused } from '../cage/cage.ts'
import { BSDTAR } from '../customer-files/archives.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import { DOWNLOAD_PACE, downloadSlots, paced } from '../databases/paced.ts'
import { readSnapshot } from './restic.ts'
import { bytesBelow, type Means, patternOf } from './restore.ts'

const GZIP = '/usr/bin/gzip'
/** At a time on the node; each runs a restic of some 100 MB. */
const MOST_OPEN = 2

/**
 * Makes archives of what was kept while they are read. restic hands the bytes to a program in the client's cage, which
 * sees no file and packs them. What fails or is no longer read ends both, and breaks off before the end that would make
 * it look whole.
 */
export function createArchives(means: Means) {
  const begin = downloadSlots(MOST_OPEN)
  return async (repository: Repository, wanted: ArchiveOfCopy): Promise<ReadableStream<Uint8Array>> => {
    const end = begin(wanted.clientId)
    try {
      if (wanted.files !== null) await requireThere(means, repository, wanted.files)
      const source = readSnapshot(means.places, repository, wanted.snapshot).getReader()
      // So that a destination that does not answer is told as an error, and not as a download that breaks off.
      const first = await source.read()
      const caged = await startPacking(means, wanted).catch((error) => {
        void source.cancel().catch(() => {})
        throw error
      })
      void caged.ended.finally(() => {
        void source.cancel().catch(() => {})
        end()
      })
      const archive = Readable.from(packed({ source, first, caged }), { objectMode: false })
      // Also of one whose reader left before the first byte.
      archive.on('error', () => {}).once('close', caged.stop)
      return paced(archive, DOWNLOAD_PACE)
    } catch (error) {
      end()
      throw error
    }
  }
}

async function requireThere(
  { places }: Means,
  repository: Repository,
  files: NonNullable<ArchiveOfCopy['files']>,
) {
  try {
    await bytesBelow(places, { repository, ...files })
  } catch (error) {
    throw isRefusal(error, 'archivo_no_existe') ? new AppError('archivo_no_existe') : error
  }
}

const programOf = ({ files }: ArchiveOfCopy): [string, ...string[]] => {
  if (files === null) return [GZIP, '-c']
  const only = files.path === '/' ? [] : ['--include', patternOf(files.path)]
  return [BSDTAR, '-czf', '-', '--format', 'pax', ...only, '@-']
}

async function startPacking({ runCaged }: Means, wanted: ArchiveOfCopy): Promise<Caged> {
  const client = { clientId: wanted.clientId, sites: [] }
  try {
    return await runCaged({
      ...{ client, sees: 'client', argv: programOf(wanted) },
      ...{ readOnly: true, stdin: 'pipe', deadlineMs: LONG_MS * 6 },
    })
  } catch (error) {
    if (!(error instanceof CageRefused)) throw error
    throw new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause: error })
  }
}

type Source = ReadableStreamDefaultReader<Uint8Array>
type Packing = { source: Source; first: Awaited<ReturnType<Source['read']>>; caged: Caged }

async function* packed({ source, first, caged }: Packing): AsyncGenerator<Uint8Array> {
  const feed = async () => {
    for (let read = first; !read.done; read = await source.read()) await caged.stdin?.write(read.value)
    caged.stdin?.end()
  }
  const fed = feed().catch((error) => {
    caged.stop()
    throw error
  })
  fed.catch(() => {})
  yield* caged.stdout
  await fed
  const { code, reason, stderr } = await caged.ended
  if (reason !== 'exit' || code !== 0) throw new Error(`the archive was cut off: ${stderr.slice(-300)}`)
}

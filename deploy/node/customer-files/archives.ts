import { AppError, isRefusal } from '../../../lib/endpoint/errors.ts'
import { inTheWay } from '../../../lib/files/errors.ts'
import { baseName } from '../../../lib/files/paths.ts'
import { noRoom, roomFor, told } from './faults.ts'
import { entryPath, found, isFile, isFolder, realPath } from './places.ts'
import { entriesIn, shown } from './placing/merge.ts'
import { mergeStaged } from './placing/staged.ts'
import { LONG_MS, ProgramFailed, requireSuccess, runToEnd } from './programs.ts'
import { EntryCount } from './reading/entry-count.ts'
import { settle, type Work } from './work.ts'

export const BSDTAR = '/usr/bin/bsdtar'
const CHMOD = '/usr/bin/chmod'
/** What an archive closed to all but its owner would be missing for visitors, as if it were not there. */
const READABLE = 'u+rwX,g+rX'

/** bsdtar takes names for patterns: this one means nothing but the name. */
export const literally = (path: string): string => path.replace(/[\\*?[\]$]/g, (letter) => `\\${letter}`)

/** What a program writes besides, such as the cage's own files. */
const SLACK_BYTES = 64 * 1024
/** How large an archive's content may be if its owner has no limit. */
const MOST_BYTES = 10 * 1024 ** 3

/** How an archive's name ends, with what makes one. */
const FORMATS: [RegExp, string[]][] = [
  [/\.zip$/i, ['--format', 'zip']],
  [/\.(tar\.gz|tgz)$/i, ['--format', 'pax', '--gzip']],
  [/\.(tar\.zst|tzst)$/i, ['--format', 'pax', '--zstd']],
]

/** The options that make an archive of that name; null where none does. */
const formatOf = (name: string): string[] | null =>
  FORMATS.find(([pattern]) => pattern.test(name))?.[1] ?? null

/** Makes an archive beside its place, of things in any folders of the site. */
export async function compress(work: Work): Promise<void> {
  const { session, at, operation, staging } = work
  const target = await entryPath(session, { ...at, path: operation.target ?? '/' }, 409)
  const format = formatOf(target)
  if (format === null) throw new AppError('ruta_invalida')
  if ((await found(session.lstat(target))) !== null) {
    if (operation.again) return
    throw new AppError('ya_existe')
  }
  const named: string[] = []
  for (const path of operation.paths) {
    const entry = await entryPath(session, { ...at, path }, 409)
    await told(session.lstat(entry), { missing: 409 })
    // A bare name could be read as an option, or with `@` as another archive.
    named.push('-C', entry.slice(0, entry.lastIndexOf('/')), `./${baseName(entry)}`)
  }
  await roomFor(session.mkdir(staging))
  const made = `${staging}/${baseName(target)}`
  const fileBytes = operation.room === null ? {} : { fileBytes: operation.room }
  const argv = [BSDTAR, ...format, '-cf', made, ...named] as const
  await written(runToEnd(work.run, { argv, deadlineMs: LONG_MS, ...fileBytes }))
  await settle(session, made, target)
}

/** bsdtar does not tell why it could not go on with the archive that it writes: there was no room. */
async function written(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof ProgramFailed && /: Write error$/m.test(error.said)) throw noRoom()
    throw error
  }
}

/**
 * Unpacks an archive beside its destination. Its content is measured first by unpacking it to nowhere, since the
 * sizes that an archive states prove nothing.
 */
export async function extract(work: Work): Promise<void> {
  const { session, at, operation } = work
  const [source = '/'] = operation.paths
  const archive = await realPath(session, { ...at, path: source }, 409)
  if (!isFile(await told(session.stat(archive), { missing: 409 }))) throw new AppError('ruta_invalida')
  const { to, merges } = await destinationOf(work)
  if (to === null) return
  if (merges) return mergeStaged(work, { make: () => unpack(work, archive), targets: [{ name: '', to }] })
  await roomFor(session.mkdir(work.staging))
  await unpack(work, archive)
  await roomFor(session.replace(work.staging, to))
}

/** Into the staging folder. */
async function unpack(work: Work, archive: string): Promise<void> {
  const { operation, staging } = work
  const room = Math.min(operation.room ?? MOST_BYTES, MOST_BYTES)
  await requireEntries(work, archive, operation.inodes ?? null)
  const bytes = await requireBytes(work, archive, room)
  const argv = [BSDTAR, '-xf', archive, '-C', staging, '--no-same-owner', '--no-same-permissions'] as const
  await dangerous(runToEnd(work.run, { argv, deadlineMs: LONG_MS, fileBytes: bytes + SLACK_BYTES }))
  await runToEnd(work.run, { argv: [CHMOD, '-R', READABLE, '--', staging], deadlineMs: LONG_MS })
}

/** Where it is unpacked, and whether among what is there; null where an earlier attempt has done it. */
async function destinationOf(work: Work): Promise<{ to: string | null; merges: boolean }> {
  const { session, at, operation } = work
  const entry = await entryPath(session, { ...at, path: operation.target ?? '/' }, 409)
  const merges = operation.existing !== null
  const there = await found(merges ? session.stat(entry) : session.lstat(entry))
  if (there === null) return { to: entry, merges }
  if (merges && isFolder(there))
    return { to: await realPath(session, { ...at, path: operation.target ?? '/' }, 409), merges }
  if (isFolder(there) && (await entriesIn(session, entry)).length === 0) return { to: entry, merges: false }
  if (operation.again && isFolder(there)) return { to: null, merges: false }
  throw inTheWay([{ path: shown(work, entry), replaceable: false }])
}
/** An archive that bsdtar refuses counts as dangerous. */
async function dangerous<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // In a folder of its own, only entries that no archive should contain can be refused.
    if (isRefusal(error, 'prohibido') || error instanceof ProgramFailed)
      throw new AppError('archivo_peligroso', {}, { cause: error })
    throw error
  }
}

/** One line an entry: control characters of names are escaped in a listing. */
async function requireEntries(work: Work, archive: string, inodes: number | null): Promise<void> {
  const running = await work.run({ argv: [BSDTAR, '-tf', archive], deadlineMs: LONG_MS })
  const count = new EntryCount(inodes)
  try {
    for await (const chunk of running.stdout) count.feed(chunk)
  } catch (refusal) {
    running.stop()
    throw refusal
  }
  try {
    await requireSuccess(running)
  } catch (error) {
    // Not an archive, or an incomplete one.
    if (error instanceof ProgramFailed) throw new AppError('ruta_invalida', {}, { cause: error })
    throw error
  }
}

async function requireBytes(work: Work, archive: string, room: number): Promise<number> {
  const running = await work.run({ argv: [BSDTAR, '-xOf', archive], deadlineMs: LONG_MS })
  let bytes = 0
  for await (const chunk of running.stdout) {
    bytes += chunk.length
    if (bytes <= room) continue
    running.stop()
    throw new AppError('archivo_peligroso')
  }
  await dangerous(requireSuccess(running))
  return bytes
}

import { AppError } from '../../../../lib/endpoint/errors.ts'
import { binEntryId } from '../../../../lib/files/bin.ts'
import { folderOf, parsePath } from '../../../../lib/files/paths.ts'
import { roomFor, told } from '../faults.ts'
import { entryPath, found, isFolder, rootOf } from '../places.ts'
import { settle, type Work } from '../work.ts'
import { binOf, contentOf, makePlace, pathOf, placeOf, removePlace } from './entries.ts'

/** Moves things into the bin, each by one rename after it is noted where it was. */
export async function discard(work: Work): Promise<void> {
  const { session, at, operation } = work
  const wanted: { path: string; entry: string; id: string }[] = []
  for (const [index, path] of operation.paths.entries()) {
    const entry = await entryPath(session, { ...at, path }, 409)
    const there = await found(session.lstat(entry))
    if (there) wanted.push({ path, entry, id: binEntryId(operation.id, index) })
    else if (!operation.again) throw new AppError('archivo_no_existe', {}, { status: 409 })
  }
  for (const { path, entry, id } of wanted) {
    // It goes with the folder that it is in.
    if (wanted.some((other) => entry.startsWith(`${other.entry}/`))) continue
    await makePlace(session, { ...at, path }, id)
    await settle(session, entry, contentOf(at, id))
  }
}

/** Brings things back to where they were, or to another place. Folders that have gone meanwhile are made again. */
export async function restore(work: Work): Promise<void> {
  const { session, at, operation } = work
  const ids = [...new Set(operation.entries ?? [])]
  if (operation.target !== null && ids.length !== 1) throw new AppError('ruta_invalida')
  const open: { id: string; path: string; to: string | null }[] = []
  for (const id of ids) {
    const path = await pathOf(session, at, id)
    const there = await found(session.lstat(contentOf(at, id)))
    if (there === null && operation.again) continue
    if (there === null || path === null) throw new AppError('archivo_no_existe', {}, { status: 409 })
    const wanted = parsePath(operation.target ?? path)
    open.push({ id, path: wanted, to: await freePlace(work, wanted) })
  }
  if (new Set(open.map(({ path }) => path)).size < open.length) throw new AppError('ya_existe')
  for (const { id, path, to } of open) {
    const target = to ?? (await makeWay(work, path))
    await settle(session, contentOf(at, id), target)
    await removePlace(session, at, id)
  }
}

/** Where something can be put back; null where its folder has to be made first. */
async function freePlace({ session, at }: Work, path: string): Promise<string | null> {
  for (const folder of foldersTo(path)) {
    const there = await found(session.stat(rootOf(at) + folder))
    if (there === null) return null
    if (!isFolder(there)) throw new AppError('ya_existe')
  }
  const to = await entryPath(session, { ...at, path }, 409)
  if ((await found(session.lstat(to))) !== null) throw new AppError('ya_existe')
  return to
}

/** The folders above a path, the outermost first. */
function foldersTo(path: string): string[] {
  const names = folderOf(path).split('/').filter(Boolean)
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
}

/** Makes the folders that lead to a path. */
async function makeWay({ session, at }: Work, path: string): Promise<string> {
  for (const folder of foldersTo(path)) {
    const entry = await entryPath(session, { ...at, path: folder }, 409)
    if ((await found(session.stat(entry))) === null) await roomFor(session.mkdir(entry))
  }
  return entryPath(session, { ...at, path }, 409)
}

/** Takes all of the bin, or entries of it, out of sight; what is in the staging folder is then removed. */
export async function emptyBin({ session, at, staging, operation }: Work): Promise<void> {
  if (operation.entries === null) {
    if ((await found(session.lstat(binOf(at)))) !== null) await told(session.rename(binOf(at), staging))
    return
  }
  const ids = [...new Set(operation.entries)]
  const there: string[] = []
  for (const id of ids) {
    if ((await found(session.lstat(placeOf(at, id)))) !== null) there.push(id)
    else if (!operation.again) throw new AppError('archivo_no_existe', {}, { status: 409 })
  }
  await told(session.mkdir(staging))
  for (const id of there) await told(session.rename(placeOf(at, id), `${staging}/${id}`))
  await session.rmdir(binOf(at)).catch(() => {})
}

import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FileOperation } from '../../../lib/endpoint/ports/files.ts'
import { type InTheWay, inTheWay } from '../../../lib/files/errors.ts'
import { baseName } from '../../../lib/files/paths.ts'
import { compress, extract } from './archives.ts'
import { discard, emptyBin, restore } from './bin/operations.ts'
import { roomFor, told } from './faults.ts'
import { entryPath, found, isFolder, isLink, realPath, rootOf } from './places.ts'
import { merge, type Pair, shown } from './placing/merge.ts'
import { mergeStaged, removeTree } from './placing/staged.ts'
import { LONG_MS, runToEnd } from './programs.ts'
import { settle, type Work } from './work.ts'

/**
 * Does one operation on a site's files. It can be run again after it was cut short: what it did already is recognised
 * by its place. Everything that may be refused is checked before anything is changed.
 */
export async function operate(work: Work): Promise<void> {
  await clear(work)
  work.operation.signal.throwIfAborted()
  try {
    await KINDS.get(work.operation.kind)?.(work)
  } finally {
    await clear(work)
  }
}

const KINDS = new Map<FileOperation['kind'], (work: Work) => Promise<void>>([
  ['carpeta', makeFolders],
  ['mover', move],
  ['copiar', copy],
  ['borrar', remove],
  ['permisos', permit],
  ['comprimir', compress],
  ['extraer', extract],
  ['papelera', discard],
  ['restaurar', restore],
  ['vaciar', emptyBin],
])

/** Removes what an interrupted run left. */
const clear = (work: Work) => removeTree(work, work.staging)

const place = ({ at }: Work, path: string) => ({ ...at, path })

async function makeFolders(work: Work): Promise<void> {
  const { session, staging, operation } = work
  const wanted = new Set<string>()
  for (const path of operation.paths) {
    const target = await entryPath(session, place(work, path), 409)
    const there = await found(session.lstat(target))
    if (there && !(operation.again && isFolder(there))) throw new AppError('ya_existe')
    if (wanted.has(target)) throw new AppError('ya_existe')
    const above = target.slice(0, target.lastIndexOf('/'))
    // One that is asked for here as well, before what is in it, is there by then.
    if (!wanted.has(above) && (await found(session.stat(above))) === null)
      throw new AppError('archivo_no_existe', {}, { status: 409 })
    if (!there) wanted.add(target)
  }
  // All of them are made before one is shown: there may be room for some only.
  const made = [...wanted].map((target, index) => ({ target, from: `${staging}/${index}` }))
  await roomFor(session.mkdir(staging))
  for (const { from } of made) await roomFor(session.mkdir(from))
  for (const { from, target } of made) await settle(session, from, target)
}

/** The destinations of the sources: inside an existing folder, or as the new name of a single source. */
async function targetsOf(work: Work): Promise<Pair[]> {
  const { session, operation } = work
  const target = operation.target ?? '/'
  const known = target === '/' ? rootOf(work.at) : await entryPath(session, place(work, target), 409)
  const there = await found(session.stat(known))
  const into = there !== null && isFolder(there)
  if (!into && operation.paths.length > 1) throw new AppError('ruta_invalida')
  const folder = into ? await realPath(session, place(work, target)) : ''
  return Promise.all(
    operation.paths.map(async (path) => {
      const from = await entryPath(session, place(work, path), 409)
      const to = into ? `${folder}/${baseName(path)}` : known
      if (to.startsWith(`${from}/`)) throw new AppError('ruta_invalida')
      return { from, to }
    }),
  )
}

/**
 * Sources whose places are free or may be taken; those that an earlier run has moved are left out, and of copies those
 * that are made.
 */
async function openPairs(work: Work, moved: boolean): Promise<Pair[]> {
  const { session, operation } = work
  const merges = operation.existing !== null
  const open: Pair[] = []
  let missing = false
  for (const pair of await targetsOf(work)) {
    const source = await found(session.lstat(pair.from))
    const taken = operation.again && (await found(session.lstat(pair.to))) !== null
    if (taken && (moved ? source === null : !merges)) continue
    if (source === null) missing = true
    else open.push(pair)
  }
  await requireFree(work, open)
  if (missing) throw new AppError('archivo_no_existe', {}, { status: 409 })
  return open
}

/** Refuses what would go to where something is, unless it was said what becomes of that. */
async function requireFree(work: Work, pairs: Pair[]): Promise<void> {
  const { session, operation } = work
  if (operation.existing !== null) return
  const places = new Set<string>()
  const taken: InTheWay[] = []
  for (const { from, to } of pairs) {
    const there = await found(session.lstat(to))
    const isSame = from === to || places.has(to)
    if (there !== null || isSame)
      taken.push({ path: shown(work, to), replaceable: !(isSame || (there !== null && isFolder(there))) })
    places.add(to)
  }
  if (taken.length > 0) throw inTheWay(taken)
}

async function move(work: Work): Promise<void> {
  const pairs = await openPairs(work, true)
  if (work.operation.existing !== null) return merge(work, pairs)
  for (const { from, to } of pairs) await settle(work.session, from, to)
}

async function copy(work: Work): Promise<void> {
  const { session, staging, operation } = work
  const pairs = await openPairs(work, false)
  const targets = pairs.map(({ to }, index) => ({ name: `${index}`, to }))
  if (operation.existing !== null) {
    requireOther(work, pairs)
    return mergeStaged(work, { make: () => copyTo(work, pairs), targets })
  }
  await roomFor(session.mkdir(staging))
  await copyTo(work, pairs)
  for (const { name, to } of targets) await settle(session, `${staging}/${name}`, to)
}

/** A copy over itself is in its own way. */
function requireOther(work: Work, pairs: Pair[]): void {
  const same = pairs.filter(({ from, to }) => from === to)
  if (same.length === 0) return
  const named = same.map(({ to }) => ({ path: shown(work, to), replaceable: false }))
  throw inTheWay(named)
}

async function copyTo({ run, staging, operation }: Work, pairs: Pair[]): Promise<void> {
  const fileBytes = operation.room === null ? {} : { fileBytes: operation.room }
  for (const [index, { from }] of pairs.entries()) {
    // Without the sources' modes: the umask gives each what the web server reads.
    const argv = ['/usr/bin/cp', '-RP', '--preserve=timestamps', '--reflink=auto', '-T', '--'] as const
    await runToEnd(run, { argv: [...argv, from, `${staging}/${index}`], deadlineMs: LONG_MS, ...fileBytes })
  }
}

async function remove(work: Work): Promise<void> {
  const { session, staging, operation } = work
  const wanted: string[] = []
  for (const path of operation.paths) {
    const entry = await entryPath(session, place(work, path), 409)
    const there = await found(session.lstat(entry))
    if (there) wanted.push(entry)
    else if (!operation.again) throw new AppError('archivo_no_existe', {}, { status: 409 })
  }
  // First moves everything out of sight, then deletes one by one: `operate` empties the folder.
  await told(session.mkdir(staging))
  for (const [index, entry] of wanted.entries()) await told(session.rename(entry, `${staging}/${index}`))
}

async function permit(work: Work): Promise<void> {
  const { session, operation } = work
  const wanted: string[] = []
  for (const path of operation.paths) {
    const entry = await entryPath(session, place(work, path), 409)
    if (isLink(await told(session.lstat(entry), { missing: 409 }))) throw new AppError('ruta_invalida')
    wanted.push(entry)
  }
  for (const entry of wanted) await told(session.permit(entry, operation.permissions ?? 0))
}

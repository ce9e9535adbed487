import { AppError } from '../../../../lib/endpoint/errors.ts'
import type { FilePlace, Findings } from '../../../../lib/endpoint/ports/files.ts'
import { hasInName } from '../../../../lib/files/search.ts'
import { told } from '../faults.ts'
import { isFolder, realPath, stagingOf } from '../places.ts'
import { type Entry, SftpError, type SftpSession } from '../protocol/sftp.ts'
import { entryOf } from './listing.ts'

/** The most that is found, how far below the folder, for how long, and how many folders may wait to be read. */
const MOST_FOUND = 200
const DEEPEST = 32
const LONGEST_MS = 8_000
const MOST_WAITING = 50_000
/** Folders that are read at once. */
const AT_ONCE = 8

type Waiting = { path: string; depth: number }
type Search = Findings & { text: string; root: string; staging: string; until: number; waiting: Waiting[] }

/** Looks for names below a folder, level by level, so that what is near is found first. Links are not followed. */
export async function search(session: SftpSession, at: FilePlace, text: string): Promise<Findings> {
  const root = await realPath(session, at)
  if (!isFolder(await told(session.stat(root)))) throw new AppError('ruta_invalida')
  const search: Search = {
    ...{ found: [], whole: true, text, root, staging: stagingOf(at) },
    ...{ until: performance.now() + LONGEST_MS, waiting: [{ path: '', depth: 1 }] },
  }
  while (search.waiting.length > 0 && goesOn(search)) {
    const next = search.waiting.splice(0, AT_ONCE)
    await told(Promise.all(next.map((folder) => lookInto(session, search, folder))))
  }
  const whole = search.whole && search.waiting.length === 0
  const above = at.path === '/' ? '' : at.path
  const found = search.found.slice(0, MOST_FOUND)
  return { found: found.map(({ path, entry }) => ({ path: above + path, entry })), whole }
}

/** Whether no bound is reached yet. */
function goesOn(search: Search): boolean {
  const on = search.found.length <= MOST_FOUND && performance.now() < search.until
  if (!on) search.whole = false
  return on
}

async function lookInto(session: SftpSession, search: Search, folder: Waiting): Promise<void> {
  try {
    const handle = await session.openFolder(search.root + folder.path)
    try {
      while (goesOn(search)) {
        const some = await session.readFolder(handle)
        if (some === null) break
        for (const entry of some) consider(search, folder, entry)
      }
    } finally {
      await session.close(handle)
    }
  } catch (error) {
    // A folder that its owner closed, or that went meanwhile.
    if (!(error instanceof SftpError)) throw error
    search.whole = false
  }
}

function consider(search: Search, { path, depth }: Waiting, entry: Entry): void {
  if (entry.name === '.' || entry.name === '..') return
  const own = `${path}/${entry.name}`
  if (search.root + own === search.staging) return
  if (hasInName(entry.name, search.text)) search.found.push({ path: own, entry: entryOf(entry) })
  if (!isFolder(entry)) return
  if (depth < DEEPEST && search.waiting.length < MOST_WAITING)
    search.waiting.push({ path: own, depth: depth + 1 })
  else search.whole = false
}

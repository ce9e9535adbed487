import type { FilePlace, SiteFiles } from '../endpoint/ports/files.ts'
import { baseName } from '../files/paths.ts'
import type { HtaccessFile } from './decide.ts'
import { isMissing } from './errors.ts'

const NAME = '.htaccess'
const FILES_MAX = 100
const FILE_BYTES_MAX = 65_536
/** Files that are read at once. */
const AT_ONCE = 8

export type Found = { files: HtaccessFile[]; whole: boolean }

/** Reads the `.htaccess` files of what a site serves, the nearest first, in its client's cage. */
export async function readHtaccess(files: SiteFiles, at: FilePlace): Promise<Found> {
  const { found, whole } = await searched(files, at)
  const paths = found
    .filter(({ path, entry }) => baseName(path) === NAME && entry.kind === 'archivo')
    .sort((one, other) => depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1))
  const read: HtaccessFile[] = []
  for (let first = 0; first < Math.min(paths.length, FILES_MAX); first += AT_ONCE) {
    const some = paths.slice(first, Math.min(first + AT_ONCE, FILES_MAX))
    read.push(...(await Promise.all(some.map(({ path }) => readOne(files, { ...at, path }, at.path)))).flat())
  }
  const above = await Promise.all(foldersAbove(at.path).map((folder) => readAbove(files, at, folder)))
  return { files: [...above.flat(), ...read], whole: whole && paths.length <= FILES_MAX }
}

/** The folders of a site that are above one of it, the nearest first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.map((_, down) => parts.slice(0, parts.length - 1 - down).join('/'))
}

/** Its path begins with a `..` for each folder that it is above what is served. */
async function readAbove(files: SiteFiles, at: FilePlace, folder: string): Promise<HtaccessFile[]> {
  const start = folder === '' ? '' : `/${folder}`
  const leadsTo = at.path.slice(start.length + 1)
  const path = `${leadsTo.replace(/[^/]+/g, '..')}/${NAME}`
  const [found] = await readOne(files, { ...at, path: `${start}/${NAME}` }, start)
  return found ? [{ ...found, path: `/${path}`, leadsTo }] : []
}

const depthOf = (path: string): number => path.split('/').length

/** A folder that is not there has none. */
async function searched(files: SiteFiles, at: FilePlace) {
  try {
    return await files.search(at, NAME)
  } catch (error) {
    if (isMissing(error)) return { found: [], whole: true }
    throw error
  }
}

/** None where it has gone meanwhile. */
async function readOne(files: SiteFiles, at: FilePlace, root: string): Promise<HtaccessFile[]> {
  const path = at.path.slice(root.length)
  try {
    const file = await files.open(at)
    if (file.bytes > FILE_BYTES_MAX) {
      await file.close()
      return [{ path, text: 'demasiado_grande', leadsTo: null }]
    }
    const text = textOf(await new Response(file.content(0, file.bytes)).bytes())
    return [{ path, text, leadsTo: null }]
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Old files are written in the letters of Western Europe. */
function textOf(bytes: Uint8Array): HtaccessFile['text'] {
  if (bytes.includes(0)) return 'no_es_texto'
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { workOver } from '../../../ui/transfers/work.ts'
import { join, nameOf, parentOf, wayTo } from '../paths.ts'
import type { Wanted } from './queue.ts'

type Found = { path: string; file: File }
/** `unread` are the names of what the browser itself could not read. */
export type Dropped = { files: Found[]; folders: string[]; unread: string[] }

/**
 * What was dropped, folders with all that is in them, by paths below `folder`. The entries are taken at once: after
 * the first wait the browser forgets them.
 */
export async function droppedIn(transfer: Pick<DataTransfer, 'items'>, folder: string): Promise<Dropped> {
  const dropped: Dropped = { files: [], folders: [], unread: [] }
  const taken = [...transfer.items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }))
  for (const { entry, file } of taken) {
    if (entry) await collect(entry, join(folder, entry.name), dropped)
    else if (file) dropped.files.push({ path: join(folder, file.name), file })
  }
  return dropped
}

/** What was chosen by a field: of a folder, each file has its way in it; an empty folder is not told. */
export function chosenIn(files: Iterable<File>, folder: string): Dropped {
  const found = [...files].map((file) => ({ path: join(folder, file.webkitRelativePath || file.name), file }))
  const folders = found.flatMap(({ path }) => wayTo(path).slice(wayTo(folder).length, -1))
  return { files: found, folders: [...new Set(folders)], unread: [] }
}

/** Names that answer for a folder of a site unless its settings say otherwise. */
const FIRST_PAGE = /^index\.(?:php|html?)$/

/** The one folder that was brought to `path`, where it is a site of its own: its first page lies in it. */
export function broughtSite({ files, folders }: Dropped, path: string): string | null {
  const depth = wayTo(path).length
  const tops = new Set([...files.map((one) => one.path), ...folders].map((one) => wayTo(one)[depth] ?? one))
  const [top, ...others] = tops
  if (top === undefined || others.length > 0) return null
  const isSite = files.some((one) => parentOf(one.path) === top && FIRST_PAGE.test(nameOf(one.path)))
  return isSite ? top : null
}

/** What was brought, without the folder `top` around it. */
export function lifted({ files, folders, unread }: Dropped, top: string): Dropped {
  const lift = (path: string) => join(parentOf(top), path.slice(top.length + 1))
  return {
    files: files.map((one) => ({ ...one, path: lift(one.path) })),
    folders: folders.filter((path) => path !== top).map(lift),
    unread,
  }
}

async function collect(entry: FileSystemEntry, path: string, dropped: Dropped): Promise<void> {
  try {
    if (entry.isFile) dropped.files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    else {
      dropped.folders.push(path)
      await collectFolder(entry as FileSystemDirectoryEntry, path, dropped)
    }
  } catch {
    dropped.unread.push(entry.name)
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((found, failed) => entry.file(found, failed))

async function collectFolder(entry: FileSystemDirectoryEntry, path: string, dropped: Dropped): Promise<void> {
  const reader = entry.createReader()
  const some = () =>
    new Promise<FileSystemEntry[]>((found, failed) => {
      reader.readEntries(found, failed)
    })
  for (let batch = await some(); batch.length > 0; batch = await some()) {
    for (const inner of batch) await collect(inner, join(path, inner.name), dropped)
  }
}

/** Makes the folders that are not there yet; answers what is to be uploaded into them. */
export async function prepared(domain: string, { files, folders }: Dropped): Promise<Wanted[]> {
  for (const path of folders) await makeFolder(domain, path)
  return files.map((one) => ({ ...one, domain }))
}

async function makeFolder(domain: string, path: string): Promise<void> {
  try {
    const answer = await call('POST /api/sitios/:domain/archivos/operaciones', {
      params: { domain },
      body: { operacion: 'carpeta', rutas: [path] },
    })
    // Behind longer work of the same client it takes its time.
    if ('tarea' in answer) await workOver(answer.tarea.id)
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.codigo === 'ya_existe')) throw thrown
  }
}

import { AppError } from '../endpoint/errors.ts'

const LONGEST = 4000
/** NAME_MAX and the part of PATH_MAX that is left for a site's own (limits.h), in bytes. */
const NAME_BYTES = 255
const PATH_BYTES = 3500

/**
 * The one form of a path below a site's folder: `/` or `/a/b`. 422 `ruta_invalida` for what is not absolute, leads
 * back up, or is longer than a file system takes. Any other character may stand in a name.
 */
export function parsePath(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  if (trimmed === '/') return trimmed
  const names = trimmed.split('/').slice(1)
  const fits =
    trimmed.startsWith('/') &&
    trimmed.length <= LONGEST &&
    byteLength(trimmed) <= PATH_BYTES &&
    names.every(isName)
  if (!fits) throw new AppError('ruta_invalida')
  return trimmed
}

const isName = (name: string) =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !name.includes('\0') &&
  name.isWellFormed() &&
  byteLength(name) <= NAME_BYTES

/** Characters of U+EF80 to U+EFFF stand for one byte each. */
const byteLength = (text: string) => new TextEncoder().encode(text.replace(/[\uef80-\uefff]/g, '-')).length

/** The last name of a path; empty for the site's folder itself. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder that a path lies in. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1))

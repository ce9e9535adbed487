import { AppError } from '../endpoint/errors.ts'
import type { Packing } from '../endpoint/ports/loads.ts'
import { parsePath } from '../files/paths.ts'

const IN_A_SITE = /^\/sitios\/([^/]+)(\/.+)$/s
const PACKINGS: [ending: RegExp, packing: Packing][] = [
  [/\.sql$/i, 'none'],
  [/\.sql\.gz$/i, 'gzip'],
  [/\.sql\.zst$/i, 'zstd'],
]

/** Where a dump lies, by its path as a client's account for everything sees it; 422 `ruta_invalida` for all else. */
export function parseDumpPath(path: string): { domain: string; path: string; packing: Packing } {
  const [, domain, rest] = IN_A_SITE.exec(path) ?? []
  const packing = packingOf(path)
  if (domain === undefined || rest === undefined || packing === null) throw new AppError('ruta_invalida')
  return { domain, path: parsePath(rest), packing }
}

/** How a dump is packed, by its name; null for what is none. */
const packingOf = (name: string): Packing | null =>
  PACKINGS.find(([ending]) => ending.test(name))?.[1] ?? null

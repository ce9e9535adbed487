/** Paths of a site's files: `/` is its folder, `/public/a.html` a file in it. */
export const join = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1))

/** Whether nobody but the node writes into a folder: a site's own, and the one that shows its logs. */
export const isKept = (path: string): boolean => /^\/(?:registros(?:\/.*)?)?$/.test(path)

/** The folders on the way to a path, the path itself last. */
export function wayTo(path: string): string[] {
  const names = path.split('/').filter(Boolean)
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)]
}

/** A name as it can be shown: a byte that is no UTF-8 comes as one character of the private area. */
export const shownName = (name: string): string => name.replace(/[\uef80-\uefff]/g, '\ufffd')

/** Whether it can be the name of a file: what the panel refuses besides is told by it. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0')

/** What the panel unpacks. */
const ARCHIVE = /\.(?:zip|tar|tar\.(?:gz|zst|bz2|xz)|tgz|tzst|tbz2?|txz)$/i
export const isArchive = (name: string): boolean => ARCHIVE.test(name)
export const withoutArchive = (name: string): string => name.replace(ARCHIVE, '') || name

/** Pictures that are drawn; never SVG, which is a document. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i
export const isPicture = (name: string): boolean => PICTURE.test(name)

/** What is certainly no text to be edited. */
const BINARY =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|mp[34]|m4[av]|mov|avi|mkv|webm|ogg|wav|flac|woff2?|ttf|otf|eot|exe|so|bin|iso|phar|sqlite3?|db|rar|7z|gz|zst|bz2|xz)$/i
export const isBinary = (name: string): boolean => BINARY.test(name) || isArchive(name)

/** The name of a copy beside its original: `index (2).html`. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number++) {
    const copy = `${stem} (${number})${ending}`
    if (!taken.has(copy)) return copy
  }
}

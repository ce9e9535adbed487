/** Addresses of a site as they are typed into a field: names with blanks and all. */

/** Written so that the panel, which decodes what is escaped, reads it as it is kept. */
export const typedAddress = (kept: string): string =>
  /%[0-9a-f]{2}/i.test(kept) ? kept.replaceAll('%', '%25') : kept

/** A folder is meant from the site's root on, also without the slash; nothing typed is not the whole site. */
export function fromRoot(typed: string): string {
  const path = typed.trim()
  return path === '' || path.startsWith('/') || /^[a-z]+:/i.test(path) ? path : `/${path}`
}

/** The same for a folder that may be named as the screen of files does, from the site's own folder on. */
export function belowServed(typed: string, served: string): string {
  const path = fromRoot(typed)
  if (path.replace(/\/+$/, '') === `/${served}`) return '/'
  return path.startsWith(`/${served}/`) ? path.slice(served.length + 1) : path
}

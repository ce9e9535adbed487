import type { FileEntry } from '../endpoint/ports/files.ts'
import type { EntryView } from './shapes.ts'

export const entryView = ({ name, kind, bytes, modified, permissions }: FileEntry): EntryView => ({
  nombre: name,
  tipo: kind,
  bytes,
  modificado: modified.toISOString(),
  permisos: permissions.toString(8).padStart(4, '0'),
})

/** `Content-Disposition` of a download: a browser keeps it and never shows it in the panel's origin (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`

/** What RFC 8187 does not let stand as it is. */
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

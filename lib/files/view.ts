import type { FileEntry } from '../endpoint/ports/files.ts'
import type { EntryView } from './shapes.ts'

export const entryView = ({ name, kind, bytes, modified, permissions }: FileEntry): EntryView => ({
  nombre: name,
  tipo: kind,
  bytes,
  modificado: modified.toISOString(),
  permisos: permissions.toString(8).padStart(4, '0'),
})

import type { BinEntry, FileEntry, Findings } from '../endpoint/ports/files.ts'
import type { BinView, EntryView, FoundView } from './shapes.ts'

export const entryView = ({ name, kind, bytes, modified, permissions }: FileEntry): EntryView => ({
  nombre: name,
  tipo: kind,
  bytes,
  modificado: modified.toISOString(),
  permisos: permissions.toString(8).padStart(4, '0'),
})

export const foundView = ({ path, entry }: Findings['found'][number]): FoundView => ({
  ruta: path,
  ...entryView(entry),
})

const DAY_MS = 86_400_000

/** An entry of a bin that keeps things for so many days. */
export const binView =
  (days: number) =>
  ({ id, path, deleted, entry }: BinEntry): BinView => ({
    id,
    ruta: path,
    ...entryView(entry),
    borrado: deleted.toISOString(),
    caduca: new Date(deleted.getTime() + days * DAY_MS).toISOString(),
  })

import type { ParsedZone } from '../dns/zonefile/zonefile.ts'
import { wireTime } from '../endpoint/page.ts'
import type { FoundArchive } from '../endpoint/ports/imports.ts'
import type { Left } from './archives/contents.ts'
import type { Row } from './importing.ts'
import type { Item, Plan } from './planned.ts'
import type { ArchiveView, PlanView } from './shapes.ts'

export const archiveView = ({ name, bytes, modified }: FoundArchive): ArchiveView => ({
  ruta: name,
  bytes,
  modificado: wireTime(modified),
})

/** What an import would do, as it is returned. */
export const planView = ({ items, changed, left, isMoreLeft, excess }: Plan): PlanView => ({
  toma: items.map((item) => ({ tipo: item.kind, nombre: item.name, bytes: bytesOf(item) })),
  cambia: changed.map(({ kind, name, what, from, to }) => ({
    tipo: kind,
    nombre: name,
    que: what,
    de: from,
    a: to,
  })),
  deja: left.map(({ kind, name, why }) => ({ tipo: kind, nombre: name, motivo: why })),
  deja_mas: isMoreLeft,
  excesos: excess,
})

const bytesOf = ({ kind, wanted }: Item) => (kind === 'base' || kind === 'sitio' ? wanted.bytes : null)

/** What an import has done, one line a thing. */
export const resultView = (rows: Row[]) => ({
  hechos: rows.flatMap(({ kind, name, state }) => (state === 'hecho' ? [{ tipo: kind, nombre: name }] : [])),
  fallidos: rows.flatMap(({ kind, name, state, fault }) =>
    state === 'fallido' ? [{ tipo: kind, nombre: name, codigo: fault }] : [],
  ),
})

/** Lines of a zone file that were not taken. */
export const refusedRecords = (zone: string, refused: ParsedZone['refused'], language: 'es' | 'en'): Left[] =>
  refused.map(({ linea, motivo }) => ({ kind: 'registro', name: `${zone}:${linea}`, why: motivo[language] }))

import { HIDDEN } from '../dns/decide-records.ts'
import type { ParsedZone } from '../dns/zonefile/zonefile.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { wireTime } from '../endpoint/page.ts'
import type { FoundArchive } from '../endpoint/ports/imports.ts'
import { NOBODY } from '../htaccess/rewrites.ts'
import type { Guard } from '../sites/guards.ts'
import type { Left } from './archives/contents.ts'
import type { Row } from './importing.ts'
import type { Changed, Item, Plan, Wanted } from './planned.ts'
import type { ArchiveView, PlanView } from './shapes.ts'

export const archiveView = ({ name, bytes, modified }: FoundArchive): ArchiveView => ({
  ruta: name,
  bytes,
  modificado: wireTime(modified),
})

const changedView = ({ kind, name, what, from, to }: Changed) => ({
  ...{ tipo: kind, nombre: name, que: what, de: from, a: to },
})

/** What an import would do, as it is returned. */
export const planView = ({ items, changed, left, isMoreLeft, excess }: Plan): PlanView => ({
  toma: items.map((item) => ({ tipo: item.kind, nombre: item.name, bytes: bytesOf(item) })),
  cambia: changed.map(changedView),
  ...leftView({ left, isMoreLeft }),
  excesos: excess,
})

/** Parts of a site that let nobody in, or nobody before a password was made. */
export const protectedParts = (site: string, guards: Guard[]): Changed[] =>
  guards.map(({ path, user }) => ({
    ...{ kind: 'sitio', name: site, from: path },
    ...(user === NOBODY ? { what: 'cerrada', to: '' } : { what: 'contrasena_nueva', to: user }),
  }))

const bytesOf = ({ kind, wanted }: Item) => (kind === 'base' || kind === 'sitio' ? wanted.bytes : null)

type LeftOut = Pick<PlanView, 'deja' | 'deja_mas'>

/** What an import leaves out, as its work notes it until its end. */
export const leftView = ({ left, isMoreLeft }: Pick<Plan, 'left' | 'isMoreLeft'>): LeftOut => ({
  deja: left.map(({ kind, name, why }) => ({ tipo: kind, nombre: name, motivo: why })),
  deja_mas: isMoreLeft,
})

/** What an import has done, one line a thing, the parts of its sites that nobody gets into, and what it left out. */
export const resultView = (rows: Row[], left: LeftOut | null) => ({
  ...closedParts(rows),
  ...(left === null || left.deja.length === 0 ? {} : left),
  hechos: rows.flatMap(({ kind, name, state }) => (state === 'hecho' ? [{ tipo: kind, nombre: name }] : [])),
  fallidos: rows.flatMap(({ kind, name, state, fault }) =>
    state === 'fallido' ? [{ tipo: kind, nombre: name, codigo: fault }] : [],
  ),
})

/** Told only where there are any. */
function closedParts(rows: Row[]) {
  const changed = rows.flatMap(({ kind, name, state, wanted }) => {
    if (kind !== 'sitio' || state !== 'hecho') return []
    return protectedParts(name, (wanted as Wanted<'sitio'>).guards) // Written by the import's own plan, by kind.
  })
  return changed.length === 0 ? {} : { cambia: changed.map(changedView) }
}

/** Lines of a zone file that were not taken. */
export const refusedRecords = (zone: string, refused: ParsedZone['refused'], language: 'es' | 'en'): Left[] =>
  refused.map(({ linea, motivo }) => ({ kind: 'registro', name: `${zone}:${linea}`, why: motivo[language] }))

/** Records whose names a zone below answers for. */
export const hiddenRecords = (zone: string, hidden: RRset[], language: 'es' | 'en'): Left[] =>
  hidden.map(({ name, type }) => ({
    ...{ kind: 'registro', name: `${name}.${zone} ${type}`, why: HIDDEN.mensaje[language] },
  }))

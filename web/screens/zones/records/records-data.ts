import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { reply } from '../../../api/client.ts'
import type { ApiError } from '../../../api/errors.ts'
import { queries } from '../../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../../api/operations.ts'
import { createStore } from '../../../api/store.ts'

export type Rrset = ItemOf<'GET /api/zonas/:zona/registros'>
/** The records of a zone with the state that they are of, for `If-Match`. */
export type Records = { etag: string; serie: number; rows: Rrset[] }

/** Reads a zone's records together with their ETag. */
export function useRecords(zona: string): UseQueryResult<Records, ApiError> {
  return useQuery<Records, ApiError>({
    queryKey: ['GET /api/zonas/:zona/registros', 'etag', zona],
    queryFn: async ({ signal }) => {
      const answer = await reply('GET /api/zonas/:zona/registros', { params: { zona } }, { signal })
      return { etag: answer.etag ?? '*', serie: answer.data.serie, rows: answer.data.datos }
    },
  })
}

export const sameRrset = (a: Rrset | null, b: Rrset | null): boolean =>
  a === b || (a !== null && b !== null && a.ttl === b.ttl && a.valores.join('\n') === b.valores.join('\n'))

export const findRrset = (rows: Rrset[], nombre: string, tipo: string): Rrset | null =>
  rows.find((one) => one.nombre === nombre && one.tipo === tipo) ?? null

/** Seconds, or with a unit as zone files write them (`1h`, `2d`); NaN for anything else. */
export function ttlOf({ ttl }: { ttl: string }): number {
  const [, amount, unit = ''] = /^(\d{1,10})\s*([smhdw]?)$/i.exec(ttl.trim()) ?? []
  return amount === undefined ? Number.NaN : Number(amount) * (SECONDS[unit.toLowerCase()] ?? 1)
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** What becomes of some record sets of a zone: those that are written, and those that go. */
export type Edit = { put: Rrset[]; remove: Rrset[] }

/** The zone's own NS stay as they are in an import, so they cannot be part of such a change. */
export const isApexNs = ({ nombre, tipo }: Pick<Rrset, 'nombre' | 'tipo'>): boolean =>
  nombre === '@' && tipo === 'NS'

/** Record sets as a zone file. */
export function fileOf(zona: string, rows: Pick<Rrset, 'nombre' | 'tipo' | 'ttl' | 'valores'>[]): string {
  const lines = rows.flatMap(({ nombre, tipo, ttl, valores }) =>
    valores.map((valor) => `${nombre}\t${ttl}\tIN\t${tipo}\t${valor}`),
  )
  return `$ORIGIN ${zona}.\n${lines.join('\n')}\n`
}

/** One import that makes an edit: it merges, unless something is to go. */
export function importOf(zona: string, rows: Rrset[], { put, remove }: Edit): InputOf<typeof IMPORT> {
  const key = ({ nombre, tipo }: Rrset) => `${nombre} ${tipo}`
  const changed = new Set([...put, ...remove].map(key))
  const after = remove.length === 0 ? put : [...rows.filter((row) => !changed.has(key(row))), ...put]
  return {
    params: { zona },
    query: { modo: remove.length === 0 ? 'fusionar' : 'reemplazar' },
    body: new TextEncoder().encode(fileOf(zona, after)),
  }
}

const IMPORT = 'POST /api/zonas/:zona/importar'

/** The states of the zone, by their ETags, that a change was made on and that it left. */
type States = { from?: string; left?: string | null }
/** One change that was made on this page: of a record set, or of the whole zone by an import. */
export type Change = { n: number; at: number } & States &
  (
    | { kind: 'rrset'; nombre: string; tipo: string; before: Rrset | null; after: Rrset | null }
    | { kind: 'import'; file: string; counts: [number, number, number] }
  )

const KEPT = 20
const changes = createStore<Record<string, Change[]>>({})
let last = 0

/** The changes of a zone that can be taken back, newest first; they live as long as the page. */
export const useChanges = (zona: string): Change[] => changes.use()[zona] ?? []

export type NewChange = Change extends infer C ? (C extends Change ? Omit<C, 'n' | 'at'> : never) : never

export function remember(zona: string, change: NewChange): Change {
  last++
  const whole: Change = { ...change, n: last, at: Date.now() }
  const all = changes.get()
  changes.set({ ...all, [zona]: [whole, ...(all[zona] ?? [])].slice(0, KEPT) })
  return whole
}

/** What a change left, where the zone was not read since; null where it was. */
export const notYetRead = ({ from, left }: Change, { etag }: Records): string | null =>
  left !== undefined && from === etag && left !== etag ? left : null

/**
 * Takes a change back by the API's own operations, on the state `etag` only: what somebody else changed
 * meanwhile is refused with 412 instead of being overwritten unseen. Throws ApiError.
 */
export async function takeBack(zona: string, change: Change, etag: string): Promise<void> {
  const extra = { ifMatch: etag }
  if (change.kind === 'import') {
    const body = new TextEncoder().encode(change.file)
    await reply(IMPORT, { params: { zona }, body }, extra)
  } else {
    const { nombre, tipo, before } = change
    const params = { zona, nombre, tipo }
    if (before) {
      const body = { ttl: before.ttl, valores: before.valores }
      await reply('PUT /api/zonas/:zona/registros/:nombre/:tipo', { params, body }, extra)
    } else await reply('DELETE /api/zonas/:zona/registros/:nombre/:tipo', { params }, extra)
  }
  const all = changes.get()
  changes.set({ ...all, [zona]: (all[zona] ?? []).filter(({ n }) => n !== change.n) })
  void queries.invalidateQueries()
}

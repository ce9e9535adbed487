import { inArray } from 'drizzle-orm'
import type { Db } from '../../../lib/store/database.ts'
import { clients } from '../../../schema/tables.ts'
import { walkTree } from '../usage/walk.ts'
import type { Bin, BinEntry } from './bin.ts'

const KINDS = { client: 'cliente', site: 'sitio', database: 'base' }

/** What lies in the bin, as it is told. */
export async function binView(db: Db, bin: Bin) {
  const entries = bin.list()
  const ids = [...new Set(entries.map(({ clientId }) => clientId))]
  const rows = await db
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(inArray(clients.id, ids))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return entries.map((entry) => ({
    id: entry.id,
    tipo: KINDS[entry.kind],
    nombre: entry.kind === 'site' ? entry.domain : entry.name,
    cliente: ownerOf(entry) ?? names.get(entry.clientId) ?? null,
    borrado: entry.deletedAt.toISOString(),
    bytes: walkTree(bin.filesOf(entry.id) ?? '')?.diskBytes ?? 0,
  }))
}

export const binLine = ({ id, nombre, borrado }: Awaited<ReturnType<typeof binView>>[number]) =>
  `${id.padEnd(16)} ${borrado}  ${nombre}`

function ownerOf(entry: BinEntry): string | null {
  if (entry.kind === 'site') return null
  const owner = entry.kind === 'client' ? entry.name : entry.client
  return owner === '' ? null : owner
}

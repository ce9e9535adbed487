import type { FoundDatabase, Left } from './archives/contents.ts'
import { newName } from './archives/database-names.ts'
import type { ImportFacts } from './facts.ts'
import type { Changed, PlannedDatabase } from './planned.ts'

type Planned = {
  taken: PlannedDatabase[]
  changed: Changed[]
  left: Left[]
  /** The new name of each that was found, also of one that the client has already. */
  names: Record<string, string>
}

/** Databases under names of the client's own: `<its short name>_<suffix>`. */
export function planDatabases(
  found: FoundDatabase[],
  {
    client,
    room,
    databases,
    hasDatabases,
  }: Pick<ImportFacts, 'client' | 'room' | 'databases' | 'hasDatabases'>,
): Planned {
  const planned: Planned = { taken: [], changed: [], left: [], names: {} }
  const isIncluded = !room.plan || room.plan.functions.includes('bases')
  for (const one of found) {
    const name = newName(client.name, one.name)
    const why = !hasDatabases
      ? 'bases_no_disponible'
      : !isIncluded
        ? 'funcion_de_pago'
        : name === null || Object.values(planned.names).includes(name)
          ? 'nombre_de_base_invalido'
          : databases.some((held) => held.name === name)
            ? 'ya_existe'
            : null
    const isOwn = databases.some((held) => held.name === name && held.clientId === client.id)
    if (name !== null && (why === null || isOwn)) planned.names[one.name] = name
    if (why !== null || name === null) {
      planned.left.push({ kind: 'base', name: one.name, why: why ?? 'nombre_de_base_invalido' })
      continue
    }
    planned.taken.push({ ...one, from: one.name, name })
    if (name !== one.name)
      planned.changed.push({ kind: 'base', name, what: 'nombre', from: one.name, to: name })
  }
  return planned
}

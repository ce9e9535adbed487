import { and, eq, type SQL, sql } from 'drizzle-orm'
import { clients, persons, plans, sites, usage } from '../../schema/tables.ts'
import type { Ctx } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { visibleTo } from './clients.ts'
import { requireClient } from './decide.ts'
import type { ClientView } from './shapes.ts'

/** The columns of a client's view; used by listings and single reads alike. */
const clientColumns = {
  name: clients.name,
  reference: clients.reference,
  displayName: clients.displayName,
  email: clients.email,
  state: clients.state,
  reason: clients.reason,
  suspendedAt: clients.suspendedAt,
  plan: plans.name,
  diskLimit: plans.diskBytes,
  diskUsed: usage.diskBytes,
  node: clients.node,
  createdBy: clients.createdBy,
  createdAt: clients.createdAt,
  updatedAt: clients.updatedAt,
  personId: persons.id,
  passwordHash: sql<number>`${persons.passwordHash} is not null`,
  totp: sql<number>`${persons.totpSecret} is not null`,
  sites: sql<number>`(select count(*) from ${sites} where ${sites.clientId} = ${clients.id} and ${sites.state} <> 'eliminando')`,
}

/** All that a view of clients is selected from; `sort` is what a listing is ordered by. */
export function selectClients(db: Db, sort: SQL<string | number> = sql`0`) {
  return db
    .select({ ...clientColumns, sort })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .leftJoin(persons, eq(persons.clientId, clients.id))
}

type ClientRow = Awaited<ReturnType<ReturnType<typeof selectClients>['all']>>[number]

/** The client as it is returned. */
export function clientView(row: ClientRow): ClientView {
  return {
    cliente: row.name,
    referencia: row.reference,
    nombre: row.displayName,
    correo: row.email,
    estado: row.state,
    motivo: row.reason,
    suspendido_desde: wireTime(row.suspendedAt),
    plan: row.plan,
    nodo: row.node,
    creado_por: row.createdBy,
    acceso: row.personId === null ? 'sin_acceso' : row.passwordHash && row.totp ? 'activo' : 'pendiente',
    sitios: row.sites,
    disco: row.diskUsed === null ? null : { usado: row.diskUsed, limite: row.diskLimit },
    creado: wireTime(row.createdAt),
    actualizado: wireTime(row.updatedAt),
  }
}

/** The view of one client by name, as far as the actor may know of it; else 404 `cliente_no_existe`. */
export function clientReading({ tx, actor }: Pick<Ctx, 'tx' | 'actor'>, name: string): Reading<ClientView> {
  return reading(selectClients(tx).where(and(eq(clients.name, name), visibleTo(actor))), ([row]) => {
    return clientView(requireClient(row))
  })
}

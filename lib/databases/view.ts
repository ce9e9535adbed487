import { and, eq, sql } from 'drizzle-orm'
import {
  applications,
  clients,
  databaseAccounts,
  databases,
  type NodeDatabases,
  nodes,
  sites,
} from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { RunCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import type { DatabaseView } from './shapes.ts'

/** All that a view of bases is selected from. */
export function selectDatabases(db: Db) {
  return db
    .select({
      database: databases,
      client: { id: clients.id, name: clients.name, node: clients.node, state: clients.state },
      access: sql<
        string | null
      >`(select json_extract(${nodes.capacity}, '$.offers.databases') from ${nodes} where ${nodes.name} = ${clients.node})`,
      site: sql<
        string | null
      >`(select ${sites.domain} from ${applications} join ${sites} on ${sites.id} = ${applications.siteId} where ${applications.clientId} = ${databases.clientId} and ${applications.database} = ${databases.name})`,
      accounts: sql<string>`(select json_group_array(json_object('name', name, 'readOnly', read_only, 'createdAt', created_at)) from (select ${databaseAccounts.name} as name, ${databaseAccounts.readOnly} as read_only, ${databaseAccounts.createdAt} as created_at from ${databaseAccounts} where ${databaseAccounts.databaseId} = ${databases.id} order by ${databaseAccounts.name}))`,
    })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
}

type DatabaseRow = Awaited<ReturnType<ReturnType<typeof selectDatabases>['all']>>[number]
type Account = { name: string; readOnly: 0 | 1; createdAt: number }
type Reader = Pick<RunCtx, 'tx' | 'actor' | 'driver' | 'request' | 'config'>

/** The base as it is returned. */
export function databaseView(row: DatabaseRow, ctx: Omit<Reader, 'tx' | 'actor'>): DatabaseView {
  const { database, client, accounts } = row
  const access = accessOf(row, ctx)
  const held: Account[] = JSON.parse(accounts)
  return {
    base: database.name,
    cliente: client.name,
    nodo: client.node,
    motor: 'mariadb',
    bytes: database.bytes,
    medido: wireTime(database.measuredAt),
    estado: stateOf(row),
    error: storedFaultText(database.error, ctx.request.language),
    socket: access?.socket ?? null,
    usuario: access && `${access.userPrefix}${client.id}`,
    conexion: access && { socket: access.socket, host: '127.0.0.1', puerto: access.port },
    cuentas: held.map(({ name, readOnly, createdAt }) => ({
      usuario: name,
      solo_lectura: readOnly === 1,
      creada: wireTime(new Date(createdAt)),
      desde: '127.0.0.1',
    })),
    sitio: row.site,
    creado: wireTime(database.createdAt),
  }
}

/** This node as it is; another one as it told, which may be a while ago. */
function accessOf({ client, access }: DatabaseRow, { driver, config }: Pick<Reader, 'driver' | 'config'>) {
  if (driver && config.node === client.node) return driver.databaseAccess
  return access === null ? null : (JSON.parse(access) as NodeDatabases) // as its own node wrote it.
}

function stateOf({ database, client }: DatabaseRow): DatabaseView['estado'] {
  if (database.state === 'eliminando' || client.state === 'eliminando') return 'eliminando'
  if (database.error !== null) return 'error'
  if (database.state === 'preparando') return 'preparando'
  if (database.loading) return 'cargando'
  if (client.state === 'suspendido') return 'bloqueada'
  return database.restricted ? 'solo_lectura' : 'activa'
}

/** The view of one base by name, as far as the actor may know of it; else 404 `base_no_existe`. */
export const databaseReading = (ctx: Reader, name: string): Reading<DatabaseView> =>
  reading(selectDatabases(ctx.tx).where(and(eq(databases.name, name), visibleTo(ctx.actor))), ([row]) => {
    if (!row) throw new AppError('base_no_existe')
    return databaseView(row, ctx)
  })

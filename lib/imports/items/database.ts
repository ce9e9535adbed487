import { and, eq, sql } from 'drizzle-orm'
import { databases } from '../../../schema/tables.ts'
import { queueNewDatabase } from '../../databases/commands.ts'
import { decideDatabase } from '../../databases/decide.ts'
import { newDatabaseFacts } from '../../databases/facts.ts'
import { AppError } from '../../endpoint/errors.ts'
import { decideLoad } from '../../loads/decide.ts'
import { selectLoad } from '../../loads/facts.ts'
import { loadAndOpen } from '../../loads/job.ts'
import { requireDriver } from '../../work/driver.ts'
import type { Importing, Row } from '../importing.ts'
import type { Wanted } from '../planned.ts'
import { ready } from '../ready.ts'
import { change } from './change.ts'

const named = ({ client }: Importing, { name }: Row) =>
  and(eq(databases.name, name), eq(databases.clientId, client.id))

/** A database with its dump, which is loaded like any other of the client's. */
export async function makeDatabase(importing: Importing, row: Row, wanted: Wanted<'base'>): Promise<void> {
  const which = named(importing, row)
  if (!row.made) await importing.step('import.database', () => create(importing, row))
  await ready(importing, async (db) => {
    const found = await db.select().from(databases).where(which).get()
    if (found?.state === 'activa') return true
    return found?.state === 'preparando' && found.error === null ? null : false
  })
  await load(importing, row, wanted)
  await change(importing, row, {
    mark: 'hecho',
    run: async ({ tx }) => tx.later(tx.update(databases).set({ loading: false }).where(which)),
  })
}

const create = (importing: Importing, row: Row): Promise<void> =>
  change(importing, row, {
    mark: 'made',
    async run(ctx) {
      const { client } = importing
      if (!decideDatabase(await newDatabaseFacts(ctx, client.id, row.name), client))
        throw new AppError('ya_existe')
      const loading = ctx.tx.update(databases).set({ loading: sql`1` }).where(named(importing, row))
      ctx.tx.later(...queueNewDatabase(ctx, client, row.name), loading)
    },
  })

async function load(importing: Importing, row: Row, wanted: Wanted<'base'>): Promise<void> {
  const { services, imports, job, client, archive, step } = importing
  const which = { base: named(importing, row), site: sql`0` }
  const known = decideLoad(await selectLoad(services.db.read, which), services.config.node)
  const { databases: server } = requireDriver(services)
  if (!server) throw new AppError('bases_no_disponible')
  const load = {
    id: `${job.id}:${row.id}`,
    base: { databaseId: known.database.id, clientId: client.id, name: row.name },
    packing: wanted.packing,
    room: known.room,
    signal: job.signal,
    open: () => imports.openMember(archive, { path: wanted.member, bytes: wanted.bytes }),
    reached: () => {},
  }
  await loadAndOpen(services, { server, load }, step)
}

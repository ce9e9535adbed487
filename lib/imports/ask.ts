import { eq } from 'drizzle-orm'
import { clients, jobs } from '../../schema/tables.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { ImportOrigin } from '../endpoint/ports/imports.ts'
import { unasked } from '../proof/decide-proven.ts'
import type { Db } from '../store/database.ts'
import { workContext } from '../work/context.ts'
import { enqueue, type Job } from '../work/jobs.ts'
import { prepareClient, readContents, requireImports } from './archives/read.ts'
import { decideImport } from './decide.ts'
import { decideNewImport } from './decide-new.ts'
import { importFacts, openImport } from './facts.ts'
import { newImport } from './kind.ts'
import type { Plan } from './planned.ts'

export type AskedImport = { client: string; origin: ImportOrigin; file: string }

/** A client that something can be imported into now; refused as by the API. */
async function importer(db: Db, { config }: Services, name: string): Promise<Client> {
  const [found, open] = await Promise.all([
    db.select().from(clients).where(eq(clients.name, name)).get(),
    openImport(db, name),
  ])
  const client = requireChangeable(found, config.node)
  decideNewImport({ client, isRunning: open !== undefined })
  return client
}

/** What an import would do, for whoever sits at the node. */
export async function lookAhead(services: Services, asked: AskedImport): Promise<Plan> {
  const client = await importer(services.db.read, services, asked.client)
  const imports = requireImports(services)
  imports.require(asked.file)
  await prepareClient(services, client.id, (_, run) => run())
  const archive = { clientId: client.id, name: asked.file }
  const { signal } = new AbortController()
  const found = await readContents(imports, { archive, origin: asked.origin }, signal)
  return services.db.write(async (tx) => {
    const client = await importer(tx, services, asked.client)
    const by = { proof: unasked(services.keys, false), language: 'en' as const }
    return decideImport(found, await importFacts(workContext(services, tx), { ...asked, client }, found), by)
  })
}

/** Queues an import for whoever sits at the node; `find` tells how it is. */
export async function beginImport(services: Services, asked: AskedImport): Promise<() => Promise<Job>> {
  requireImports(services).require(asked.file)
  // Whether another import of the client's runs is known only to the transaction that queues this one.
  const id = await services.db.write(async (tx) => {
    const client = await importer(tx, services, asked.client)
    enqueue(tx, services, newImport(client, asked))
    return (await openImport(tx, client.name))?.id ?? ''
  })
  return async () => {
    const job = await services.db.read.select().from(jobs).where(eq(jobs.id, id)).get()
    if (!job) throw new AppError('tarea_no_existe')
    return job
  }
}

import { and, asc, eq, sql } from 'drizzle-orm'
import { clients, importItems, jobs } from '../../schema/tables.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { ImportOrigin } from '../endpoint/ports/imports.ts'
import { unasked } from '../proof/decide-proven.ts'
import type { Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { rootMessage } from '../text/root-message.ts'
import { workContext } from '../work/context.ts'
import type { Job } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { ReadContents } from './archives/contents.ts'
import { prepareClient, readContents, requireImports } from './archives/read.ts'
import { decideImport } from './decide.ts'
import { faultOf, requireFits } from './errors.ts'
import { importFacts, isBeingRemoved } from './facts.ts'
import type { Importing, Row } from './importing.ts'
import { makeItem } from './items/make.ts'
import { takeBackItem } from './items/take-back.ts'
import { IMPORT_KIND } from './kind.ts'
import type { Plan } from './planned.ts'
import { ready } from './ready.ts'
import { leftView, resultView } from './view.ts'

/**
 * Takes over what an archive holds, one thing after another: each is there whole, or what was made of it is removed and
 * its failure told. What an earlier run of the same work has done stays done.
 */
export const importJob: JobKind = {
  kind: IMPORT_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 1,
  async run(services, job, step) {
    job.signal.throwIfAborted()
    const client = await clientOf(services, job)
    const archive = { clientId: client.id, name: String(job.payload.file) }
    const importing = { services, imports: requireImports(services), job, step, client, archive }
    const run = runOf(job)
    if ((await rowsOf(services, run)).length === 0) await plan(importing)
    const rows = await rowsOf(services, run)
    for (const [at, row] of rows.entries()) {
      job.reached({ done: at, total: rows.length, unit: 'pasos' })
      job.signal.throwIfAborted()
      if (row.state === 'pendiente') await makeOrTakeBack(importing, row)
    }
    job.answers(resultView(await rowsOf(services, run), await leftOf(services, job)))
    return async (tx) => tx.later(tx.delete(importItems).where(eq(importItems.run, run)), forgetLeft(tx, job))
  },
  failed: takeBack,
  cancelled: takeBack,
}

/** The same for each attempt. */
const runOf = ({ id }: Pick<Job, 'id'>) => id

const rowsOf = ({ db }: Pick<Services, 'db'>, run: string): Promise<Row[]> =>
  db.read.select().from(importItems).where(eq(importItems.run, run)).orderBy(asc(importItems.id))

async function clientOf({ db, config }: Services, job: Job): Promise<Client> {
  const found = await db.read
    .select()
    .from(clients)
    .where(eq(clients.id, Number(job.payload.client)))
    .get()
  const client = requireChangeable(found, config.node)
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  return client
}

async function plan(importing: Importing): Promise<void> {
  await prepareClient(importing.services, importing.client.id, importing.step)
  await importing.step('import.plan', () => writePlan(importing))
}

/** Reads the archive and notes all that is to be made, or refuses it before anything is. */
async function writePlan(importing: Importing): Promise<void> {
  const { services, imports, job, client, archive } = importing
  const origin = job.payload.origin as ImportOrigin // Written by `queueImport` alone.
  const found = await readContents(imports, { archive, origin }, job.signal)
  await removed(importing, found)
  await services.db.write(async (tx) => {
    const ctx = workContext(services, tx)
    const decided = decideImport(
      found,
      await importFacts(ctx, { client, origin, file: archive.name }, found),
      {
        proof: unasked(ctx.keys, false),
        language: client.language,
      },
    )
    requireFits(decided.excess)
    const rows = decided.items.map(({ kind, name, wanted }) => ({
      ...{ run: runOf(job), clientId: client.id, kind, name, wanted },
      ...{ state: 'pendiente' as const, made: false },
    }))
    for (const row of rows) tx.later(tx.insert(importItems).values(row))
    tx.later(noteLeft(tx, job, decided))
  })
}

const REMOVAL_MS = 60_000

/** What an import that failed has taken back is away before it is made again. */
async function removed(importing: Importing, found: ReadContents): Promise<void> {
  const until = performance.now() + REMOVAL_MS
  await ready(importing, async (db) => {
    const isOver = performance.now() > until || !(await isBeingRemoved(db, importing.client, found))
    return isOver || null
  })
}

async function makeOrTakeBack(importing: Importing, row: Row): Promise<void> {
  const { services, job } = importing
  try {
    await makeItem(importing, row)
  } catch (error) {
    job.signal.throwIfAborted()
    const fault = faultOf(error)
    services.log('warn', 'not imported', {
      ...{ job: job.id, client: job.clientName },
      reason: `${row.kind} ${row.name}: ${rootMessage(error)}`,
    })
    await services.db.write(async (tx) => {
      const now = await tx.select().from(importItems).where(eq(importItems.id, row.id)).get()
      if (now) await takeBackItem(workContext(services, tx), importing.client, now)
      tx.later(tx.update(importItems).set({ state: 'fallido', fault }).where(eq(importItems.id, row.id)))
    })
    services.work.wake()
  }
}

/** What was begun and will not be ended is removed; what was ended stays. */
async function takeBack(tx: Tx, services: Services, job: Job): Promise<void> {
  const own = eq(importItems.run, runOf(job))
  const open = await tx
    .select({ row: importItems, client: clients })
    .from(importItems)
    .innerJoin(clients, eq(clients.id, importItems.clientId))
    .where(and(own, eq(importItems.state, 'pendiente'), eq(importItems.made, true)))
  for (const { row, client } of open) await takeBackItem(workContext(services, tx), client, row)
  tx.later(tx.delete(importItems).where(own), forgetLeft(tx, job))
}

/** What is left out is known when it is planned, and told at the end, maybe by another process. */
const noteLeft = (tx: Tx, { id }: Job, decided: Plan): Query =>
  tx
    .update(jobs)
    .set({ payload: sql`json_set(${jobs.payload}, '$.left', json(${JSON.stringify(leftView(decided))}))` })
    .where(eq(jobs.id, id))

const forgetLeft = (tx: Tx, { id }: Job): Query =>
  tx
    .update(jobs)
    .set({ payload: sql`json_remove(${jobs.payload}, '$.left')` })
    .where(eq(jobs.id, id))

async function leftOf({ db }: Services, { id }: Job): Promise<ReturnType<typeof leftView> | null> {
  const row = await db.read.select({ payload: jobs.payload }).from(jobs).where(eq(jobs.id, id)).get()
  // Written by `noteLeft` alone.
  return (row?.payload.left as ReturnType<typeof leftView> | undefined) ?? null
}

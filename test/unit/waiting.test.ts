import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import type { Tx } from '../../lib/store/database.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { Worker } from '../../lib/work/worker.ts'
import { jobs } from '../../schema/tables.ts'
import { testServices } from '../usage/store.ts'

const LONG_MS = 20_000

let base: Awaited<ReturnType<typeof testServices>>
let services: Services
let worker: Worker
/** What each job does before its last transaction, by its subject. */
let doing: Record<string, () => Promise<void>>

beforeEach(async () => {
  base = await testServices()
  services = { ...base.services, now: () => new Date() }
  doing = {}
  worker = workerOn(services)
})
afterEach(async () => {
  await worker.stop()
  base.close()
})

function workerOn(on: Services): Worker {
  const run = async (_: Services, { subject }: { subject: string }) => {
    await doing[subject]?.()
    return async () => {}
  }
  return new Worker(on, { kinds: ['primera', 'segunda'].map((kind) => ({ kind, run })) })
}

const queue = (subject: string, kind = 'primera') =>
  services.db.write(async (tx) => enqueue(tx, services, { kind, node: 'nodo1', subject }))
/** The states of a subject's jobs, as the transaction sees them. */
const statesOf = (subject: string) => async (tx: Tx) =>
  (await tx.select({ state: jobs.state }).from(jobs).where(eq(jobs.subject, subject))).map(
    ({ state }) => state,
  )

/** Wakes and waits in one turn of the event loop, as a request does. */
function wakeAndSettle<T>(subjects: string[], look: (tx: Tx) => Promise<T>, ms = LONG_MS) {
  worker.wake()
  return worker.settle(subjects, ms, look)
}

test('a waiting request sees what the job’s last transaction left', async () => {
  await queue('uno')
  expect(await wakeAndSettle(['uno'], statesOf('uno'))).toEqual({ found: ['hecha'] })
})

test('a request that waits for several subjects sees what the last of their jobs left', async () => {
  const dos = Promise.withResolvers<void>()
  doing.dos = () => dos.promise
  doing.uno = async () => dos.resolve()
  await queue('dos')
  await queue('uno')
  const both = async (tx: Tx) => [...(await statesOf('uno')(tx)), ...(await statesOf('dos')(tx))]
  const seen = await wakeAndSettle(['uno', 'dos'], both)
  // Where both end at once neither is the last, and the state has to be read after the wait.
  expect([{ found: ['hecha', 'hecha'] }, null]).toContainEqual(seen)
  expect(await services.db.write(both)).toEqual(['hecha', 'hecha'])
})

test('work that is queued for the subject meanwhile is waited for too', async () => {
  doing.uno = async () => {
    doing.uno = async () => {}
    await queue('uno', 'segunda')
  }
  await queue('uno')
  expect(await wakeAndSettle(['uno'], statesOf('uno'))).toEqual({ found: ['hecha', 'hecha'] })
})

test('work that fails ends the wait, which does not go on until it is tried again', async () => {
  doing.uno = async () => {
    throw new Error('no')
  }
  await queue('uno')
  expect(await wakeAndSettle(['uno'], statesOf('uno'))).toEqual({ found: ['pendiente'] })
})

test('several can wait for the same work', async () => {
  await queue('uno')
  const all = await Promise.all([1, 2, 3].map(() => wakeAndSettle(['uno'], statesOf('uno'))))
  expect(all).toEqual(Array(3).fill({ found: ['hecha'] }))
})

test('work that another process does or has done ends the wait, without a look from inside', async () => {
  const done = Promise.withResolvers<void>()
  doing.uno = () => done.promise
  await queue('uno')
  const other = workerOn(services)
  const running = other.runDue()
  setTimeout(() => done.resolve(), 700)
  expect(await worker.settle(['uno'], LONG_MS, statesOf('uno'))).toBeNull()
  await running
  expect(await services.db.write(statesOf('uno'))).toEqual(['hecha'])
  expect(await worker.settle(['uno'], LONG_MS, statesOf('uno'))).toBeNull()
})

test('a wait ends after its time while the work goes on', async () => {
  const done = Promise.withResolvers<void>()
  doing.uno = () => done.promise
  await queue('uno')
  expect(await wakeAndSettle(['uno'], statesOf('uno'), 100)).toBeNull()
  done.resolve()
})

test('waiting for work of this process reads nothing from the database', async () => {
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  doing.uno = async () => {
    begun.resolve()
    await done.promise
  }
  let reads = 0
  const { db } = services
  const counting = {
    ...db,
    get read() {
      reads++
      return db.read
    },
  }
  worker = workerOn({ ...services, db: counting })
  await queue('uno')
  worker.wake()
  await begun.promise
  const before = reads
  const settled = worker.settle(['uno'], LONG_MS, statesOf('uno'))
  // Longer than the wait goes on before it asks the database for work of other processes.
  setTimeout(() => done.resolve(), 1200)
  expect(await settled).toEqual({ found: ['hecha'] })
  expect(reads).toBe(before)
})

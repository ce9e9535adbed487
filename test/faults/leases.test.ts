import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import { deadlyJobs, enqueue } from '../../lib/work/jobs.ts'
import type { JobKind } from '../../lib/work/kind.ts'
import { underLease } from '../../lib/work/leases.ts'
import { Worker } from '../../lib/work/worker.ts'
import { jobs, leases } from '../../schema/tables.ts'
import { eventually } from '../support/wait.ts'
import { testServices } from '../usage/store.ts'

const TTL_MS = 1000

let base: Awaited<ReturnType<typeof testServices>>
let services: Services

beforeEach(async () => {
  base = await testServices()
  services = { ...base.services, now: () => new Date() }
})
afterEach(() => base.close())

/** Waits until a lease that was not renewed would be over, by a wide margin. */
const outlast = (since: number) =>
  eventually(async () => performance.now() - since > 3 * TTL_MS, 'the lease’s first lifetime to pass')

test('work under a lease keeps it for as long as it takes, and gives it back at its end', async () => {
  const began = performance.now()
  const done = Promise.withResolvers<void>()
  const first = underLease(services, 'cron:largo', TTL_MS, () => done.promise)
  await outlast(began)
  expect(await underLease(services, 'cron:largo', TTL_MS, async () => {})).toBe(false)
  done.resolve()
  expect(await first).toBe(true)
  expect(await underLease(services, 'cron:largo', TTL_MS, async () => {})).toBe(true)
})

test('the lease of a holder that is gone is free when its lifetime is over, and not before', async () => {
  const until = new Date(Date.now() + TTL_MS)
  await services.db.write(async (tx) => {
    await tx.insert(leases).values({ name: 'cron:muerto', owner: 'nobody', until })
  })
  const takenAt = await eventually(async () => {
    let at = 0
    await underLease(services, 'cron:muerto', TTL_MS, async () => {
      at = Date.now()
    })
    return at > 0 && at
  }, 'the lease to be free')
  expect(takenAt).toBeGreaterThanOrEqual(until.getTime())
})

test('a job that takes longer than its claim lasts is done by the one worker that has it', async () => {
  const runs: string[] = []
  const done = Promise.withResolvers<void>()
  const began = performance.now()
  const kindOf = (who: string): JobKind => ({
    kind: 'larga',
    async run() {
      runs.push(who)
      await done.promise
      return async () => {}
    },
  })
  await services.db.write(async (tx) => {
    enqueue(tx, services, { kind: 'larga', node: 'nodo1', subject: 'uno' })
  })
  const [one, other] = ['one', 'other'].map(
    (who) => new Worker(services, { kinds: [kindOf(who)], leaseMs: TTL_MS }),
  )
  const first = one?.runDue()
  await eventually(async () => runs.length === 1, 'the job to be claimed')
  await outlast(began)
  expect(await other?.runDue()).toBe(0)
  done.resolve()
  await first
  expect(runs).toEqual(['one'])
  const row = await services.db.read.select().from(jobs).where(eq(jobs.subject, 'uno')).get()
  expect(row).toMatchObject({ state: 'hecha', attempts: 1 })
})

test('the job of a worker that is gone goes to the next one when the claim is over', async () => {
  await services.db.write(async (tx) => {
    enqueue(tx, services, { kind: 'larga', node: 'nodo1', subject: 'uno' })
  })
  const until = new Date(Date.now() + TTL_MS)
  await services.db.write(async (tx) => {
    await tx.update(jobs).set({ state: 'en_curso', fence: 1, attempts: 1, leaseUntil: until })
  })
  let at = 0
  const kind: JobKind = {
    kind: 'larga',
    async run() {
      at = Date.now()
      return async () => {}
    },
  }
  const worker = new Worker(services, { kinds: [kind], leaseMs: TTL_MS })
  await eventually(async () => (await worker.runDue()) > 0, 'the claim to be over')
  expect(at).toBeGreaterThanOrEqual(until.getTime())
})

test('a job that takes long tells its step, and one that failed where it did', async () => {
  const done = Promise.withResolvers<void>()
  const kind: JobKind = {
    kind: 'larga',
    async run(_services, _job, step) {
      await step('copiar', () => done.promise)
      return async () => {}
    },
  }
  await services.db.write(async (tx) => {
    enqueue(tx, services, { kind: 'larga', node: 'nodo1', subject: 'uno' })
  })
  const row = () => services.db.read.select().from(jobs).where(eq(jobs.subject, 'uno')).get()
  const run = new Worker(services, { kinds: [kind], leaseMs: TTL_MS }).runDue()
  await eventually(async () => (await row())?.step === 'copiar', 'the step to be told')
  done.reject(new Error('no room'))
  await run
  expect(await row()).toMatchObject({ state: 'pendiente', step: 'copiar' })
})

test('a job whose worker ended at each attempt is set aside and told, and is not begun again', async () => {
  await services.db.write(async (tx) => {
    enqueue(tx, services, { kind: 'mortal', node: 'nodo1', subject: 'uno' })
  })
  const begun: number[] = []
  const failed: string[] = []
  const kind: JobKind = {
    kind: 'mortal',
    async run(_services, job) {
      begun.push(job.attempts)
      return async () => {}
    },
    failed: async (_tx, _services, job) => void failed.push(job.reason),
  }
  const worker = new Worker(services, { kinds: [kind], leaseMs: TTL_MS })
  const row = () => services.db.read.select().from(jobs).where(eq(jobs.subject, 'uno')).get()
  const claimedBefore = (attempts: number) =>
    services.db.write(async (tx) => {
      await tx.update(jobs).set({ state: 'en_curso', attempts, leaseUntil: new Date(0) })
    })
  await claimedBefore(30)
  await worker.runDue()
  expect(await row()).toMatchObject({ state: 'fallida', attempts: 30 })
  expect([begun, failed]).toEqual([[], [(await row())?.error ?? '']])
  expect(await deadlyJobs(services.db.read, 'nodo1')).toMatchObject([{ kind: 'mortal' }])
  // The last of the attempts is still one.
  await claimedBefore(29)
  await worker.runDue()
  expect([begun, (await row())?.state]).toEqual([[30], 'hecha'])
})

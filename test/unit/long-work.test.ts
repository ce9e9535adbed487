import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import type { JobKind } from '../../lib/work/kind.ts'
import type { RunningJob } from '../../lib/work/running.ts'
import { Worker } from '../../lib/work/worker.ts'
import { jobs } from '../../schema/tables.ts'
import { eventually } from '../support/wait.ts'
import { NOW, testServices } from '../usage/store.ts'

let base: Awaited<ReturnType<typeof testServices>>
let services: Services
let worker: Worker
let doing: (job: RunningJob) => Promise<void>
const left: string[] = []

beforeEach(async () => {
  base = await testServices()
  services = base.services
  left.length = 0
  worker = workerOf({ cancellable: true })
})
afterEach(async () => {
  await worker.stop()
  base.close()
})

const workerOf = (more: Partial<JobKind>) =>
  new Worker(services, {
    kinds: [
      {
        kind: 'larga',
        async run(_, job) {
          await doing(job)
          return async () => {}
        },
        cancelled: async () => void left.push('tidied'),
        ...more,
      },
    ],
  })
const queue = (subject: string, client = subject) =>
  services.db.write(async (tx) =>
    enqueue(tx, services, { kind: 'larga', node: 'nodo1', subject, client, cancellable: true }),
  )
const cancel = () => services.db.write((tx) => tx.update(jobs).set({ cancelledAt: NOW }))
const row = async () => await services.db.read.select().from(jobs).get()
/** Resolves when nobody wants the job any more. */
const unwanted = ({ signal }: RunningJob) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })

describe('long work', () => {
  test('tells how far it is while it runs, and what it answers when it is done', async () => {
    const end = Promise.withResolvers<void>()
    doing = async (job) => {
      job.reached({ done: 3, total: 7, unit: 'archivos' })
      await end.promise
      job.answers({ copia: 'una' })
    }
    await queue('uno')
    worker.wake()
    await eventually(async () => (await row())?.progress !== null, 'its progress')
    expect(await row()).toMatchObject({
      state: 'en_curso',
      progress: { done: 3, total: 7, unit: 'archivos' },
      result: null,
    })
    end.resolve()
    await worker.runDue()
    expect(await row()).toMatchObject({ state: 'hecha', result: { copia: 'una' } })
  })

  test.each([
    [
      { done: 3, total: 4, unit: 'pasos' },
      { done: 4, total: 4, unit: 'pasos' },
    ],
    [
      { done: 3, total: null, unit: 'bytes' },
      { done: 3, total: null, unit: 'bytes' },
    ],
    [null, null],
  ] as const)('that came to %p has come to %p once it is done', async (reached, ended) => {
    doing = async (job) => {
      if (reached === null) return
      job.reached(reached)
      await eventually(async () => (await row())?.progress !== null, 'its progress')
    }
    await queue('uno')
    await worker.runDue()
    expect([(await row())?.state, (await row())?.progress]).toEqual(['hecha', ended])
  })

  test('that is cancelled ends as cancelled, once its run has cleared away what it made', async () => {
    doing = async (job) => {
      await unwanted(job)
      job.signal.throwIfAborted()
    }
    await queue('uno')
    worker.wake()
    await eventually(async () => (await row())?.state === 'en_curso', 'its begin')
    await cancel()
    await worker.runDue()
    expect(await row()).toMatchObject({ state: 'cancelada', finishedAt: NOW, leaseUntil: null })
    expect(left).toEqual(['tidied'])
  })

  test('that is cancelled before it begins only clears away what an earlier run left', async () => {
    const seen: boolean[] = []
    doing = async ({ signal }) => {
      seen.push(signal.aborted)
      signal.throwIfAborted()
    }
    await queue('uno')
    await cancel()
    await worker.runDue()
    expect(seen).toEqual([true])
    expect((await row())?.state).toBe('cancelada')
  })

  test('that had ended before it was cancelled counts as done', async () => {
    doing = async (job) => unwanted(job)
    await queue('uno')
    await cancel()
    await worker.runDue()
    expect((await row())?.state).toBe('hecha')
  })

  test('keeps nothing waiting that another process queues meanwhile', async () => {
    const end = Promise.withResolvers<void>()
    doing = ({ subject }) => (subject === 'uno' ? end.promise : Promise.resolve())
    const stateOf = async (subject: string) =>
      (await services.db.read.select().from(jobs).where(eq(jobs.subject, subject)).get())?.state
    await queue('uno')
    const due = worker.runDue()
    await eventually(async () => (await stateOf('uno')) === 'en_curso', 'its begin')
    // In the database alone: nobody wakes this worker.
    await queue('dos')
    await eventually(async () => (await stateOf('dos')) === 'hecha', 'the other', 5_000)
    expect(await stateOf('uno')).toBe('en_curso')
    end.resolve()
    expect(await due).toBe(2)
  })

  test('that may be tried once has failed for good when it fails', async () => {
    worker = workerOf({ tries: 1 })
    doing = async () => {
      throw new Error('no')
    }
    await queue('uno')
    await worker.runDue()
    expect(await row()).toMatchObject({ state: 'fallida', attempts: 1 })
  })
})

test('a client takes two places of those that programs have, and keeps nobody from the others', async () => {
  worker = workerOf({ caged: true })
  const end = Promise.withResolvers<void>()
  doing = () => end.promise
  for (const subject of ['a1', 'a2', 'a3', 'a4']) await queue(subject, 'acme')
  for (let n = 0; n < 6; n++) await queue(`b${n}`, `otro${n}`)
  worker.wake()
  const running = async () => {
    const found = await services.db.read.select().from(jobs).where(eq(jobs.state, 'en_curso'))
    return found.map(({ clientName }) => clientName).sort()
  }
  await eventually(async () => (await running()).length === 8, 'eight of them')
  expect(await running()).toEqual([...['acme', 'acme', 'otro0', 'otro1', 'otro2', 'otro3', 'otro4', 'otro5']])
  end.resolve()
  await worker.runDue()
  expect((await services.db.read.select().from(jobs)).every(({ state }) => state === 'hecha')).toBe(true)
})

import { beforeEach, describe, expect, test } from 'bun:test'
import { mailsDue, sendDueMails } from '../../lib/mail/outbox.ts'
import { isLookDue } from '../../lib/proof/look.ts'
import { type CronJob, runCron } from '../../lib/work/cron.ts'
import { claim, enqueue } from '../../lib/work/jobs.ts'
import type { JobKind } from '../../lib/work/kind.ts'
import { underLease } from '../../lib/work/leases.ts'
import { Worker } from '../../lib/work/worker.ts'
import { jobs, leases, mails, siteNames } from '../../schema/tables.ts'
import { addClient, addSite } from '../usage/store.ts'
import { BACK, back, DAY_MS, move, services, storeForEachTest, use } from './queues-clock.ts'

storeForEachTest()

describe('a job', () => {
  let runs: string[]
  let doing: () => Promise<void>
  const kind: JobKind = {
    kind: 'una',
    async run(_, { subject }) {
      runs.push(subject)
      await doing()
      return async () => {}
    },
  }
  const queue = (subject: string) =>
    services.db.write(async (tx) => enqueue(tx, services, { kind: 'una', node: 'nodo1', subject }))
  const worker = () => new Worker(services, { kinds: [kind] })
  const stateOf = async () => (await services.db.read.select().from(jobs).get())?.state

  beforeEach(() => {
    runs = []
    doing = async () => {}
  })

  test.each(BACK)('that is queued runs at once when the clock is set back by %s', async (_, ms) => {
    await queue('uno')
    back(ms)
    await worker().runDue()
    expect(await stateOf()).toBe('hecha')
  })

  test.each(BACK)(
    'that failed waits no longer than its own delay when it is set back by %s',
    async (_, ms) => {
      await queue('uno')
      doing = async () => {
        throw new Error('refused')
      }
      for (let tries = 0; tries < 3; tries++) {
        await worker().runDue()
        move(121_000)
      }
      doing = async () => {}
      back(ms)
      // The third delay is two minutes.
      move(121_000)
      await worker().runDue()
      expect(await stateOf()).toBe('hecha')
    },
  )

  test.each(BACK)('of a worker that died is taken over when it is set back by %s', async (_, ms) => {
    await queue('uno')
    await claim(services.db, { node: 'nodo1', kinds: ['una'] }, services.now())
    back(ms)
    await worker().runDue()
    expect(await stateOf()).toBe('hecha')
  })

  test.each([-30 * DAY_MS, 30 * DAY_MS])('runs once at a time when the clock moves by %p', async (ms) => {
    const end = Promise.withResolvers<void>()
    doing = () => end.promise
    await queue('uno')
    const mine = worker()
    mine.wake()
    while (runs.length === 0) await Bun.sleep(1)
    move(ms)
    await queue('uno')
    mine.wake()
    await queue('otro')
    end.resolve()
    await mine.runDue()
    expect(runs.filter((subject) => subject === 'uno')).toHaveLength(2)
    const rows = await services.db.read.select().from(jobs)
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['hecha', 1]))
  })
})

describe('a mail', () => {
  let sent: string[]
  let sending: () => Promise<void>
  const post: CronJob = {
    name: 'correo',
    summary: '',
    pattern: '',
    ttlSeconds: 300,
    leaseByNode: true,
    due: mailsDue,
    run: async (of) => ({ enviados: await sendDueMails(of) }),
  }
  beforeEach(async () => {
    sent = []
    sending = async () => {}
    const send = async ({ to }: { to: string }) => {
      sent.push(to)
      await sending()
    }
    use({
      ...services,
      mailer: { send, relay: null },
      config: { ...services.config, origin: 'https://panel.es', host: 'panel.es', mailFrom: 'a@panel.es' },
    })
    await services.db.write((tx) =>
      tx.insert(mails).values({
        id: 'mail_1',
        kind: 'espejo_retirado',
        recipient: 'a@b.es',
        language: 'es',
        payload: { zona: 'a.es', proveedor: 'desec', visto: '-' },
        state: 'en_cola',
        nextAt: services.now(),
        createdAt: services.now(),
      }),
    )
  })
  const refuse = async () => {
    throw new Error('refused')
  }

  test.each(BACK)('that is queued goes at once when the clock is set back by %s', async (_, ms) => {
    back(ms)
    expect(await sendDueMails(services)).toBe(1)
  })

  test.each(BACK)(
    'that was refused waits no longer than its own delay when it is set back by %s',
    async (_, ms) => {
      sending = refuse
      await sendDueMails(services)
      sending = async () => {}
      back(ms)
      move(30_000)
      expect(await sendDueMails(services)).toBe(1)
    },
  )

  test.each(BACK)('of a process that died is handed over again when it is set back by %s', async (_, ms) => {
    const leaseUntil = new Date(services.now().getTime() + 120_000)
    await services.db.write((tx) => tx.update(mails).set({ state: 'enviando', leaseUntil }))
    back(ms)
    expect(await sendDueMails(services)).toBe(1)
  })

  test.each([-30 * DAY_MS, 30 * DAY_MS])('is handed over once while the clock moves by %p', async (ms) => {
    const end = Promise.withResolvers<void>()
    sending = () => end.promise
    const first = runCron(services, post)
    while (sent.length === 0) await Bun.sleep(1)
    move(ms)
    expect(await runCron(services, post)).toBeNull()
    end.resolve()
    expect(await first).toEqual({ enviados: 1 })
    expect(sent).toEqual(['a@b.es'])
  })
})

test.each(BACK)('a name is looked at within a day when the clock is set back by %s', async (_, ms) => {
  const clientId = await addClient(services, { name: 'acme' })
  const siteId = await addSite(services, clientId, 'uno.es')
  const nextLookAt = new Date(services.now().getTime() + DAY_MS)
  const name = { name: 'uno.es', reversed: 'se.onu', siteId, clientId, position: 0, nextLookAt }
  await services.db.write((tx) => tx.insert(siteNames).values({ ...name, alias: false }))
  expect(await isLookDue(services)).toBe(false)
  back(ms)
  expect(await isLookDue(services)).toBe(true)
})

describe('scheduled work', () => {
  const TTL_MS = 300_000
  const run = (work = async () => {}) => underLease(services, 'cron:uno', TTL_MS, work)
  const hold = (owner: string) =>
    services.db.write(async (tx) => {
      const until = new Date(services.now().getTime() + TTL_MS)
      await tx.insert(leases).values({ name: 'cron:uno', owner, until })
    })

  test.each([['four minutes', 240_000] as const, ...BACK])(
    'whose holder died runs within its lease when the clock is set back by %s',
    async (_, ms) => {
      await hold('nobody')
      back(ms)
      expect(await run()).toBe(true)
    },
  )

  test('whose holder is another host, half a minute ahead, is left to it', async () => {
    await hold('other')
    back(30_000)
    expect(await run()).toBe(false)
  })

  test.each([-30 * DAY_MS, 30 * DAY_MS])(
    'never overlaps itself in a process whose clock moves by %p',
    async (ms) => {
      const end = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const first = run(async () => {
        begun.resolve()
        await end.promise
      })
      await begun.promise
      move(ms)
      expect(await run()).toBe(false)
      end.resolve()
      expect(await first).toBe(true)
      expect(await run()).toBe(true)
    },
  )
})

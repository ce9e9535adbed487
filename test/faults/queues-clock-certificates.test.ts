import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { withinLimit } from '../../deploy/node/certificates/limit.ts'
import { ownCertificateKeeper } from '../../deploy/node/certificates/own.ts'
import { enqueueDueCertificates } from '../../lib/sites/certificates/due.ts'
import { CertificateError } from '../../lib/sites/certificates/failure.ts'
import { issueCertificate } from '../../lib/sites/certificates/job.ts'
import { Worker } from '../../lib/work/worker.ts'
import { sites } from '../../schema/tables.ts'
import { addClient, addSite, NOW, withDriver } from '../usage/store.ts'
import {
  back,
  base,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  move,
  services,
  storeForEachTest,
  use,
} from './queues-clock.ts'

storeForEachTest()

describe('a certificate', () => {
  let asked: number
  let refusal: CertificateError | null
  beforeEach(async () => {
    asked = 0
    refusal = null
    use(
      withDriver(services, {
        issuesCertificates: true,
        issueCertificate: async ({ names }) => {
          asked++
          if (refusal) throw refusal
          const issuedAt = NOW
          return { issuer: 'Test', issuedAt, expiresAt: new Date(NOW.getTime() + 90 * DAY_MS), names }
        },
      }),
    )
    await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  })
  /** One turn of the schedule, with the work that it queued. */
  async function turn(): Promise<number> {
    const queued = await enqueueDueCertificates(services)
    await new Worker(services, { kinds: [issueCertificate] }).runDue()
    return queued
  }
  const siteOf = async () => services.db.read.select().from(sites).get()
  const refused = () => new CertificateError('rechazada', { codigo: 'acme_no_autorizado', nombres: 'uno.es' })

  test('that was refused is asked for again when the clock is set back by a month', async () => {
    refusal = refused()
    await turn()
    refusal = null
    back(30 * DAY_MS)
    await turn()
    expect(await siteOf()).toMatchObject({ certificateState: 'activo' })
  })

  test.each([
    ['a day', DAY_MS],
    ['a month', 30 * DAY_MS],
  ])(
    'that was put off for a day is asked for again within a day when it is set back by %s',
    async (_, ms) => {
      await services.db.write((tx) =>
        tx.update(sites).set({ certificateNextAt: new Date(services.now().getTime() + DAY_MS) }),
      )
      back(ms)
      await turn()
      expect(await siteOf()).toMatchObject({ certificateState: 'activo' })
    },
  )

  test('that ran out under a clock far ahead is in use again once that is put right', async () => {
    await turn()
    expect(await siteOf()).toMatchObject({ certificateState: 'activo' })
    move(120 * DAY_MS)
    refusal = refused()
    await turn()
    expect(await siteOf()).toMatchObject({ certificateState: 'error' })
    refusal = null
    back(120 * DAY_MS)
    await turn()
    expect(await siteOf()).toMatchObject({ certificateState: 'activo', certificateError: null })
  })

  test('that is valid waits for its renewal and nothing sooner when the clock is set back', async () => {
    await turn()
    back(30 * DAY_MS)
    for (let days = 0; days < 30; days++) {
      expect(await turn()).toBe(0)
      move(DAY_MS)
    }
    expect(asked).toBe(1)
  })

  test('is renewed once when the clock is set forward by two months', async () => {
    await turn()
    use(
      withDriver(services, {
        ...services.driver,
        issueCertificate: async ({ names }) => {
          asked++
          const issuedAt = services.now()
          return { issuer: 'Test', issuedAt, expiresAt: new Date(issuedAt.getTime() + 90 * DAY_MS), names }
        },
      }),
    )
    move(61 * DAY_MS)
    for (let minutes = 0; minutes < 30; minutes++) {
      await turn()
      move(MINUTE_MS)
    }
    expect(asked).toBe(2)
  })

  test('whose authority named a time is not asked for before it', async () => {
    refusal = new CertificateError(
      'limite',
      { codigo: 'acme_limite' },
      { retryAfter: new Date(services.now().getTime() + 7 * DAY_MS) },
    )
    await turn()
    for (let hours = 0; hours < 7 * 24; hours += 6) {
      expect(await turn()).toBe(0)
      move(6 * HOUR_MS)
    }
    expect(await turn()).toBe(1)
  })
})

describe.each([
  ['a day', DAY_MS],
  ['a month', 30 * DAY_MS],
])('an authority that was asked before the clock was set back by %s', (_, ms) => {
  test('is asked for the panel’s own certificate within a week', async () => {
    let asked = 0
    const keeper = ownCertificateKeeper({
      issuer: {
        issueOwn: async () => {
          asked++
          return { issuer: 'Test', issuedAt: NOW, expiresAt: NOW, names: [] }
        },
      },
      host: 'panel.es',
      path: join(base.directory, 'own.pem'),
      now: services.now,
      serve: async () => {},
      refused: () => {},
    })
    await keeper.look()
    expect(asked).toBe(1)
    back(ms)
    for (let days = 0; days < 7; days++) {
      await keeper.look()
      move(DAY_MS)
    }
    expect(asked).toBeGreaterThan(1)
  })

  test('is left alone for as long as it can have meant, and no longer', async () => {
    const path = join(base.directory, 'limit')
    const retryAfter = new Date(services.now().getTime() + 7 * DAY_MS)
    const busy = new CertificateError('limite', { codigo: 'acme_limite' }, { retryAfter })
    const refuse = () => withinLimit(path, services.now, () => Promise.reject(busy))
    await expect(refuse()).rejects.toThrow(busy.message)
    let asked = 0
    const ask = () => withinLimit(path, services.now, async () => void asked++)
    await expect(ask()).rejects.toThrow(busy.message)
    back(ms)
    await ask()
    expect(asked).toBe(1)
  })
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import type { ResolverAnswer, Services } from '../../lib/endpoint/context.ts'
import type { Certificate, NodeDriver } from '../../lib/endpoint/node-port.ts'
import { enqueueDueCertificates } from '../../lib/sites/certificates/due.ts'
import { CertificateError } from '../../lib/sites/certificates/failure.ts'
import { issueCertificate } from '../../lib/sites/certificates/job.ts'
import { resolvesHere } from '../../lib/sites/certificates/resolves.ts'
import {
  CERTIFICATE_JOB,
  certificateUnderWay,
  enqueueCertificate,
  siteToCertify,
} from '../../lib/sites/certificates/site.ts'
import { enqueue, releaseClaims } from '../../lib/work/jobs.ts'
import type { JobKind } from '../../lib/work/kind.ts'
import { watchJob } from '../../lib/work/running.ts'
import { Worker } from '../../lib/work/worker.ts'
import { jobs, siteNames, sites } from '../../schema/tables.ts'
import { addClient, addSite, NOW, testServices, withDriver } from '../usage/store.ts'

type Request = Parameters<NodeDriver['issueCertificate']>[0]
const DAY_MS = 86_400_000
const EXPIRES = new Date(NOW.getTime() + 90 * DAY_MS)

let base: Awaited<ReturnType<typeof testServices>>
let asked: Request[]
/** What the authority does next. */
let outcome: (request: Request) => string[]
let services: Services

beforeEach(async () => {
  base = await testServices()
  asked = []
  outcome = ({ domain, names }) => [...new Set([domain, ...names])]
  services = withDriver(base.services, {
    issuesCertificates: true,
    issueCertificate: async (request) => {
      asked.push(request)
      return { issuer: 'Test', issuedAt: base.clock.now, expiresAt: EXPIRES, names: outcome(request) }
    },
  })
})
afterEach(() => base.close())

/** Does every queued job of certificates, as the node's worker does. */
async function work(): Promise<void> {
  const due = await services.db.read
    .select()
    .from(jobs)
    .where(and(eq(jobs.state, 'pendiente'), eq(jobs.kind, CERTIFICATE_JOB)))
    .orderBy(asc(jobs.createdAt))
  for (const job of due) {
    const change = await issueCertificate.run(services, watchJob(services.db, job).running, (_, run) => run())
    await services.db.write(async (tx) => {
      await change(tx)
      await tx.update(jobs).set({ state: 'hecha' }).where(eq(jobs.id, job.id))
    })
  }
}

/** One turn of the schedule at a time after the start. */
async function turn(afterMs: number): Promise<number> {
  base.clock.now = new Date(NOW.getTime() + afterMs)
  const queued = await enqueueDueCertificates(services)
  await work()
  return queued
}

const siteOf = async (domain = 'uno.es') => {
  const row = await services.db.read.select().from(sites).where(eq(sites.domain, domain)).get()
  if (!row) throw new Error('no such site')
  return row
}

test('a new site gets its certificate without being asked, and its renewal at two thirds of its life', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  expect(await turn(0)).toBe(1)
  const renewal = new Date(NOW.getTime() + 60 * DAY_MS)
  expect(await siteOf()).toMatchObject({
    certificateState: 'activo',
    certificateIssuer: 'Test',
    certificateExpiresAt: EXPIRES,
    certificateNames: ['uno.es'],
    certificateError: null,
    certificateNextAt: renewal,
  })
  expect(await turn(60 * DAY_MS - 1000)).toBe(0)
  expect(await turn(60 * DAY_MS)).toBe(1)
  expect(asked.map(({ renew }) => renew)).toEqual([false, false])
})

test('a refusal keeps its code, waits longer each time, and spares what is still valid', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  outcome = () => {
    throw new CertificateError('rechazada', { codigo: 'acme_no_autorizado', nombres: 'uno.es' })
  }
  await turn(0)
  const first = await siteOf()
  expect(first).toMatchObject({
    certificateState: 'error',
    certificateError: JSON.stringify({ codigo: 'acme_no_autorizado', nombres: 'uno.es' }),
    certificateAttempts: 1,
  })
  const wait = (first.certificateNextAt?.getTime() ?? 0) - NOW.getTime()
  expect(await turn(wait - 1)).toBe(0)
  expect(await turn(wait)).toBe(1)
  const second = await siteOf()
  expect((second.certificateNextAt?.getTime() ?? 0) - base.clock.now.getTime()).toBeGreaterThan(2 * wait)
  outcome = ({ domain }) => [domain]
  await turn(DAY_MS)
  outcome = () => {
    throw new CertificateError(
      'limite',
      { codigo: 'acme_limite' },
      { retryAfter: new Date(NOW.getTime() + 75 * DAY_MS) },
    )
  }
  await turn(62 * DAY_MS)
  expect(await siteOf()).toMatchObject({
    certificateState: 'activo',
    certificateError: JSON.stringify({ codigo: 'acme_limite' }),
    certificateNames: ['uno.es'],
  })
  expect(await turn(75 * DAY_MS - 1)).toBe(0)
  outcome = ({ domain }) => [domain]
  expect(await turn(75 * DAY_MS)).toBe(1)
  expect(await siteOf()).toMatchObject({
    certificateState: 'activo',
    certificateError: null,
    certificateAttempts: 0,
  })
})

test('a site whose name does not lead here yet is waited for, with the reason', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  outcome = () => {
    throw new CertificateError('no_resuelve', { codigo: 'no_resuelve_aqui', nombres: 'uno.es' })
  }
  await turn(0)
  const site = await siteOf()
  expect(site).toMatchObject({ certificateState: 'pendiente' })
  expect(site.certificateError).toContain('uno.es')
  expect((site.certificateNextAt?.getTime() ?? 0) - NOW.getTime()).toBeLessThan(180_000)
})

test('names that were left out are tried again the next day', async () => {
  const client = await addClient(services, { name: 'acme' })
  const siteId = await addSite(services, client, 'uno.es')
  const alias = {
    name: 'www.uno.es',
    reversed: 'se.onu.www',
    siteId,
    clientId: client,
    alias: true,
    position: 1,
  }
  await services.db.write(async (tx) => void (await tx.insert(siteNames).values(alias)))
  outcome = () => ['uno.es']
  await turn(0)
  expect(await siteOf()).toMatchObject({
    certificateState: 'activo',
    certificateNextAt: new Date(NOW.getTime() + DAY_MS),
  })
  outcome = ({ domain, names }) => [...new Set([domain, ...names])]
  await turn(DAY_MS)
  expect((await siteOf()).certificateNames.toSorted()).toEqual(['uno.es', 'www.uno.es'])
})

test('a plan without HTTPS asks nothing until it has it, and another node’s sites are not ours', async () => {
  const poor = await addClient(services, { name: 'poor', plan: { functions: ['php'] } })
  await addSite(services, poor, 'uno.es')
  await addSite(services, await addClient(services, { name: 'far', node: 'nodo2' }), 'dos.es')
  expect(await turn(0)).toBe(0)
  const found = await siteToCertify(services.db.read, 'uno.es')
  if (!found) throw new Error('no site')
  await services.db.write(async (tx) => enqueueCertificate(tx, services, { ...found, renew: true }))
  expect(await siteOf()).toMatchObject({ certificateState: 'pendiente' })
  await work()
  expect(asked).toEqual([])
  expect(await siteOf()).toMatchObject({ certificateState: 'autofirmado' })
})

test('a site is asked for once however often the schedule turns while the authority is busy', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  expect(await enqueueDueCertificates(services)).toBe(1)
  expect(await certificateUnderWay(services.db.read, 'uno.es')).toBe(true)
  await services.db.write(async (tx) => void (await tx.update(jobs).set({ state: 'en_curso' })))
  expect(await enqueueDueCertificates(services)).toBe(0)
})

test('many sites at once are spread so that the authority’s limit of orders holds', async () => {
  const client = await addClient(services, { name: 'acme' })
  await services.db.write(async (tx) => {
    for (let n = 0; n < 400; n += 1) {
      await tx.insert(sites).values({
        clientId: client,
        domain: `n${n}.es`,
        state: 'activo',
        httpsOnly: true,
        certificateState: 'autofirmado',
        certificateNames: [],
        createdAt: NOW,
      })
    }
  })
  let queued = 0
  for (let minutes = 0; minutes < 180; minutes += 10) queued += await turn(minutes * 60_000)
  expect(queued).toBeLessThanOrEqual(300)
  expect(queued).toBeGreaterThan(200)
})

test('certificates that an authority keeps waiting do not hold up other work', async () => {
  const client = await addClient(services, { name: 'acme' })
  for (const n of [1, 2, 3, 4, 5, 6]) await addSite(services, client, `n${n}.es`)
  const answer = Promise.withResolvers<void>()
  const quick = Promise.withResolvers<void>()
  const waiting = withDriver(services, {
    ...services.driver,
    issueCertificate: async (request) => {
      await answer.promise
      return { issuer: 'Test', issuedAt: NOW, expiresAt: EXPIRES, names: [request.domain] }
    },
  })
  const other: JobKind = {
    kind: 'rapida',
    run: async () => async () => quick.resolve(),
  }
  await enqueueDueCertificates(services)
  await services.db.write(async (tx) => {
    enqueue(tx, services, { kind: 'rapida', node: 'nodo1', subject: 'otro' })
  })
  const worker = new Worker(waiting, { kinds: [issueCertificate, other] })
  worker.wake()
  await quick.promise
  answer.resolve()
  await worker.runDue()
  const states = await services.db.read.select({ state: sites.certificateState }).from(sites)
  expect(states.map(({ state }) => state)).toEqual(Array(6).fill('activo'))
})

test('a certificate that an authority keeps waiting does not hold up the end of the panel, and is gone on with', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Certificate>()
  const waiting = withDriver(services, {
    ...services.driver,
    issueCertificate: () => {
      begun.resolve()
      return answer.promise
    },
  })
  await enqueueDueCertificates(services)
  const worker = new Worker(waiting, { kinds: [issueCertificate] })
  worker.wake()
  await begun.promise
  await worker.stop(true)
  // What it comes to now is nobody's any more, a failure neither.
  answer.reject(new Error('the connection was closed'))
  await Bun.sleep(10)
  const [job] = await services.db.read.select().from(jobs)
  expect(job).toMatchObject({ state: 'en_curso', error: null })
  await releaseClaims(services.db, 'nodo1', services.now(), true)
  await new Worker(services, { kinds: [issueCertificate] }).runDue()
  expect(await siteOf()).toMatchObject({ certificateState: 'activo' })
})

test('a node without an authority leaves its sites on the panel’s own certificate', async () => {
  await addSite(services, await addClient(services, { name: 'acme' }), 'uno.es')
  services = withDriver(services, { ...services.driver, issuesCertificates: false })
  expect(await enqueueDueCertificates(services)).toBe(0)
  expect(await siteOf()).toMatchObject({ certificateState: 'autofirmado', certificateError: null })
})

test('a name leads here when any resolver answers one of our addresses, however it is spelled', async () => {
  const answers: Record<string, ResolverAnswer> = {
    'v4.es A': { kind: 'answer', values: ['192.0.2.9', '192.0.2.1'], ttlSeconds: 60 },
    'v6.es AAAA': { kind: 'answer', values: ['2001:db8:0:0::1'], ttlSeconds: 60 },
    'far.es A': { kind: 'answer', values: ['192.0.2.9'], ttlSeconds: 60 },
  }
  const resolver = {
    label: 'test',
    query: async (name: string, type: string) =>
      answers[`${name} ${type}`] ?? { kind: 'failure' as const, reason: 'SERVFAIL' },
  }
  const here = { resolvers: [resolver], config: { addresses: ['192.0.2.1', '2001:DB8::1'] } }
  expect(await resolvesHere(here, 'v4.es')).toBe(true)
  expect(await resolvesHere(here, 'v6.es')).toBe(true)
  expect(await resolvesHere(here, 'far.es')).toBe(false)
  expect(await resolvesHere(here, 'none.es')).toBe(false)
  expect(await resolvesHere({ ...here, resolvers: [] }, 'far.es')).toBe(true)
})

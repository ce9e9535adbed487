import { afterEach, beforeEach, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import expiry from '../../handlers/cron/expiry.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import { storedFault } from '../../lib/text/stored-faults.ts'
import { EVENT_TYPES } from '../../schema/states.ts'
import * as tables from '../../schema/tables.ts'
import { addClient, addSite, NOW, testServices } from '../usage/store.ts'

let store: Awaited<ReturnType<typeof testServices>>
let services: Services
beforeEach(async () => {
  store = await testServices()
  services = store.services
})
afterEach(() => store.close())

const fault = storedFault({ codigo: 'sin_conexion', detalle: 'a secret of a customer' })
const {
  applications,
  audit,
  clients,
  copies,
  databases,
  events,
  jobs,
  passkeys,
  persons,
  sites,
  tokens,
  usage,
  zones,
} = tables

const told = () => services.db.read.select().from(events).orderBy(asc(events.id))
const typesTold = async () => (await told()).map(({ type }) => type)
/** What one change tells. */
async function tells(change: (db: Services['db']) => Promise<unknown>): Promise<string[]> {
  const before = (await told()).length
  await change(services.db)
  return (await typesTold()).slice(before)
}
const set = (what: Partial<typeof sites.$inferInsert>) =>
  tells((db) => db.write((tx) => tx.update(sites).set(what)))

async function addAll(): Promise<{ client: number; site: number }> {
  const client = await addClient(services, { name: 'acme' })
  const site = await addSite(services, client, 'uno.es')
  await services.db.write(async (tx) => {
    const login = { role: 'client', email: 'ana@acme.es', language: 'es', active: true } as const
    await tx.insert(persons).values({ ...login, id: 'per_1', clientId: client, createdAt: NOW })
    await tx
      .insert(databases)
      .values({ clientId: client, name: 'acme_x', state: 'preparando', createdAt: NOW })
    const zone = { name: 'uno.es', reversed: 'se.onu', node: 'nodo1', serial: 1 }
    await tx.insert(zones).values({ ...zone, clientId: client, createdAt: NOW, updatedAt: NOW })
    const copy = { id: 'cop_1', state: 'en_curso' as const, destination: '', whole: true, parts: [] }
    await tx.insert(copies).values({ ...copy, clientId: client, startedAt: NOW })
    const app = { kind: 'wordpress', state: 'instalando', language: 'es', installation: '1' } as const
    await tx
      .insert(applications)
      .values({ ...app, siteId: site, clientId: client, database: 'x', createdAt: NOW })
    const use = { measuredAt: NOW, source: 'cuota', diskBytes: 1, inodes: 1 } as const
    await tx.insert(usage).values({ ...use, clientId: client })
    const token = { publicId: 'a', hash: new Uint8Array(1), name: 'facturas', expiresOn: '2027-01-01' }
    const made = { creatorId: 'per_1', creatorEmail: 'jefe@panel.es', createdAt: NOW }
    await tx.insert(tokens).values({ ...token, ...made, id: 'tok_1' })
    const passkey = {
      personId: 'per_1',
      credentialId: 'a',
      publicKey: new Uint8Array(1),
      counter: 0,
      transports: [],
    }
    const shown = { synced: true, host: 'panel.es', name: 'Móvil', createdAt: NOW }
    await tx.insert(passkeys).values({ ...passkey, ...shown, id: 'lla_1' })
  })
  return { client, site }
}

const job = (id: string, more: Partial<typeof jobs.$inferInsert> = {}) => ({
  id,
  kind: 'archivos.operar',
  subject: id,
  target: '',
  payload: { secret: 'payload' },
  state: 'en_curso' as const,
  cancellable: true,
  nextAt: NOW,
  createdAt: NOW,
  clientName: 'acme',
  ...more,
})

async function changeAll(): Promise<void> {
  const now = NOW
  await services.db.write(async (tx) => {
    await tx.update(clients).set({ state: 'suspendido', reason: 'unpaid' })
    await tx.update(clients).set({ state: 'activo', planId: null })
    await tx.update(persons).set({ totpSecret: 'sealed' })
    await tx.update(sites).set({ state: 'error', error: fault })
    await tx.update(sites).set({ state: 'activo', error: null, certificateState: 'pendiente' })
    const certificate = {
      certificateState: 'activo' as const,
      certificateIssuer: 'CA',
      certificateNames: ['uno.es'],
    }
    await tx.update(sites).set({ ...certificate, certificateExpiresAt: now })
    await tx.update(sites).set({ ...certificate, certificateExpiresAt: new Date(0) })
    await tx.update(sites).set({ certificateError: fault })
    await tx.update(applications).set({ state: 'activa', version: '6.8' })
    await tx.update(applications).set({ state: 'activa', version: '6.9' })
    await tx.update(databases).set({ state: 'activa' })
    await tx.update(zones).set({ error: fault })
    await tx.update(copies).set({ state: 'incompleta' })
    await tx.update(copies).set({ state: 'en_curso' })
    await tx.update(copies).set({ state: 'completa' })
    await tx.update(usage).set({ warned: { disco_bytes: 80, 'trafico_bytes:2026-11': 100 } })
    await tx.update(tokens).set({ revokedAt: now })
    for (const state of ['hecha', 'fallida', 'cancelada'] as const) {
      await tx.insert(jobs).values(job(state))
      await tx.update(jobs).set({ state, error: fault }).where(eq(jobs.id, state))
    }
    const entry = { at: now, actorKind: 'sistema', actorName: 'sistema', outcome: 'hecho' } as const
    for (const type of EVENT_TYPES.filter((one) => /^(espejo|proveedor)\./.test(one)))
      await tx.insert(audit).values({ ...entry, operation: type, clientName: 'acme', target: 'uno.es' })
    await tx.delete(passkeys)
    await tx.delete(applications)
    for (const table of [persons, databases, zones, sites, clients]) await tx.delete(table)
  })
}

test('every type of event is told by the change that it names, and by no other', async () => {
  await addAll()
  await changeAll()
  const types = await typesTold()
  expect(new Set(types)).toEqual(new Set(EVENT_TYPES))
  expect(types).toHaveLength(EVENT_TYPES.length)
})

test('an event tells the client, what of it, and codes instead of texts', async () => {
  await addAll()
  await changeAll()
  const all = await told()
  const one = (type: string) => all.find((event) => event.type === type)
  expect(one('sitio.error')).toMatchObject({
    client: 'acme',
    object: 'uno.es',
    data: { error: 'sin_conexion' },
  })
  expect(one('cliente.suspendido')).toMatchObject({
    object: null,
    data: { motivo: 'unpaid', referencia: null },
  })
  expect(one('cliente.plan')?.data).toEqual({ referencia: null, plan: null })
  expect(one('uso.aviso')?.data).toEqual({ recursos: { disco_bytes: 80, trafico_bytes: 100 } })
  expect(one('certificado.emitido')?.data).toEqual({ caduca: NOW.toISOString(), nombres: ['uno.es'] })
  expect(one('tarea.fallida')).toMatchObject({
    object: 'fallida',
    data: { operacion: 'archivos.operar', error: 'sin_conexion' },
  })
  expect(one('tarea.hecha')?.data).toEqual({ operacion: 'archivos.operar', error: null })
  expect(JSON.stringify(all)).not.toMatch(/secret|sealed|jefe@|ana@/)
})

test('what repeats a state, or is undone, tells nothing', async () => {
  await addAll()
  expect(await set({ state: 'activo' })).toEqual([])
  expect(await set({ state: 'error', error: fault })).toEqual(['sitio.error'])
  expect(await set({ state: 'error', error: fault })).toEqual([])
  expect(await set({ certificateExpiresAt: NOW, certificateState: 'autofirmado' })).toEqual([])
  const undone = services.db.write(async (tx) => {
    await tx.update(clients).set({ state: 'suspendido' })
    throw new Error('refused')
  })
  await expect(undone).rejects.toThrow('refused')
  expect(await typesTold()).not.toContain('cliente.suspendido')
  const quick = job('quick', { cancellable: false })
  const scheduled = job('scheduled', { kind: 'programada.ejecutar' })
  const ended = (db: Services['db']) =>
    db.write(async (tx) => {
      await tx.insert(jobs).values([quick, scheduled])
      await tx.update(jobs).set({ state: 'hecha' })
    })
  expect(await tells(ended)).toEqual([])
})

test('a key is above all before it though the clock is behind, and at least the time', async () => {
  const ahead = Date.now() + 86_400_000
  const event = { at: NOW, type: 'sitio.creado', data: {} } as const
  await services.db.write((tx) => tx.insert(events).values({ ...event, id: ahead }))
  await addClient(services, { name: 'acme' })
  expect((await told()).map(({ id }) => id)).toEqual([ahead, ahead + 1])
  await services.db.write((tx) => tx.delete(events))
  const before = Date.now()
  await addClient(services, { name: 'otro' })
  expect((await told())[0]?.id).toBeGreaterThanOrEqual(before)
})

test('what a clock far ahead wrote is forgotten with what is as old, and keys go on above it', async () => {
  const day = 86_400_000
  const at = (days: number) => new Date(NOW.getTime() + days * day)
  const rows = [
    { id: 1, at: at(-92) },
    { id: 2, at: at(5_000) },
    { id: 3, at: at(-91) },
    { id: 4, at: at(-1) },
  ]
  const all = (list: typeof rows) => list.map((row) => ({ ...row, type: 'sitio.creado' as const, data: {} }))
  await services.db.write((tx) => tx.insert(events).values(all(rows)))
  await expiry.job.run(services)
  expect((await told()).map(({ id }) => id)).toEqual([4])
  const last = Date.now() + 5_000 * day
  await services.db.write(async (tx) => {
    await tx.delete(events)
    await tx.insert(events).values(all([{ id: last, at: at(-91) }]))
  })
  await expiry.job.run(services)
  await addClient(services, { name: 'acme' })
  expect((await told()).map(({ id }) => id)).toEqual([last, last + 1])
})

import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { Webhook as Verifier } from 'standardwebhooks'
import { fetchAt } from '../../../deploy/node/resolver/fetch-at.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { newKeyLine, parseKeyRing } from '../../../lib/secrets/keys.ts'
import { webhookPlace } from '../../../lib/secrets/sealed.ts'
import { bound, MOST_WAITING, queueForgettingOld, queueWebhookSweep } from '../../../lib/webhooks/bounds.ts'
import { BACK_OFF, MAX_ATTEMPTS } from '../../../lib/webhooks/decide.ts'
import { deliverDue } from '../../../lib/webhooks/deliver.ts'
import { sealedSecret } from '../../../lib/webhooks/secret.ts'
import { sendOnce } from '../../../lib/webhooks/send.ts'
import { newSecret } from '../../../lib/webhooks/sign.ts'
import { deliveries, events, mails, persons, webhooks } from '../../../schema/tables.ts'
import { partly } from '../../support/partly.ts'
import { Receiver } from '../../support/receiver.ts'
import { random } from '../../support/seed.ts'
import { addClient, NOW, testServices } from '../../usage/store.ts'
import { allowing, resolving } from './support.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe('a delivery', () => {
  let store: Awaited<ReturnType<typeof testServices>>
  let services: Services
  let receiver: Receiver
  /** What a host does that cannot choose the address: the certificate's authority is not one of this process. */
  const plain = (url: string | URL | Request, init?: RequestInit) =>
    fetch(url, { ...init, tls: { rejectUnauthorized: false } })

  beforeEach(async () => {
    store = await testServices()
    const config = { ...store.services.config, webhookAddresses: ['127.0.0.1'] }
    const keys = parseKeyRing(newKeyLine(random))
    services = { ...store.services, config, keys, fetch: plain as typeof fetch }
    receiver = await Receiver.start()
  })
  afterEach(async () => {
    await receiver.stop()
    await store.close()
  })

  const move = (ms: number) => {
    store.clock.now = new Date(store.clock.now.getTime() + ms)
  }
  const add = async (id: string, more: Partial<typeof webhooks.$inferInsert> = {}) => {
    const { secret, sealed } = await sealedSecret(services, id)
    const row = {
      id,
      url: receiver.url(`/${id}`),
      types: ['*' as const],
      active: true,
      secret: sealed,
      createdAt: NOW,
    }
    await services.db.write((tx) => tx.insert(webhooks).values({ ...row, ...more }))
    return new Verifier(secret.reveal())
  }
  const rows = (webhook: string) =>
    services.db.read
      .select()
      .from(deliveries)
      .where(eq(deliveries.webhookId, webhook))
      .orderBy(asc(deliveries.id))
  const states = async (webhook: string) => (await rows(webhook)).map(({ state }) => state)
  const webhook = (id: string) => services.db.read.select().from(webhooks).where(eq(webhooks.id, id)).get()

  test('is queued with its event, for each webhook that wants it and is on', async () => {
    await add('todo')
    await add('clientes', { types: ['cliente.suspendido', 'cliente.creado'] })
    await add('sitios', { types: ['sitio.creado'] })
    await add('apagado', { active: false })
    await addClient(services, { name: 'acme' })
    const rolledBack = services.db.write(async (tx) => {
      await tx.insert(events).values({ id: 1, at: NOW, type: 'cliente.creado', data: {} })
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    const all = await services.db.read.select().from(deliveries)
    expect(all.map(({ webhookId, state }) => [webhookId, state]).sort()).toEqual([
      ['clientes', 'en_cola'],
      ['todo', 'en_cola'],
    ])
  })

  test('is signed, and carries the event as the feed tells it', async () => {
    const verifier = await add('uno')
    await addClient(services, { name: 'acme' })
    store.clock.now = new Date()
    expect(await deliverDue(services)).toBe(1)
    const [event] = await services.db.read.select().from(events)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.at('/uno')
    const key = String(event?.id)
    expect(verifier.verify(body, headers)).toEqual({
      type: 'cliente.creado',
      timestamp: event?.at.toISOString(),
      data: {
        evento: key,
        tipo: 'cliente.creado',
        cuando: event?.at.toISOString(),
        cliente: 'acme',
        objeto: null,
        datos: { referencia: null, nodo: 'nodo1' },
      },
    })
    expect(headers).toMatchObject({ 'webhook-id': `evt_${key}`, 'content-type': 'application/json' })
    const [row] = await rows('uno')
    expect(row).toMatchObject({ state: 'entregada', attempts: 1, status: 200, reply: 'ok', fault: null })
  })

  test('keeps to its order, and is tried again by its own waits', async () => {
    await add('uno')
    for (const name of ['a', 'b', 'c']) await addClient(services, { name })
    receiver.reply = () => new Response('no', { status: 500 })
    // After a failure the webhook is left alone for the rest of the run.
    for (const name of ['a', 'b', 'c']) {
      expect(await deliverDue(services)).toBe(0)
      expect(JSON.parse(receiver.received.at(-1)?.body ?? '').data.cliente).toBe(name)
    }
    expect(await deliverDue(services)).toBe(0)
    expect(receiver.received).toHaveLength(3)
    receiver.reply = () => new Response('ok')
    move(5_000)
    expect(await deliverDue(services)).toBe(3)
    const again = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(again.slice(0, 3)).toEqual(again.slice(3))
  })

  test('that fails for three days is given up, and its webhook is switched off and the admins told', async () => {
    const admin = {
      id: 'per_1',
      role: 'admin',
      email: 'jefe@panel.es',
      language: 'es',
      active: true,
    } as const
    await services.db.write((tx) => tx.insert(persons).values({ ...admin, createdAt: NOW }))
    await add('uno')
    await addClient(services, { name: 'acme' })
    receiver.reply = () => new Response(null, { status: 302, headers: { location: receiver.url('/otro') } })
    for (const wait of [0, ...BACK_OFF.waitsMs]) {
      move(wait)
      expect(await states('uno')).toEqual(['en_cola'])
      await deliverDue(services)
    }
    await addClient(services, { name: 'otro' })
    expect(await rows('uno')).toMatchObject([
      { state: 'abandonada', attempts: 10, status: 302, fault: 'rechazada' },
    ])
    expect(receiver.at('/otro')).toEqual([])
    expect(await webhook('uno')).toMatchObject({ active: false, stopped: 'sin_entregas' })
    const told = await services.db.read.select().from(mails)
    expect(told.map(({ kind, recipient }) => [kind, recipient])).toEqual([['aviso_apagado', 'jefe@panel.es']])
    expect(JSON.stringify(told)).not.toContain('/uno')
  })

  test('that fails alone is given up, and its webhook stays on', async () => {
    await add('uno')
    await addClient(services, { name: 'mala' })
    await services.db.write((tx) => tx.update(deliveries).set({ attempts: MAX_ATTEMPTS - 1 }))
    await addClient(services, { name: 'buena' })
    receiver.reply = ({ body }) => new Response('', { status: body.includes('"mala"') ? 422 : 200 })
    // It took the other one after this one was queued.
    await services.db.write((tx) =>
      tx.update(webhooks).set({ deliveredAt: new Date(Date.now() + MINUTE_MS) }),
    )
    await deliverDue(services)
    await deliverDue(services)
    expect(await states('uno')).toEqual(['abandonada', 'entregada'])
    expect(await webhook('uno')).toMatchObject({ active: true, stopped: null })
  })

  test('that is answered with 410 switches its webhook off with all that waits', async () => {
    await add('uno')
    for (const name of ['a', 'b']) await addClient(services, { name })
    receiver.reply = () => new Response('gone', { status: 410 })
    await deliverDue(services)
    await deliverDue(services)
    expect(await states('uno')).toEqual(['abandonada', 'abandonada'])
    expect(receiver.received).toHaveLength(1)
    expect(await webhook('uno')).toMatchObject({ active: false, stopped: 'ya_no_existe' })
  })

  test('does not wait for another webhook that hangs', async () => {
    await add('lento')
    await add('sano')
    for (const name of ['a', 'b']) await addClient(services, { name })
    const end = Promise.withResolvers<void>()
    receiver.reply = async ({ path }) => {
      if (path === '/lento') await end.promise
      return new Response('ok')
    }
    const run = deliverDue(services)
    while (receiver.at('/sano').length < 2) await Bun.sleep(5)
    // What comes while the other still hangs is delivered as well.
    await addClient(services, { name: 'c' })
    while (receiver.at('/sano').length < 3) await Bun.sleep(5)
    expect(receiver.at('/lento')).toHaveLength(1)
    end.resolve()
    await run
    expect(await states('lento')).toEqual(['entregada', 'entregada', 'entregada'])
  })

  test('that failed is made again, and what waits is bounded, while another webhook is slow without end', async () => {
    await add('lento')
    await add('sano')
    await addClient(services, { name: 'a' })
    const end = Promise.withResolvers<void>()
    receiver.reply = async ({ path }) => {
      if (path === '/lento') await end.promise
      return new Response('', { status: path === '/sano' && receiver.at('/sano').length < 2 ? 500 : 200 })
    }
    const clock = performance.now.bind(performance)
    let ahead = 0
    const passing = spyOn(performance, 'now').mockImplementation(() => clock() + ahead)
    const run = deliverDue(services)
    while (!(await rows('sano')).some(({ fault }) => fault !== null)) await Bun.sleep(5)
    await addClient(services, { name: 'b' })
    ahead = 31_000
    while (receiver.at('/sano').length < 2) await Bun.sleep(5)
    const row = { webhookId: 'lento', state: 'en_cola' as const, queuedAt: NOW, nextAt: NOW }
    for (let at = 0; at <= MOST_WAITING; at += 1000)
      await services.db.write((tx) => tx.insert(deliveries).values(Array(1000).fill(row)))
    ahead = 62_000
    end.resolve()
    await run
    passing.mockRestore()
    expect(receiver.at('/lento')).toHaveLength(1)
    expect(await webhook('lento')).toMatchObject({ active: false, stopped: 'demasiadas' })
  })

  test('is made again once whoever made it is gone, and its late end changes nothing', async () => {
    await add('uno')
    await addClient(services, { name: 'acme' })
    const end = Promise.withResolvers<Response>()
    receiver.reply = () => end.promise
    const first = deliverDue(services)
    while (receiver.received.length < 1) await Bun.sleep(5)
    receiver.reply = () => new Response('second')
    expect(await deliverDue(services)).toBe(0)
    move(61_000)
    expect(await deliverDue(services)).toBe(1)
    end.resolve(new Response('first', { status: 500 }))
    await first
    expect(await rows('uno')).toMatchObject([{ state: 'entregada', attempts: 2, reply: 'second' }])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('is signed under the replaced secret too for a day, which is then forgotten', async () => {
    const older = await add('uno')
    const { secret, sealed } = await sealedSecret(services, 'uno')
    store.clock.now = new Date()
    const replaced = { secret: sealed, replacedSecret: (await webhook('uno'))?.secret ?? null }
    const replacedUntil = new Date(store.clock.now.getTime() + DAY_MS)
    await services.db.write((tx) => tx.update(webhooks).set({ ...replaced, replacedUntil }))
    await addClient(services, { name: 'a' })
    await deliverDue(services)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    for (const verifier of [older, new Verifier(secret.reveal())]) verifier.verify(body, headers)
    move(DAY_MS + 1)
    await addClient(services, { name: 'b' })
    await deliverDue(services)
    expect(receiver.received.at(-1)?.headers['webhook-signature']).not.toContain(' ')
    await services.db.write(async (tx) => tx.later(...queueWebhookSweep(tx, services.now())))
    const now = await webhook('uno')
    expect(now?.replacedSecret).toBeNull()
    expect(await services.keys.open(webhookPlace('uno'), now?.secret ?? '')).toBe(secret.reveal())
  })

  test('is kept for 30 days, and only so many of them', async () => {
    await add('uno')
    const row = { webhookId: 'uno', state: 'entregada' as const, queuedAt: NOW, nextAt: NOW }
    const many = (count: number, more: object) =>
      services.db.write(async (tx) => {
        for (let at = 0; at < count; at += 1000)
          await tx.insert(deliveries).values(Array(Math.min(1000, count - at)).fill({ ...row, ...more }))
      })
    await many(5003, {})
    await many(2, { state: 'en_cola' })
    await bound(services, 'uno')
    expect((await rows('uno')).length).toBe(5003)
    // Of one that is tried out and takes no events.
    await many(3, {})
    await services.db.write(async (tx) => tx.later(queueForgettingOld(tx, 'uno')))
    expect((await rows('uno')).length).toBe(5003)
    await many(MOST_WAITING, { state: 'en_cola' })
    await bound(services, 'uno')
    expect(await webhook('uno')).toMatchObject({ active: false, stopped: 'demasiadas' })
    expect(new Set(await states('uno'))).toEqual(new Set(['entregada', 'abandonada']))
    move(31 * DAY_MS)
    await services.db.write(async (tx) => tx.later(...queueWebhookSweep(tx, services.now())))
    expect(await rows('uno')).toEqual([])
  })
})

describe('one attempt', () => {
  let receiver: Receiver
  const once = (url: string, more: Partial<Services> = {}, timeoutMs = 10_000) => {
    const means = { now: () => new Date(), config: allowing('127.0.0.1'), resolvers: [], fetchAt, ...more }
    const message = { id: 'evt_1', body: '{}' }
    return sendOnce(partly<Services>(means), {
      url,
      message,
      secrets: [newSecret(random)],
      timeoutMs,
    })
  }
  beforeEach(async () => {
    receiver = await Receiver.start()
  })
  afterEach(() => receiver.stop())

  test('goes to the address that was checked, whatever the name leads to later, and verifies the name', async () => {
    const resolvers = [resolving(['127.0.0.1'], ['127.0.0.9'])]
    const url = receiver.url('/x', 'avisos.ejemplo.es')
    // The receiver's certificate is of an authority that this process does not know.
    expect(await once(url, { resolvers })).toMatchObject({ status: null, fault: 'certificado_rechazado' })
    expect(await once(url, { resolvers })).toMatchObject({ status: null, fault: 'direccion_no_admitida' })
    const nobody = {
      config: allowing('127.0.0.9') as Services['config'],
      resolvers: [resolving(['127.0.0.9'])],
    }
    expect(await once(url, nobody)).toMatchObject({ fault: 'sin_conexion' })
    expect(receiver.received).toEqual([])
  })

  test('is over when its time is, also in the middle of a reply', async () => {
    const open = (async (_: unknown, { signal }: RequestInit) =>
      new Response(
        new ReadableStream({
          start: (stream) => void signal?.addEventListener('abort', () => stream.error()),
        }),
      )) as unknown
    const outcome = await once(receiver.url('/'), { fetchAt: open as typeof fetchAt }, 50)
    expect(outcome).toMatchObject({ status: null, fault: 'sin_respuesta' })
  })

  test('keeps the beginning of a reply, without control characters, and reads no more', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(stream) {
        sent++
        stream.enqueue(new TextEncoder().encode(`\u0000\u001b[31m${'x'.repeat(300)}`))
      },
    })
    const fetchAt = async () => new Response(endless, { status: 503 })
    const { reply, status, fault } = await once(receiver.url('/'), { fetchAt })
    expect([reply?.length, reply?.slice(0, 8), status, fault]).toEqual([1024, '  [31mxx', 503, 'rechazada'])
    expect(sent).toBeLessThan(10)
  })
})

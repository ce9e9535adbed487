import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Services } from '../../lib/endpoint/context.ts'
import type { MailSpool } from '../../lib/endpoint/ports/mail.ts'
import { allowanceOf, chargeMail, refundMail } from '../../lib/mail/allowance.ts'
import { relayCustomersMail } from '../../lib/mail/relay.ts'
import { viewUsage } from '../../lib/usage/usage.ts'
import { mailMinutes, mails } from '../../schema/tables.ts'
import { addClient, addNode, testServices, withDriver } from './store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let base: Awaited<ReturnType<typeof testServices>>
let services: Services
let id: number
beforeEach(async () => {
  base = await testServices()
  const config = { ...base.services.config, host: 'panel.example', mailFrom: 'Panel <panel@panel.example>' }
  services = { ...base.services, config }
  await addNode(services, 'nodo1')
  id = await addClient(services, { name: 'acme', plan: { dailyMails: 10 }, email: 'a@acme.es' })
})
afterEach(() => base.close())

const move = (ms: number) => {
  base.clock.now = new Date(base.clock.now.getTime() + ms)
}
const charge = async (recipients: number) => (await chargeMail(services, id, recipients)).charged
const used = async () => (await allowanceOf(services.db.read, id, base.clock.now))?.used
const kinds = async () =>
  (await services.db.read.select({ kind: mails.kind }).from(mails)).map(({ kind }) => kind)

describe('the recipients of a day', () => {
  test('are as many as the plan says, in any 24 hours', async () => {
    expect(await charge(6)).toBe(true)
    move(HOUR_MS)
    expect(await charge(5)).toBe(false)
    expect(await charge(4)).toBe(true)
    expect(await charge(1)).toBe(false)
    move(DAY_MS - HOUR_MS - 60_000)
    expect(await charge(1)).toBe(false)
    move(60_000)
    expect(await used()).toBe(4)
    expect(await charge(6)).toBe(true)
    expect(await charge(1)).toBe(false)
  })

  test('are 500 where the plan leaves it open, and where there is none', async () => {
    id = await addClient(services, { name: 'otro' })
    expect(await charge(501)).toBe(false)
    expect(await charge(500)).toBe(true)
    expect(await charge(1)).toBe(false)
  })

  test('are none where the plan has none, and nobody is written to about that', async () => {
    id = await addClient(services, { name: 'otro', plan: { dailyMails: 0 } })
    expect(await charge(1)).toBe(false)
    expect(await kinds()).toEqual([])
  })

  test('of another client are its own', async () => {
    await charge(10)
    id = await addClient(services, { name: 'otro', plan: { dailyMails: 1 } })
    expect(await charge(1)).toBe(true)
  })

  test('stand in what the client uses', async () => {
    await charge(9)
    const shown = async () =>
      (await viewUsage(services.db.read, [id], base.clock.now))[0]?.consumo.correos_dia
    expect(await shown()).toEqual({ usado: 9, limite: 10, porcentaje: 90, nivel: 'aviso' })
    await charge(1)
    expect(await shown()).toMatchObject({ usado: 10, nivel: 'superado' })
    move(DAY_MS)
    expect(await shown()).toMatchObject({ usado: 0, nivel: 'bien' })
  })

  test('that were not taken are given back', async () => {
    const { minute } = await chargeMail(services, id, 10)
    await refundMail(services, id, { minute, recipients: 4 })
    expect(await charge(5)).toBe(false)
    expect(await charge(4)).toBe(true)
  })

  test('that are used up are told of once a day', async () => {
    await charge(10)
    await charge(1)
    expect(await kinds()).toEqual(['correos_agotados'])
    move(DAY_MS - 120_000)
    await charge(1)
    expect(await kinds()).toHaveLength(1)
    move(120_000)
    await charge(10)
    expect(await kinds()).toHaveLength(2)
  })
})

describe.each([
  ['two hours', 2 * HOUR_MS],
  ['a day', DAY_MS],
  ['400 days', 400 * DAY_MS],
])('a clock that is set back by %s', (_, ms) => {
  test('gives no more mail, and holds nobody up for more than a day', async () => {
    await charge(4)
    move(HOUR_MS)
    await charge(6)
    move(-ms)
    expect(await used()).toBe(10)
    expect(await charge(1)).toBe(false)
    move(DAY_MS)
    expect(await charge(10)).toBe(true)
  })

  test('gives no more after it was set forward', async () => {
    await charge(6)
    move(ms)
    const more = (await charge(10)) ? 10 : 0
    move(-ms)
    expect(await used()).toBe(6 + more)
    expect(await charge(5)).toBe(false)
  })

  test('keeps nobody from being told', async () => {
    await charge(10)
    move(-ms)
    move(2 * DAY_MS)
    await charge(10)
    expect((await kinds()).length).toBeGreaterThan(1)
  })
})

test('as many minutes are kept as a day has', async () => {
  const minute = Math.floor(base.clock.now.getTime() / 60_000)
  await services.db.write(async (tx) => {
    for (let n = 1; n <= 1500; n++)
      tx.later(tx.insert(mailMinutes).values({ clientId: id, minute: minute - n, recipients: 0 }))
  })
  await charge(1)
  expect(await services.db.read.$count(mailMinutes)).toBe(1440)
})

describe('a round', () => {
  /** A spool that holds these messages of the client, and what was told. */
  function spoolOf(messages: Record<string, { to: string[]; text?: string }>) {
    const told: string[] = []
    const aside: string[] = []
    const spool: MailSpool = {
      waiting: () => (Object.keys(messages).length > 0 ? [id] : []),
      due: () => Object.keys(messages),
      tell: (_client, left, counted) => void told.push([left, ...(counted ? [counted] : [])].join(' ')),
      read(_client, name) {
        const { to = [], text = 'Subject: x\n\ny' } = messages[name] ?? {}
        return { to, message: new TextEncoder().encode(text) }
      },
      sent: (_client, name) => void delete messages[name],
      postpone: () => false,
      putAside(_client, name) {
        aside.push(name)
        delete messages[name]
      },
      unsent: () => 3,
    }
    return { spool, told, aside, messages }
  }
  const relay = async (
    spool: MailSpool,
    send: (to: string[]) => Promise<{ deferred: string[]; refused: string[] }>,
  ) => {
    const mailer = { send: async () => {}, relay: ({ to }: { to: string[] }) => send(to) }
    return relayCustomersMail({ ...withDriver(services, { mail: spool }), mailer })
  }
  const many = (n: number, at = 'b.es') => Array.from({ length: n }, (_, i) => `a${i}@${at}`)
  const taken = { deferred: [], refused: [] }

  test('writes to a thousand recipients a hundred at a time, and counts each', async () => {
    id = await addClient(services, { name: 'grande', plan: { dailyMails: 1500 } })
    const { spool, told } = spoolOf({ '1': { to: many(1000) } })
    const parts: number[] = []
    await relay(spool, async (to) => {
      parts.push(to.length)
      return taken
    })
    expect(parts).toEqual(Array(10).fill(100))
    expect(await used()).toBe(1000)
    expect(told).toContain('500 1')
    expect(told.at(-1)).toBe('500')
  })

  test('leaves what the day has no room for, and puts aside what none has', async () => {
    const first = spoolOf({ '1': { to: many(8) }, '2': { to: many(3) } })
    expect(await relay(first.spool, async () => taken)).toBe(1)
    expect(Object.keys(first.messages)).toEqual(['2'])
    const second = spoolOf({ '3': { to: many(11) } })
    expect(await relay(second.spool, async () => taken)).toBe(0)
    expect(second.aside).toEqual(['3'])
  })

  test('counts only what the server took, and tells the client of what it gave up', async () => {
    const { spool } = spoolOf({ '1': { to: many(5) } })
    await relay(spool, async (to) => ({ deferred: to.slice(0, 2), refused: to.slice(2, 3) }))
    expect(await used()).toBe(3)
    const [notice] = await services.db.read.select().from(mails)
    expect(notice).toMatchObject({
      kind: 'correos_sin_enviar',
      recipient: 'a@acme.es',
      payload: { cliente: 'acme', numero: '3' },
    })
  })

  test('without a server tries one message of a client, and counts nothing', async () => {
    const { spool } = spoolOf({ '1': { to: many(1) }, '2': { to: many(1) } })
    let tries = 0
    await relay(spool, () => {
      tries += 1
      return Promise.reject(new Error('connect ECONNREFUSED'))
    })
    expect([tries, await used()]).toEqual([1, 0])
  })

  test.each([
    'From: panel@panel.example',
    'From: "panel"(x)@panel.example',
    'Sender: <cliente+otro@panel.example>',
    'From: "cliente+otro"\n @panel.example',
    'From: x@y.es, cliente+acme2@panel.example',
  ])('does not pass on what another would have written: %j', async (head) => {
    const { spool, aside } = spoolOf({ '1': { to: many(1), text: `${head}\nSubject: x\n\ny` } })
    await relay(spool, async () => taken)
    expect(aside).toEqual(['1'])
  })

  test.each([
    'From: cliente+acme@panel.example',
    'From: Acme <hola@acme.es>',
    'From: x@y.es\nReply-To: panel@panel.example',
  ])('passes on what the client may write: %j', async (head) => {
    const { spool } = spoolOf({ '1': { to: many(1), text: `${head}\nSubject: x\n\ny` } })
    expect(await relay(spool, async () => taken)).toBe(1)
  })
})

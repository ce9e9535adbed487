import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inconsistencies, settled, statusOf, surroundings } from '../support/consistency.ts'
import { startWorld, type World } from '../support/node-world.ts'
import type { Answer, Json } from '../support/panel.ts'
import { enrol } from '../support/people.ts'
import { addressOf } from '../support/prober.ts'

let world: World
let customer: string
/** What stands outside of the database, as the test before left it. */
let before: Record<string, string[]>

beforeAll(async () => {
  world = await startWorld()
  await world.client('suyo', { aliases: ['otro-suyo.es'] })
  await world.client('propio')
  await world.done('POST', '/clientes/propio/acceso', { correo: 'propio@cliente.es' })
  const mail = await world.panel.mailTo('propio@cliente.es')
  customer = (await enrol(world.panel, mail.link ?? '', 'propio@cliente.es')).bearer
  before = await surroundings(world.panel)
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

afterEach(async () => {
  await settled(world.panel)
  const after = await surroundings(world.panel)
  // A refusal leaves everything as it was, which was found consistent.
  if (!Bun.deepEquals(after, before)) expect(await inconsistencies(world.panel)).toEqual([])
  before = after
})

/** Nothing outside the database has changed, and the newest row of the audit trail tells of the refusal. */
async function expectRefused(answer: Answer, allowed: number[], what: unknown): Promise<void> {
  expect([what, allowed]).toEqual([what, expect.arrayContaining([answer.status])])
  const { datos } = (await world.call('GET', '/auditoria?limite=1')).body
  expect([what, datos[0].peticion, datos[0].resultado]).toEqual([
    what,
    answer.headers.get('x-request-id'),
    answer.body.codigo,
  ])
}

const BAD = [
  ['empty', ''],
  ['one label', 'solo'],
  ['empty label', 'a..b.es'],
  ['leading hyphen', '-a.es'],
  ['trailing hyphen', 'a-.es'],
  ['wildcard', '*.suyo.es'],
  ['bare wildcard', '*'],
  ['regular expression', '~^.*$'],
  ['end of directive', 'a.es;'],
  ['block', 'a.es{'],
  ['newline', 'a.es\nserver_name b.es'],
  ['carriage return', 'a.es\r\nHost: b.es'],
  ['NUL', 'a\0.es'],
  ['shell', '$(id).es'],
  ['variable of nginx', '$host.es'],
  ['path', '../x.es'],
  ['slash', 'a/b.es'],
  ['escaped dot', '%2e%2e.es'],
  ['space', 'a b.es'],
  ['254 characters', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.es`],
  ['label of 64', `${'a'.repeat(64)}.es`],
  ['underscore', 'a_b.es'],
  ['broken A-label', 'xn--zzzzzz999.es'],
  ['right-to-left mark', 'a\u202eb.es'],
  ['lone surrogate', 'a\ud800.es'],
  ['address', '192.0.2.1'],
  ['IPv6 address', '[2001:db8::1]'],
  ['number', '0x7f.1'],
  ['public suffix', 'com.es'],
  ['private suffix', 'github.io'],
  ['localhost', 'localhost'],
  ['below localhost', 'a.localhost'],
  ['arpa', '2.0.192.in-addr.arpa'],
  ['name server', 'ns1.host.net'],
  ['parent of a name server', 'host.net'],
] as const

describe('a name that nobody may hold is refused as site, alias, zone and provisioning:', () => {
  test.each(BAD)('%s', async (_, name) => {
    const { call } = world
    await expectRefused(await call('POST', '/sitios', { cliente: 'propio', domain: name }), [422], 'site')
    await expectRefused(await call('PATCH', '/sitios/propio.es', { aliases: [name] }), [422], 'alias')
    await expectRefused(await call('POST', '/zonas', { cliente: 'propio', zona: name }), [422], 'zone')
    const body = { cliente: 'tercero', correo: 'x@y.es', domain: name, enviar: false }
    await expectRefused(await call('PUT', '/altas/tercero', body), [422], 'provisioning')
    const path = encodeURIComponent(name.toWellFormed())
    if (path !== '') {
      for (const method of ['GET', 'DELETE'])
        expect([404, 422]).toContain((await call(method, `/sitios/${path}`)).status)
    }
    expect(await surroundings(world.panel)).toEqual(before)
    expect((await call('GET', '/clientes/tercero')).status).toBe(404)
  })
})

const CLIENTS = [
  '',
  '.',
  '..',
  'a..b',
  '-a',
  'a/b',
  '../a',
  'a\nb',
  'a b',
  'a;b',
  '$(id)',
  'root:x',
  'ñ',
  'a'.repeat(64),
]
test.each(CLIENTS)('a client is not called %j', async (name) => {
  await expectRefused(await world.call('POST', '/clientes', { cliente: name }), [422], name)
  expect(await surroundings(world.panel)).toEqual(before)
})

test('the spellings of one name are one name: case, final dot, full width, U-label and A-label', async () => {
  const { call } = world
  const spellings = ['AÑO.es', 'año.es.', 'xn--ao-zja.es', 'XN--AO-ZJA.ES', 'ａñｏ.es', ' año.es ']
  const made = await Promise.all(
    spellings.map((domain) => call('POST', '/sitios', { cliente: 'propio', domain })),
  )
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
  expect(new Set(made.map(({ body }) => body.domain))).toEqual(new Set(['xn--ao-zja.es']))
  for (const domain of spellings) {
    const other = await call('POST', '/sitios', { cliente: 'suyo', domain })
    expect([domain, other.body.codigo]).toEqual([domain, 'dominio_ocupado'])
  }
})

describe('a name of another client, above or below one, is refused without saying whose:', () => {
  test.each(['suyo.es', 'SUYO.es.', 'www.suyo.es', 'a.b.c.suyo.es', 'otro-suyo.es', 'x.otro-suyo.es'])(
    '%s',
    async (name) => {
      const { call, panel } = world
      for (const bearer of [world.token, customer]) {
        const tries: [string, string, unknown][] = [
          ['POST', '/sitios', { cliente: 'propio', domain: name }],
          ['POST', '/sitios', { cliente: 'propio', domain: 'libre.es', aliases: [name] }],
          ['PATCH', '/sitios/propio.es', { aliases: [name] }],
          ['POST', '/zonas', { cliente: 'propio', zona: name }],
        ]
        for (const [method, path, body] of tries) {
          const answer = await panel.api(method, path, { bearer, body })
          await expectRefused(answer, [409], [method, path])
          expect(answer.body.codigo).toBe('dominio_ocupado')
          // Not whose: neither the client nor its other names.
          expect(JSON.stringify(answer.body).replaceAll(name, '')).not.toContain('suyo')
        }
      }
      expect((await call('GET', '/sitios/libre.es')).status).toBe(404)
      expect(await surroundings(panel)).toEqual(before)
    },
  )

  test('a parent', async () => {
    const { call } = world
    await call('POST', '/sitios', { cliente: 'suyo', domain: 'hijo.padre-ajeno.es' })
    before = await surroundings(world.panel)
    const body = { cliente: 'propio', domain: 'padre-ajeno.es' }
    await expectRefused(await call('POST', '/sitios', body), [409], 'parent')
    expect(await surroundings(world.panel)).toEqual(before)
  })
})

test('of fifty creations of one name by two clients one client gets it, everywhere', async () => {
  const { call, panel } = world
  for (const domain of ['disputa.es', 'otra-disputa.es']) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call('POST', '/sitios', { cliente: at % 2 ? 'propio' : 'suyo', domain, aliases: [`www.${domain}`] }),
      ),
    )
    const [winner, ...more] = answers.filter(({ status }) => status === 201)
    expect(more).toEqual([])
    for (const { status, body } of answers) {
      if (status < 300) expect(body.cliente).toBe(winner?.body.cliente)
      else expect([status, body.codigo]).toEqual([409, 'dominio_ocupado'])
    }
    // The winner's repetitions find its site; all of the other's are refused.
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(25)
    // An answer waits for its site's work only so long, and fifty are behind each other.
    await settled(panel)
    expect(await statusOf(panel, `www.${domain}`)).toBe(200)
  }
})

test('a deleted name that another client claims has no file, record, key or mirror of the former', async () => {
  const { call, done, panel } = world
  const first = await done('POST', '/sitios', {
    cliente: 'suyo',
    domain: 'pasa.es',
    aliases: ['www.pasa.es'],
  })
  writeFileSync(join(first.body.raiz, 'secreto.txt'), 'canario-7391', { mode: 0o644 })
  writeFileSync(join(first.body.raiz, 'index.php'), '<?php echo "canario-7391";', { mode: 0o644 })
  await done('PUT', '/zonas/pasa.es/registros/clave/TXT', { ttl: 60, valores: ['"canario-7391"'] })
  await done('POST', '/zonas/pasa.es/dnssec')
  await done('DELETE', '/sitios/pasa.es')
  // Changed by its customer, the zone stays until it is deleted too: nobody else gets the name before.
  const early = await call('POST', '/sitios', { cliente: 'propio', domain: 'pasa.es' })
  expect(early.body.codigo).toBe('dominio_ocupado')
  await done('DELETE', '/zonas/pasa.es')
  const second = await done('POST', '/sitios', { cliente: 'propio', domain: 'pasa.es', aliases: [] })
  expect(second.body.raiz).not.toBe(first.body.raiz)
  expect(second.body.https).toMatchObject({ estado: 'autofirmado', emisor: null, nombres: ['pasa.es'] })
  const zone = (await call('GET', '/zonas/pasa.es')).body
  expect(zone).toMatchObject({ cliente: 'propio', espejo: null, dnssec: { activo: false, ds: [] } })
  const records = (await call('GET', '/zonas/pasa.es/registros?limite=200')).body
  expect(JSON.stringify([second.body, zone, records])).not.toContain('canario')
  for (const path of ['/', '/secreto.txt', '/index.php']) {
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers: { host: 'pasa.es' } })
    expect(await answer.text()).not.toContain('canario')
  }
  expect(await statusOf(panel, 'www.pasa.es')).toBe(404)
  expect(addressOf(panel.dnsPort, 'clave.pasa.es')).rejects.toThrow()
})

test('a customer who names another client in path, body or query finds nothing and changes nothing', async () => {
  const { panel } = world
  const mine = (method: string, path: string, body?: unknown) =>
    panel.api(method, path, { bearer: customer, ...(body === undefined ? {} : { body }) })
  const tries: [string, string, unknown?][] = [
    ['GET', '/clientes/suyo'],
    ['GET', '/clientes/suyo/uso'],
    ['GET', '/sitios/suyo.es'],
    ['PATCH', '/sitios/suyo.es', { aliases: [] }],
    ['DELETE', '/sitios/suyo.es'],
    ['POST', '/sitios/suyo.es/https'],
    ['GET', '/zonas/suyo.es'],
    ['DELETE', '/zonas/suyo.es'],
    ['PUT', '/zonas/suyo.es/registros/@/TXT', { ttl: 60, valores: ['"x"'] }],
    ['POST', '/sitios', { cliente: 'suyo', domain: 'intruso.es' }],
    ['POST', '/zonas', { cliente: 'suyo', zona: 'intruso.es' }],
  ]
  for (const [method, path, body] of tries) {
    const answer = await mine(method, path, body)
    const unknown = await mine(method, path.replace('suyo', 'nadie'), replaced(body))
    const what = [method, path]
    expect([what, answer.status]).toEqual([what, unknown.status])
    expect([what, answer.body.codigo]).toEqual([what, unknown.body.codigo])
    expect([404, 409]).toContain(answer.status)
  }
  for (const path of ['/sitios?cliente=suyo', '/zonas?cliente=suyo']) {
    const answer = await mine('GET', path)
    expect([path, answer.body.datos ?? []]).toEqual([path, []])
  }
  expect(await surroundings(panel)).toEqual(before)
})

const replaced = (body: Json) =>
  body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace('suyo', 'nadie'))

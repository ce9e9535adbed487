import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { eq } from 'drizzle-orm'
import { resolversFrom } from '../../deploy/node/resolver/index.ts'
import names from '../../handlers/cron/names.ts'
import recheck from '../../handlers/cron/recheck.ts'
import { proofValues } from '../../lib/proof/challenge.ts'
import { KeyRing } from '../../lib/secrets/keys.ts'
import { clients, nodes } from '../../schema/tables.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import type { Called } from './panel.ts'
import { startWorld, type World } from './world.ts'

/** The addresses of the node, as `startPanel` configures it. */
const [OURS, OURS6] = ['192.0.2.1', '2001:db8::1']
let world: World
/** All that the resolver asks but for `delegada.test`, which is delegated to the panel's own server. */
let internet: PowerDns
let unbound: Unbound
let acme: string
let beta: string

beforeAll(async () => {
  world = await startWorld()
  internet = await startPowerDns()
  const own = `${world.server.address}@${world.server.port}`
  unbound = await startUnbound({ test: internet.dnsPort, 'delegada.test': own, 'colgada.test': own })
  const { services } = world.panel
  services.resolvers = [unbound.resolver]
  await nodeCalled('nodo1', services.config)
  acme = await world.panel.customerOf('acme')
  beta = await world.panel.customerOf('beta')
}, 60_000)
afterAll(async () => {
  await unbound?.stop()
  await internet?.stop()
  await world?.stop()
})

type NodeOf = { addresses: string[]; nameServers: string[]; origin?: string }

async function nodeCalled(name: string, { addresses, nameServers, origin }: NodeOf): Promise<void> {
  const { db, now } = world.panel.services
  const times = { startedAt: now(), seenAt: now() }
  await db.write(async (tx) => {
    await tx
      .insert(nodes)
      .values({ name, addresses, nameServers, origin, services: [], version: '0', ...times })
  })
}

type Records = Record<string, string[]>

/** Publishes a zone outside of the panel; keys are `<name relative to it> <type>`. */
async function publish(zone: string, records: Records): Promise<void> {
  const rrsets = Object.entries(records).map(([at, values]) => {
    const [name = '', type = ''] = at.split(' ')
    const owner = name === '@' ? `${zone}.` : `${name}.${zone}.`
    return {
      name: owner,
      type,
      ttl: 60,
      changetype: 'REPLACE',
      records: values.map((content) => ({ content, disabled: false })),
    }
  })
  const body = { name: `${zone}.`, kind: 'Native', nameservers: ['ns1.lejos.net.'] }
  await internet.api('POST', '/zones', body)
  const { status } = await internet.api('PATCH', `/zones/${zone}.`, { rrsets })
  expect(status).toBe(204)
}

const site = (domain: string, more: { aliases?: string[]; bearer?: string; cliente?: string } = {}) => {
  const { bearer = acme, cliente = 'acme', ...rest } = more
  return world.panel.call('POST /sitios', { bearer, body: { cliente, domain, ...rest } })
}
const zone = (zona: string, bearer = acme) =>
  world.panel.call('POST /zonas', { bearer, body: { cliente: 'acme', zona } })

type Proof = { nombre: string; tipo: string; valor: string }
const proofIn = ({ body }: Called) => body.prueba as Proof // `unproven` has looked at it.

/** What a refused customer is told to set. */
function unproven(answer: Called): Proof {
  expect([answer.status, answer.body.codigo]).toEqual([409, 'dominio_sin_probar'])
  const proof = proofIn(answer)
  expect(Object.keys(proof).sort()).toEqual(['nombre', 'tipo', 'valor'])
  return proof
}

describe('a customer that adds a name of a stranger', () => {
  test('is refused, told the record to set, and leaves nothing behind', async () => {
    const first = unproven(await site('ajena.test'))
    expect(first).toEqual({
      nombre: '_controlpanel.ajena.test',
      tipo: 'TXT',
      valor: expect.stringMatching(/^controlpanel=[0-9A-Za-z]{43}$/),
    })
    expect(unproven(await zone('ajena.test'))).toEqual(first)
    expect((await world.panel.call('GET /sitios/ajena.test')).status).toBe(404)
    expect((await world.panel.call('GET /zonas/ajena.test')).status).toBe(404)
  })

  test('is refused for an alias too, of a site that it has and of a new one', async () => {
    await world.done('POST /sitios', { body: { cliente: 'acme', domain: 'dada.test', aliases: [] } })
    const patched = await world.panel.call('PATCH /sitios/dada.test', {
      bearer: acme,
      body: { aliases: ['www.dada.test', 'banco.test'] },
    })
    expect(unproven(patched).nombre).toBe('_controlpanel.banco.test')
    const fresh = await site('sub.dada.test', { aliases: ['banco.test'] })
    expect(unproven(fresh).nombre).toBe('_controlpanel.banco.test')
    expect((await world.done('GET /sitios/dada.test')).body.aliases).toEqual([])
  })

  test('is taken at its word by neither a wildcard, a value of another client nor one of another name', async () => {
    const mine = unproven(await site('comodin.test'))
    await world.done('POST /clientes', { body: { cliente: 'gamma' } })
    const gamma = await world.panel.customerOf('gamma')
    const theirs = unproven(await site('comodin.test', { bearer: gamma, cliente: 'gamma' }))
    const other = unproven(await site('otro-comodin.test'))
    expect(new Set([mine.valor, theirs.valor, other.valor]).size).toBe(3)
    await publish('comodin.test', {
      '@ A': ['203.0.113.9'],
      '* TXT': ['"controlpanel"', '"*"', `"${theirs.valor}"`, `"${other.valor}"`, `"${mine.valor}x"`],
      '*.x TXT': [`"${mine.valor}"`],
    })
    unproven(await site('comodin.test'))
  })

  test('does not prove it by an alias that leads to a name of its own', async () => {
    const { valor } = unproven(await site('apunta.test'))
    await publish('malo.test', { '@ TXT': [`"${valor}"`] })
    await publish('apunta.test', { '* CNAME': ['malo.test.'] })
    unproven(await site('apunta.test'))
  })

  test('does not prove it by one address of this server among others', async () => {
    await publish('mezcla.test', { '@ A': [OURS, '203.0.113.9'] })
    await publish('media.test', { '@ A': [OURS], '@ AAAA': ['2001:db8:ffff::1'] })
    for (const name of ['mezcla.test', 'media.test']) {
      const answer = await site(name)
      unproven(answer)
      expect(answer.body.esperado).toEqual([OURS, OURS6])
      expect(answer.body.visto).toContain(OURS)
    }
  })

  test('makes the resolvers ask strangers so often in a minute and no more, and still adds what is its own', async () => {
    await world.done('POST /clientes', { body: { cliente: 'delta' } })
    await world.done('POST /sitios', { body: { cliente: 'delta', domain: 'delta.test', aliases: [] } })
    const delta = { bearer: await world.panel.customerOf('delta'), cliente: 'delta', aliases: [] }
    const seen = new Map<number, number>()
    for (let asked = 0; asked < 110; asked++) {
      const { status } = await site(`x${asked}.inundada.test`, delta)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
    expect([...seen]).toEqual([
      [409, 100],
      [429, 10],
    ])
    expect((await site('sub.delta.test', delta)).status).toBe(201)
  })

  test('may have more foreign names than are asked about at once, as long as it adds few', async () => {
    const many = Array.from({ length: 25 }, (_, at) => `muchas-${at}.test`)
    await world.done('PATCH /sitios/dada.test', { body: { aliases: many } })
    await publish('una-mas.test', { '@ A': [OURS] })
    const aliases = [...many, 'una-mas.test']
    const added = await world.panel.call('PATCH /sitios/dada.test', { bearer: acme, body: { aliases } })
    expect([added.status, added.body.aliases]).toEqual([200, aliases])
    await world.done('PATCH /sitios/dada.test', { body: { aliases: [] } })
  })

  test('is told that the name is taken or reserved rather than how to prove it', async () => {
    await world.newZone('tomada.test', 'beta')
    for (const name of ['tomada.test', 'sub.tomada.test']) {
      expect((await site(name)).body.codigo).toBe('dominio_ocupado')
      expect((await zone(name)).body.codigo).toBe('dominio_ocupado')
    }
    expect((await site('panel.host.net')).body.codigo).toBe('datos_invalidos')
  })
})

describe('a customer proves a name', () => {
  test('by the record that the refusal names, asked again, and for all names below it', async () => {
    const { valor } = unproven(await site('mia.test'))
    await publish('mia.test', { '@ A': ['203.0.113.9'], '_controlpanel TXT': ['"other"', split(valor)] })
    const made = await site('mia.test')
    expect([made.status, made.body.probado, made.body.aliases]).toEqual([201, true, ['www.mia.test']])
    const below = await site('tienda.mia.test')
    expect([below.status, below.body.probado]).toEqual([201, true])
    expect((await zone('zona.mia.test')).body.probado).toBe(true)
    expect((await world.done('GET /zonas/mia.test')).body.probado).toBe(true)
  })

  test('by the record at the registered name, whose value is the same', async () => {
    const answer = await site('tienda.otra.test')
    const { nombre, valor } = unproven(answer)
    expect([nombre, answer.body.tambien_en]).toEqual([
      '_controlpanel.tienda.otra.test',
      '_controlpanel.otra.test',
    ])
    await publish('otra.test', { '_controlpanel TXT': [`"${valor}"`] })
    expect((await site('tienda.otra.test', { aliases: ['blog.otra.test'] })).status).toBe(201)
  })

  test('for a name below alone where the record stands only there', async () => {
    const { valor } = unproven(await site('sola.parte.test'))
    await publish('parte.test', { '_controlpanel.sola TXT': [`"${valor}"`] })
    expect((await site('sola.parte.test')).status).toBe(201)
    unproven(await site('otra.parte.test'))
    unproven(await site('parte.test'))
    expect((await site('hija.sola.parte.test')).status).toBe(201)
  })

  test('by all of its addresses being this server’s, over IPv4, IPv6 or both', async () => {
    await publish('cuatro.test', { '@ A': [OURS] })
    await publish('seis.test', { '@ AAAA': [OURS6] })
    await publish('ambas.test', { '@ A': [OURS], '@ AAAA': [OURS6], 'www CNAME': ['ambas.test.'] })
    for (const name of ['cuatro.test', 'seis.test', 'ambas.test']) {
      const made = await site(name, { aliases: [] })
      expect([name, made.status, made.body.probado]).toEqual([name, 201, true])
    }
  })

  test('under a key that a rotation made old, and is told the new value after it', async () => {
    const { services } = world.panel
    const { valor } = unproven(await site('girada.test'))
    const before = services.keys
    const [old, fresh] = [
      { id: 'k1', bytes: new Uint8Array(32) },
      { id: 'k2', bytes: new Uint8Array(32).fill(7) },
    ]
    services.keys = new KeyRing([fresh, old])
    try {
      const again = unproven(await site('girada.test'))
      expect(again.valor).not.toBe(valor)
      await publish('girada.test', { '_controlpanel TXT': [`"${valor}"`] })
      expect((await site('girada.test')).status).toBe(201)
    } finally {
      services.keys = before
    }
  })

  test('not by leading to another node of the panel', async () => {
    await nodeCalled('otro-nodo', { addresses: ['198.51.100.6'], nameServers: [] })
    await publish('alla.test', { '@ A': ['198.51.100.6'] })
    unproven(await site('alla.test'))
  })

  test('not by wildcards of the operator’s own domain, which lead here for anybody', async () => {
    await publish('host.test', { '* A': [OURS] })
    const { config } = world.panel.services
    const nameServers = config.nameServers
    config.nameServers = [...nameServers, 'ns1.host.test']
    try {
      unproven(await site('facturas.host.test'))
    } finally {
      config.nameServers = nameServers
    }
    expect((await site('facturas.host.test')).status).toBe(201)
  })
})

describe('where a resolver does not answer', () => {
  const silent = createSocket('udp4')
  afterAll(() => silent.close())

  test('a name is not granted: 503 says so, and the record to set', async () => {
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const { services } = world.panel
    const before = services.resolvers
    try {
      services.resolvers = []
      expect((await site('muda.test')).status).toBe(503)
      // One of two is no majority, and what the other would say is not known.
      await publish('callada.test', { '@ A': [OURS] })
      services.resolvers = [...before, ...resolversFrom([`udp://127.0.0.1:${silent.address().port}`])]
      const answer = await site('callada.test')
      expect([answer.status, answer.body.codigo]).toEqual([503, 'no_disponible'])
      expect(answer.headers['retry-after']).toMatch(/^\d+$/)
      expect(proofIn(answer).nombre).toBe('_controlpanel.callada.test')
      expect((await world.panel.call('GET /sitios/callada.test')).status).toBe(404)
    } finally {
      services.resolvers = before
    }
    expect((await site('callada.test')).status).toBe(201)
  }, 30_000)
})

describe('what a token or an admin adds', () => {
  test('needs no proof, shows as not proven, and is shown so until the resolvers say otherwise', async () => {
    const made = await world.done('POST /sitios', {
      body: { cliente: 'acme', domain: 'fichas.test', aliases: ['fichas-dos.test'] },
    })
    expect(made.body.probado).toBe(false)
    expect((await world.done('GET /zonas/fichas.test')).body.probado).toBe(false)
    await recheck.job.run(world.panel.services)
    expect((await world.done('GET /sitios/fichas.test')).body.probado).toBe(false)
    await publish('fichas.test', { '@ A': [OURS] })
    await recheck.job.run(world.panel.services)
    // The alias is a stranger's still.
    expect((await world.done('GET /sitios/fichas.test')).body.probado).toBe(false)
    expect((await world.done('GET /zonas/fichas.test')).body.probado).toBe(true)
    await publish('fichas-dos.test', { '@ A': [OURS] })
    await recheck.job.run(world.panel.services)
    expect((await world.done('GET /sitios/fichas.test')).body.probado).toBe(true)
    // Once proven stays proven: a fault of DNS must not make a customer's site look stolen.
    await publish('fichas.test', { '@ A': ['203.0.113.9'] })
    await recheck.job.run(world.panel.services)
    expect((await world.done('GET /sitios/fichas.test')).body.probado).toBe(true)
  })

  test('lets its customer add names below it, which are no more proven than it is', async () => {
    await world.done('POST /sitios', { body: { cliente: 'beta', domain: 'otorgada.test', aliases: [] } })
    const below = await site('sub.otorgada.test', { bearer: beta, cliente: 'beta' })
    expect([below.status, below.body.probado]).toEqual([201, false])
  })

  test('is not proven by what the panel’s own name server says of it', async () => {
    await world.newZone('propia.test')
    const { valor } = unproven(await site('www.propia-no.test'))
    const own = unproven(await site('hermana.test'))
    await publish('propia.test', { '@ A': ['203.0.113.9'] })
    // The customer may write into a zone that it was granted; nobody but the panel's own server tells of it.
    const value = await valueFor('propia.test')
    expect(value).not.toBe(valor)
    expect(value).not.toBe(own.valor)
    await world.put('propia.test', '_controlpanel/TXT', `"${value}"`)
    expect(await world.short('_controlpanel.propia.test', 'TXT')).toEqual([`"${value}"`])
    const before = await queriesOf(world)
    await recheck.job.run(world.panel.services)
    expect((await world.done('GET /zonas/propia.test')).body.probado).toBe(false)
    // `colgada.test` and `delegada.test` are nobody's in the panel yet.
    expect(await queriesOf(world)).toBe(before)
  })

  test('a name that is delegated here without a zone, a dangling delegation, is nobody’s to claim', async () => {
    const answer = await site('colgada.test')
    unproven(answer)
    unproven(await zone('colgada.test'))
    unproven(await zone('sub.colgada.test'))
  })
})

describe('where a zone’s delegation leads', () => {
  const shown = async (zona: string) => (await world.done(`GET /zonas/${zona}`)).body.delegacion

  test('is not known before the first look', async () => {
    await world.newZone('nueva.test')
    expect(await shown('nueva.test')).toBeNull()
  })

  test('is shown after it: elsewhere, in part, here, nowhere, not to be told', async () => {
    for (const name of ['lejos.test', 'parte-aqui.test', 'delegada.test', 'vanidad.test', 'rota.test'])
      await world.newZone(name)
    await publish('lejos.test', { '@ NS': ['ns1.lejos.net.', 'ns2.lejos.net.'] })
    await publish('parte-aqui.test', { '@ NS': ['ns1.host.net.', 'ns1.lejos.net.'] })
    await publish('vanidad.test', { '@ NS': ['ns.vanidad.test.'], 'ns A': [OURS] })
    await recheck.job.run(world.panel.services)
    const esperados = ['ns1.host.net', 'ns2.host.net']
    const comprobada = expect.any(String)
    expect(await shown('lejos.test')).toEqual({
      estado: 'fuera',
      servidores: ['ns1.lejos.net', 'ns2.lejos.net'],
      esperados,
      comprobada,
    })
    expect(await shown('parte-aqui.test')).toMatchObject({
      estado: 'parcial',
      servidores: ['ns1.host.net', 'ns1.lejos.net'],
    })
    expect(await shown('delegada.test')).toMatchObject({ estado: 'aqui', servidores: esperados })
    // A name server that is called otherwise and stands at the node's address is the node's.
    expect(await shown('vanidad.test')).toMatchObject({ estado: 'aqui', servidores: ['ns.vanidad.test'] })
    expect(await shown('rota.test')).toMatchObject({ estado: 'sin_respuesta', servidores: [] })
    await publish('sub-padre.test', { '@ A': ['203.0.113.9'] })
    await world.newZone('hija.sub-padre.test')
    await recheck.job.run(world.panel.services)
    expect(await shown('hija.sub-padre.test')).toMatchObject({ estado: 'ninguna', servidores: [] })
  })
})

describe('without being asked by hand', () => {
  const HOUR_MS = 3_600_000

  test('a zone is looked at once it is made, hourly while it is new and leads elsewhere, then daily', async () => {
    const { panel } = world
    const delegated = async () => {
      const { body } = await world.done('GET /zonas/pronto.test')
      return (body.delegacion as { estado: string } | null)?.estado
    }
    const later = async (ms: number) => {
      panel.advance(ms)
      await names.job.run(panel.services)
    }
    await later(0)
    expect(await names.job.due?.(panel.services)).toBe(false)
    await publish('pronto.test', { '@ NS': ['ns1.lejos.net.'], '@ A': [OURS] })
    await world.newZone('pronto.test')
    expect(await names.job.due?.(panel.services)).toBe(true)
    await later(0)
    expect(await delegated()).toBe('fuera')
    await publish('pronto.test', { '@ NS': ['ns1.host.net.'] })
    await later(HOUR_MS / 2)
    expect(await delegated()).toBe('fuera')
    await later(HOUR_MS)
    expect(await delegated()).toBe('aqui')
    await publish('pronto.test', { '@ NS': ['ns1.lejos.net.'] })
    await later(2 * HOUR_MS)
    expect(await delegated()).toBe('aqui')
    await later(22 * HOUR_MS)
    expect(await delegated()).toBe('fuera')
  })
})

describe('host names of nodes', () => {
  test('and of their panels and function hosts are reserved on all nodes, for tokens too, with their parents', async () => {
    await nodeCalled('web7.granja.test', {
      addresses: ['198.51.100.7'],
      nameServers: ['dns.granja-dns.test'],
      origin: 'https://panel7.granja-panel.test:2087',
    })
    const { services } = world.panel
    const cloud = { ...services.config, node: null, host: 'panel.granja-nube.test' }
    await names.job.run({ ...services, config: cloud })
    const reserved = [
      'web7.granja.test',
      'granja.test',
      'dns.granja-dns.test',
      'granja-dns.test',
      'panel7.granja-panel.test',
      'granja-panel.test',
      'panel.granja-nube.test',
      'granja-nube.test',
    ]
    for (const name of reserved) {
      for (const answer of [
        await world.panel.call('POST /sitios', { body: { cliente: 'acme', domain: name } }),
        await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona: name } }),
        await world.panel.call('PATCH /sitios/dada.test', { body: { aliases: [name] } }),
      ]) {
        const [campo] = answer.body.campos ?? []
        expect([name, answer.status, campo?.codigo]).toEqual([name, 422, 'dominio_reservado'])
      }
    }
  })
})

/** One text as two strings, as servers may send it (RFC 7208 section 3.3). */
const split = (text: string) => `"${text.slice(0, 20)}" "${text.slice(20)}"`

/** What `acme` would have to set for a name that it holds already. */
async function valueFor(name: string): Promise<string> {
  const { services } = world.panel
  const client = await services.db.read.select().from(clients).where(eq(clients.name, 'acme')).get()
  if (!client) throw new Error('no acme')
  return proofValues(services.keys, client, name)[0] ?? ''
}

/** How many questions the panel's own server was asked. */
async function queriesOf({ server }: World): Promise<number> {
  const url = `${server.service.apiUrl()}/api/v1/servers/localhost/statistics`
  const response = await fetch(url, { headers: { 'x-api-key': server.apiKey.reveal() } })
  const all = (await response.json()) as { name: string; value: string }[]
  return Number(all.find(({ name }) => name === 'udp-queries')?.value)
}

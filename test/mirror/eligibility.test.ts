import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { resolversFrom, systemResolvers } from '../../deploy/node/resolver/index.ts'
import type { Resolver, ResolverAnswer } from '../../lib/endpoint/context.ts'
import {
  confirmAfterSeconds,
  decide,
  judge,
  type Observation,
  observe,
} from '../../lib/mirror/eligibility.ts'
import { recheck } from '../../lib/mirror/recheck.ts'
import type { MirrorRow } from '../../lib/mirror/states.ts'
import { dohResolver } from '../../lib/resolver/doh.ts'
import { freePort } from '../support/ports.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'

const OURS = ['192.0.2.10', '2001:db8::10']
let inside: PowerDns
let outside: PowerDns
let first: Unbound
let second: Unbound
let deadPort: number

const put = async (server: PowerDns, zone: string, records: Record<string, string[]>) => {
  const rrsets = Object.entries(records).map(([type, values]) => ({
    name: `${zone}.`,
    type,
    ttl: 120,
    records: values.map((content) => ({ content, disabled: false })),
  }))
  await server.api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers: ['ns.test.'], rrsets })
}

beforeAll(async () => {
  inside = await startPowerDns()
  outside = await startPowerDns()
  deadPort = await freePort()
  await put(inside, 'aqui.test', { A: ['192.0.2.10'] })
  await put(inside, 'seis.test', { AAAA: ['2001:db8::10'] })
  await put(inside, 'mezcla.test', { A: ['203.0.113.80', '192.0.2.10'] })
  await put(inside, 'fuera.test', { A: ['203.0.113.80'], AAAA: ['2001:db8:ffff::1'] })
  await put(inside, 'vacia.test', { TXT: ['"x"'] })
  await put(inside, 'cero.test', { A: ['0.0.0.0'] })
  await put(inside, 'partida.test', { A: ['192.0.2.10'] })
  await put(outside, 'partida.test', { A: ['203.0.113.80'] })
  const many = Array.from({ length: 150 }, (_, at) => `198.51.100.${at + 1}`)
  await put(inside, 'grande.test', { A: [...many, '192.0.2.10'] })
  const zones = ['aqui', 'seis', 'mezcla', 'fuera', 'vacia', 'cero', 'partida', 'grande', 'nada']
  const stubs = (port: number) => Object.fromEntries(zones.map((zone) => [`${zone}.test`, port]))
  const broken = { 'rota.test': deadPort }
  first = await startUnbound({ ...stubs(inside.dnsPort), ...broken })
  second = await startUnbound({ ...stubs(inside.dnsPort), ...broken, 'partida.test': outside.dnsPort })
}, 60_000)
afterAll(async () => {
  for (const one of [first, second, inside, outside]) await one.stop()
})

const verdict = async (resolvers: readonly Resolver[], zone: string) =>
  decide(await observe(resolvers, zone, OURS))

describe('by a real unbound', () => {
  test.each([
    ['aqui.test', 'aqui'],
    ['seis.test', 'aqui'],
    ['mezcla.test', 'aqui'],
    ['grande.test', 'aqui'],
    ['fuera.test', 'fuera'],
    ['vacia.test', 'fuera'],
    ['no-hay.vacia.test', 'fuera'],
    ['cero.test', 'no_concluyente'],
    ['nada.test', 'no_concluyente'],
    ['rota.test', 'no_concluyente'],
    ['partida.test', 'no_concluyente'],
  ] as const)(
    '%s leads %s',
    async (zone, expected) => {
      expect(await verdict([first.resolver, second.resolver], zone)).toBe(expected)
    },
    60_000,
  )

  test('the only configured resolver decides alone', async () => {
    expect(await verdict([first.resolver], 'partida.test')).toBe('aqui')
    expect(await verdict([second.resolver], 'partida.test')).toBe('fuera')
  })

  test('its answer is kept with the resolver’s name', async () => {
    const seen = await observe([first.resolver], 'fuera.test', OURS)
    expect(seen).toEqual([
      {
        resolver: `udp://127.0.0.1:${first.port}`,
        resultado: 'fuera',
        visto: ['203.0.113.80', '2001:db8:ffff::1'],
        ttlSeconds: 0,
        late: false,
      },
    ])
  })

  test('an answer that does not fit a datagram comes over TCP', async () => {
    const answer = await first.resolver.query('grande.test', 'A', 2_000)
    expect(answer.kind === 'answer' && answer.values.length).toBe(151)
  })

  test('the same comes over HTTPS (RFC 8484)', async () => {
    const relay = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        expect(request.headers.get('content-type')).toBe('application/dns-message')
        const message = await relayUdp(first.port, new Uint8Array(await request.arrayBuffer()))
        return new Response(new Uint8Array(message), {
          headers: { 'content-type': 'application/dns-message' },
        })
      },
    })
    const url = `http://127.0.0.1:${relay.port}/dns-query`
    const doh = dohResolver(url, (target, init) => fetch(target, init))
    expect(await verdict([doh, first.resolver], 'aqui.test')).toBe('aqui')
    expect(await verdict([doh, first.resolver], 'fuera.test')).toBe('fuera')
    await relay.stop(true)
    expect(await doh.query('aqui.test', 'A', 500)).toMatchObject({ kind: 'failure' })
  })

  test('to whose address there is no way at all is a failure like any other, and nothing is thrown later', async () => {
    // No ordinary socket may send there, as none may where a machine has no route.
    const [resolver] = resolversFrom(['udp://255.255.255.255:53'])
    const answer = await resolver?.query('acme.es', 'A', 300)
    expect(answer?.kind).toBe('failure')
  })

  test('silence is no answer, and is told as such', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const [resolver] = resolversFrom([`udp://127.0.0.1:${silent.address().port}`])
    expect(await resolver?.query('aqui.test', 'A', 300)).toEqual({ kind: 'failure', reason: 'timeout' })
    silent.close()
  })

  test('a forged answer to another question is not taken', async () => {
    const liar = createSocket('udp4')
    liar.on('message', (query, from) => {
      const forged = Buffer.from(query)
      forged.writeUInt16BE(0x8180, 2)
      forged.write('x', 13)
      liar.send(forged, from.port, from.address)
    })
    await new Promise<void>((resolve) => liar.bind(0, '127.0.0.1', resolve))
    const [resolver] = resolversFrom([`udp://127.0.0.1:${liar.address().port}`])
    expect(await resolver?.query('aqui.test', 'A', 300)).toEqual({ kind: 'failure', reason: 'timeout' })
    liar.close()
  })
})

function relayUdp(port: number, query: Uint8Array): Promise<Uint8Array> {
  const socket = createSocket('udp4')
  return new Promise<Uint8Array>((resolve) => {
    socket.on('message', resolve)
    socket.send(query, port, '127.0.0.1')
  }).finally(() => socket.close())
}

describe('the decision', () => {
  const says = (resultado: Observation['resultado'], ttlSeconds: number | null = 60): Observation => ({
    resolver: 'r',
    resultado,
    visto: [],
    ttlSeconds,
    late: false,
  })

  test.each([
    [['aqui', 'aqui'], 'aqui'],
    [['aqui', 'aqui', 'fuera'], 'aqui'],
    [['aqui', 'fuera', 'fuera'], 'no_concluyente'],
    [['aqui', 'no_concluyente'], 'no_concluyente'],
    [['fuera', 'fuera', 'no_concluyente'], 'fuera'],
    [['fuera', 'no_concluyente'], 'no_concluyente'],
    [['no_concluyente', 'no_concluyente'], 'no_concluyente'],
    [['aqui'], 'aqui'],
    [['fuera'], 'fuera'],
    [[], 'no_concluyente'],
  ] as const)('of %j is %s', (results, expected) => {
    expect(decide(results.map((one) => says(one)))).toBe(expected)
  })

  test('a resolver that fails for one family says nothing', () => {
    const foreign: ResolverAnswer = { kind: 'answer', values: ['203.0.113.80'], ttlSeconds: 60 }
    const failed: ResolverAnswer = { kind: 'failure', reason: 'SERVFAIL' }
    expect(judge('r', [foreign, failed], OURS).resultado).toBe('no_concluyente')
    expect(
      judge('r', [{ kind: 'answer', values: ['192.0.2.10'], ttlSeconds: 60 }, failed], OURS).resultado,
    ).toBe('aqui')
  })

  test('a negative is confirmed after its TTL, between a minute and an hour later', () => {
    expect(confirmAfterSeconds([says('fuera', 5)])).toBe(60)
    expect(confirmAfterSeconds([says('fuera', 600), says('fuera', 300)])).toBe(600)
    expect(confirmAfterSeconds([says('fuera', 86_400)])).toBe(3_600)
  })

  const row = (more: Partial<MirrorRow>) =>
    ({
      zone: 'a.es',
      negativeAt: null,
      inconclusiveSince: null,
      reason: null,
      generation: 0,
      ...more,
    }) as MirrorRow // only these are read
  const now = new Date('2026-11-21T10:00:00Z')
  const days = (count: number) => new Date(now.getTime() - count * 86_400_000)

  test('two negatives drop, one does not, and a positive between them ends the doubt', () => {
    expect(recheck(row({}), [says('fuera')], now).event).toBe('doubt')
    expect(recheck(row({ negativeAt: days(0.01) }), [says('fuera')], now).event).toBe('drop')
    const heard = recheck(row({ negativeAt: days(0.01) }), [says('aqui')], now)
    expect([heard.event, heard.patch.negativeAt]).toEqual(['none', null])
  })

  test('silence changes nothing, and after fourteen days it shows', () => {
    const quiet = recheck(row({ negativeAt: days(0.01) }), [says('no_concluyente')], now)
    expect([quiet.event, quiet.patch.state, quiet.patch.negativeAt]).toEqual(['none', undefined, undefined])
    expect(
      recheck(row({ inconclusiveSince: days(13) }), [says('no_concluyente')], now).patch.reason,
    ).toBeUndefined()
    const long = recheck(row({ inconclusiveSince: days(14) }), [says('no_concluyente')], now)
    expect([long.event, long.patch.reason]).toEqual(['none', 'no_verificable'])
    const back = recheck(row({ inconclusiveSince: days(14), reason: 'no_verificable' }), [says('aqui')], now)
    expect([back.patch.reason, back.patch.inconclusiveSince]).toEqual([null, null])
  })
})

describe('the configured resolvers', () => {
  test('are read from their URLs, and a wrong one is named', () => {
    const names = resolversFrom([
      'udp://192.0.2.53:5353',
      'udp://[2001:db8::53]:53',
      'https://dns.test/dns-query',
    ])
    expect(names.map(({ label }) => label)).toEqual([
      'udp://192.0.2.53:5353',
      'udp://[2001:db8::53]:53',
      'https://dns.test/dns-query',
    ])
    for (const wrong of [
      'tcp://192.0.2.1:53',
      'udp://name:53',
      'udp://192.0.2.1:99999',
      'http://dns.test/q',
    ]) {
      expect(() => resolversFrom([wrong])).toThrow(wrong)
    }
  })

  test('default to the system’s, without the panel’s own', () => {
    const file =
      '# made by hand\nnameserver 192.0.2.53\nnameserver 127.0.0.1\nnameserver 2001:db8::53\noptions edns0\n'
    expect(systemResolvers(file, ['127.0.0.1'])).toEqual(['udp://192.0.2.53:53', 'udp://[2001:db8::53]:53'])
  })
})

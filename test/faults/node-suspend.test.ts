import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inconsistencies, settled } from '../support/consistency.ts'
import { type ProbedWorld, startProbedWorld } from '../support/node-world.ts'
import { addressOf } from '../support/prober.ts'

const HOSTS = ['corta.es', 'www.corta.es', 'alias-corta.es', 'segunda.es', 'www.segunda.es']
const PATHS = [
  '/',
  '/foto.bin',
  '/programa.php',
  '/enlace/permanente?x=1',
  '/nada',
  '/.env',
  '/%ff',
  '/a//b/../c',
]

/** Of the quickest round: what the machine's other work held up is not suspension's. */
const IN_EFFECT_MS = 100

let world: ProbedWorld

beforeAll(async () => {
  world = await startProbedWorld()
  const root = await world.client('corta', { aliases: ['www.corta.es', 'alias-corta.es'] })
  const body = { cliente: 'corta', domain: 'segunda.es', aliases: ['www.segunda.es'] }
  const second: string = (await world.done('POST', '/sitios', body)).body.raiz
  for (const site of [root, second]) {
    writeFileSync(join(site, 'foto.bin'), randomBytes(100_000), { mode: 0o644 })
    writeFileSync(join(site, 'index.php'), '<?php echo "portada ", $_SERVER["REQUEST_URI"];', { mode: 0o644 })
    writeFileSync(join(site, 'programa.php'), '<?php echo "programa ", posix_geteuid();', { mode: 0o644 })
  }
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)
afterEach(async () => {
  await settled(world.panel)
  expect(await inconsistencies(world.panel)).toEqual([])
})

type Seen = { what: string; status: number; retry: string | null; hash: string }

/** One request, by HTTP or by HTTPS as the name's own server. */
async function visit(scheme: 'http' | 'https', host: string, path: string): Promise<Seen> {
  const port = scheme === 'http' ? world.panel.httpPort : world.panel.httpsPort
  const answer = await fetch(`${scheme}://127.0.0.1:${port}${path}`, {
    headers: { host },
    redirect: 'manual',
    keepalive: false,
    tls: { rejectUnauthorized: false, serverName: host },
  })
  const hash = new Bun.CryptoHasher('sha256').update(await answer.arrayBuffer()).digest('hex')
  return {
    what: `${scheme} ${host} ${path}`,
    status: answer.status,
    retry: answer.headers.get('retry-after'),
    hash,
  }
}

const everything = () =>
  Promise.all(
    (['http', 'https'] as const).flatMap((scheme) =>
      HOSTS.flatMap((host) => PATHS.map((path) => visit(scheme, host, path))),
    ),
  )

/** The first requests after the answer, one of each name, are as wanted: how long until the last of them is. */
async function takesEffect(wanted: number, path: string): Promise<number> {
  const started = performance.now()
  const all = await Promise.all(HOSTS.map((host) => visit('http', host, path)))
  expect(all.map(({ status }) => status)).toEqual(HOSTS.map(() => wanted))
  return performance.now() - started
}

describe('suspension', () => {
  test('holds on every name, path and scheme from the answer on, within 100 ms; activation brings back the same bytes', async () => {
    const before = await everything()
    expect(before.find(({ what }) => what === 'https alias-corta.es /foto.bin')?.status).toBe(200)
    const took = { off: [] as number[], on: [] as number[] }
    for (let time = 0; time < 3; time++) {
      await world.done('POST', '/clientes/corta/suspender', { motivo: 'impago' })
      took.off.push(await takesEffect(503, '/programa.php'))
      for (const { what, status, retry } of await everything()) {
        expect([what, status, retry]).toEqual([what, 503, '3600'])
      }
      expect(await addressOf(world.panel.dnsPort, 'corta.es')).toBe('192.0.2.7')
      await world.done('POST', '/clientes/corta/activar')
      // The first request to PHP also starts it: `everything` asks for that.
      took.on.push(await takesEffect(200, '/foto.bin'))
      expect(await everything()).toEqual(before)
    }
    for (const times of [took.off, took.on]) expect(Math.min(...times)).toBeLessThan(IN_EFFECT_MS)
  }, 60_000)

  test('asked for by many at once with activation ends as the last that was acknowledged', async () => {
    const { call, done } = world
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        call('POST', `/clientes/corta/${at % 2 ? 'activar' : 'suspender'}`),
      ),
    )
    await done('POST', '/clientes/corta/suspender')
    await takesEffect(503, '/programa.php')
    await done('POST', '/clientes/corta/activar')
    await takesEffect(200, '/programa.php')
  }, 60_000)

  test('of one client does not delay the next', async () => {
    expect(await world.prober.stop()).toEqual([])
    expect(world.prober.good()).toBeGreaterThan(50)
  })
})

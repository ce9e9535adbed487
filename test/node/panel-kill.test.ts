import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { udpResolver } from '../../deploy/node/resolver/udp.ts'
import { LEASE_MS } from '../../lib/jobs.ts'
import { eventually, firstAdmin, newToken, Panel } from '../support/panel.ts'
import { APPLY_CLIENT, APPLY_SITE, REMOVE_CLIENT, REMOVE_SITE, SUSPEND } from './steps.ts'

// What the panel adds to the web part's own steps.
const WHOLE_CLIENT = [...APPLY_CLIENT, 'client.limits']
const WHOLE_REMOVAL = [...REMOVE_SITE, 'site.certificate']

let panel: Panel
let token: string
let clockSeconds = 0
let probing = true
const probes = { good: 0, bad: [] as string[] }
let prober: Promise<void>[]

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'otro', sitios: 5 } })
  await make('vecino')
  prober = [probe('http', askHttp), probe('dns', askDns)]
}, 30_000)
afterAll(() => panel.stop())

const make = async (name: string) => {
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: name } })
  const made = await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: name, domain: `${name}.es`, aliases: [`www.${name}.es`] },
  })
  expect(made.body.estado).toBe('activo')
}

const status = async (host: string) =>
  (await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host } })).status
const askHttp = async () => (await status('vecino.es')) === 200
const askDns = async () =>
  (await udpResolver('127.0.0.1', panel.dnsPort).query('vecino.es', 'A', 2000)).kind === 'answer'

/** The neighbour is asked all the time, by name and by page: no kill of the panel may be felt there. */
async function probe(what: string, ask: () => Promise<boolean>): Promise<void> {
  while (probing) {
    if (await ask().catch(() => false)) probes.good += 1
    else probes.bad.push(what)
    await Bun.sleep(5)
  }
}

/** Kills the panel before or after a step of the work that `change` asks for, and starts it again. */
async function killedAt(target: string, change: () => Promise<unknown>): Promise<void> {
  await panel.kill()
  await panel.up({ PANEL_TEST_KILL: target })
  await change().catch(() => undefined)
  await panel.died()
  // The work's lease is over for the next process.
  clockSeconds += LEASE_MS / 1000 + 1
  await panel.setClock(clockSeconds)
  await panel.up()
}

const moments = (kind: string, steps: string[]) =>
  [...steps, 'commit'].flatMap((step) => ['before', 'after'].map((when) => `${kind}:${step}:${when}`))

/** Rows, users, pools, routes, certificates, directories and zones name the same clients and sites. */
async function agreement(): Promise<void> {
  const list = (path: string) => readdirSync(join(panel.dataDir, 'web', path)).sort()
  const sites = (await panel.api('GET', '/sitios', { bearer: token })).body.datos
  const clients = (await panel.api('GET', '/clientes', { bearer: token })).body.datos
  const zones = (await panel.api('GET', '/zonas', { bearer: token })).body.datos
  const names = sites
    .flatMap((site: { domain: string; aliases: string[] }) => [site.domain, ...site.aliases])
    .sort()
  const ids = sites.map((site: { raiz: string }) => site.raiz.split('/').at(-2)).sort()
  const owners: string[] = [
    ...new Set<string>(sites.map((site: { raiz: string }) => site.raiz.split('/').at(-3))),
  ].sort()
  const prefix = `t${panel.port}x`
  const users = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length).split(':')[0])
      .sort()
  expect(list('h').filter((name) => name !== '_')).toEqual(names)
  expect(list('t').filter((name) => name !== 'default')).toEqual(names)
  expect(list('p')).toEqual(ids)
  expect(list('m')).toEqual(ids.map((id: string) => `${id}.json`))
  expect(clients).toHaveLength(owners.length)
  for (const found of [list('c'), list('k'), users('/etc/passwd'), users('/etc/group')])
    expect(found).toEqual(owners)
  expect(zones.map(({ zona }: { zona: string }) => zona).sort()).toEqual(
    sites.map(({ domain }: { domain: string }) => domain).sort(),
  )
}

const settled = (name: string, state: string) =>
  eventually(async () => {
    const site = await panel.api('GET', `/sitios/${name}.es`, { bearer: token })
    const wanted = state === 'gone' ? site.status === 404 : site.body.estado === state
    const jobs = await panel.api('GET', '/tareas', { bearer: token })
    const open = jobs.body.datos.filter(({ estado }: { estado: string }) =>
      ['pendiente', 'en_curso'].includes(estado),
    )
    return wanted && open.length === 0
  }, `${name} to be ${state}`)

test('creation of a site', async () => {
  for (const [index, target] of moments('sitio.aplicar', [...WHOLE_CLIENT, ...APPLY_SITE]).entries()) {
    const name = `crea${index}`
    await panel.api('POST', '/clientes', { bearer: token, body: { cliente: name } })
    await killedAt(target, () =>
      panel.api('POST', '/sitios', {
        bearer: token,
        body: { cliente: name, domain: `${name}.es`, aliases: [`www.${name}.es`] },
      }),
    )
    await settled(name, 'activo')
    expect([target, await status(`www.${name}.es`)]).toEqual([target, 200])
    await agreement()
    await panel.api('DELETE', `/clientes/${name}`, { bearer: token })
    await eventually(
      async () => (await panel.api('GET', `/clientes/${name}`, { bearer: token })).status === 404,
      'the client to go',
    )
  }
}, 300_000)

test('suspension, activation and change of plan', async () => {
  await make('cambia')
  const call = (operation: string, body?: unknown) => () =>
    panel.api('POST', `/clientes/cambia/${operation}`, { bearer: token, ...(body ? { body } : {}) })
  for (const target of moments('cliente.aplicar', [SUSPEND, ...WHOLE_CLIENT])) {
    await killedAt(target, call('suspender'))
    await settled('cambia', 'suspendido')
    expect([target, await status('www.cambia.es')]).toEqual([target, 503])
    await call('activar')()
    await settled('cambia', 'activo')
    expect([target, await status('www.cambia.es')]).toEqual([target, 200])
  }
  for (const target of moments('cliente.aplicar', WHOLE_CLIENT)) {
    await killedAt(target, call('plan', { plan: target.endsWith('before') ? 'otro' : null }))
    await settled('cambia', 'activo')
    expect((await panel.api('GET', '/clientes/cambia', { bearer: token })).body.plan).toBe(
      target.endsWith('before') ? 'otro' : null,
    )
  }
  await agreement()
}, 300_000)

test('deletion of a site and of a client', async () => {
  for (const [index, target] of moments('sitio.eliminar', WHOLE_REMOVAL).entries()) {
    const name = `quita${index}`
    await make(name)
    await killedAt(target, () => panel.api('DELETE', `/sitios/${name}.es`, { bearer: token }))
    await settled(name, 'gone')
    expect([target, await status(`www.${name}.es`)]).toEqual([target, 404])
    await panel.api('DELETE', `/clientes/${name}`, { bearer: token })
  }
  for (const [index, target] of moments('cliente.eliminar', REMOVE_CLIENT).entries()) {
    const name = `borra${index}`
    await make(name)
    await killedAt(target, () => panel.api('DELETE', `/clientes/${name}`, { bearer: token }))
    await settled(name, 'gone')
    expect([target, await status(`www.${name}.es`)]).toEqual([target, 404])
    await agreement()
  }
}, 300_000)

test('the neighbour was answered throughout', async () => {
  probing = false
  await Promise.all(prober)
  expect(probes.bad).toEqual([])
  expect(probes.good).toBeGreaterThan(1000)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inconsistencies, settled, statusOf } from '../support/consistency.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { addressOf } from '../support/prober.ts'
import { eventually } from '../support/wait.ts'

const PROGRAMS = ['nginx', 'pdns_server', 'php-fpm8.2']
let directory = ''
let panel: Panel
let token = ''

/** A panel on a machine without the packages: what it sees in /usr/sbin is a copy that lacks their programs. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'packages-'))
  for (const name of ['bin', 'kept', 'layer']) mkdirSync(join(directory, name))
  for (const name of PROGRAMS) copyFileSync(join('/usr/sbin', name), join(directory, 'kept', name))
  const hidden = PROGRAMS.map((name) => `rm /usr/sbin/${name}`).join(' && ')
  const script = `#!/bin/sh
    exec unshare --mount --propagation private sh -c '
      mount -t tmpfs tmpfs ${directory}/layer && mkdir ${directory}/layer/up ${directory}/layer/work &&
      mount -t overlay overlay -o lowerdir=/usr/sbin,upperdir=${directory}/layer/up,workdir=${directory}/layer/work /usr/sbin &&
      ${hidden} && exec ${process.execPath} "$@"' sh "$@"
  `
  writeFileSync(join(directory, 'bin', 'bun'), script, { mode: 0o755 })
  panel = await Panel.start({
    env: {
      PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
      PANEL_IPS: '192.0.2.7',
      PANEL_NS: 'ns1.host.net,ns2.host.net',
    },
  })
  token = await newToken(panel, await firstAdmin(panel))
}, 60_000)
afterAll(async () => {
  await panel.stop()
  rmSync(directory, { recursive: true })
}, 60_000)

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

/** Puts the program where the panel sees it, as the package manager does. */
function install(name: string): void {
  const put = `cp -p ${directory}/kept/${name} /usr/sbin/.${name} && mv /usr/sbin/.${name} /usr/sbin/${name}`
  const { exitCode, stderr } = Bun.spawnSync(['nsenter', '-t', String(panel.pid), '-m', 'sh', '-c', put])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

const create = (name: string) =>
  call('PUT', `/altas/${name}`, {
    cliente: name,
    correo: `${name}@c.es`,
    domain: `${name}.es`,
    enviar: false,
  })
const stateOf = async (domain: string) => (await call('GET', `/sitios/${domain}`)).body.estado

test('changes made before the packages were installed are applied once they are, without a restart', async () => {
  expect((await create('pronto')).body.sitio.estado).toBe('preparando')
  expect((await create('parado')).status).toBe(201)
  expect((await call('POST', '/clientes/parado/suspender')).status).toBe(200)
  const { pid } = panel
  install('nginx')
  await eventually(async () => (await stateOf('pronto.es')) === 'activo', 'the site to be served', 60_000)
  await eventually(
    async () => (await stateOf('parado.es')) === 'suspendido',
    'the other to be suspended',
    60_000,
  )
  expect([await statusOf(panel, 'pronto.es'), await statusOf(panel, 'parado.es')]).toEqual([200, 503])
  install('pdns_server')
  const address = () => addressOf(panel.dnsPort, 'pronto.es').catch(() => '')
  await eventually(async () => (await address()) === '192.0.2.7', 'its name to be answered', 60_000)
  expect(await statusOf(panel, 'pronto.es')).toBe(200)
  install('php-fpm8.2')
  expect((await call('PATCH', '/sitios/pronto.es', { php: '8.2' })).status).toBe(200)
  await settled(panel)
  expect(await inconsistencies(panel)).toEqual([])
  expect((await create('luego')).body.sitio.estado).toBe('activo')
  await settled(panel)
  expect([await inconsistencies(panel), panel.pid]).toEqual([[], pid])
}, 240_000)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { portHolders } from '../../deploy/node/services/ports.ts'
import { commandLine, findProcesses, userOf } from '../../deploy/node/services/process.ts'
import { partDirectory, settled } from '../support/consistency.ts'
import { daemon, giveNative, quoted } from '../support/native.ts'
import { ADDRESS, startWorld, type World } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { addressOf } from '../support/prober.ts'
import { eventually } from '../support/wait.ts'

const FIRST_OPEN_PORT = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
const before = readFileSync(FIRST_OPEN_PORT, 'utf8')
let world: World
let root: string

beforeAll(async () => {
  world = await startWorld({ port: await reservedPort() })
  root = await world.client('okupa')
  giveNative(root)
}, 60_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  writeFileSync(FIRST_OPEN_PORT, before)
}, 60_000)

/** A free one among those that the panel reserves. */
async function reservedPort(): Promise<number> {
  const port = 1_100 + Math.floor(Math.random() * 900)
  return portHolders([{ protocol: 'tcp', address: '0.0.0.0', port }]).length === 0 ? port : reservedPort()
}

/** Has the customer's PHP run a command of a shell natively; answers when it has begun. */
async function native(order: string): Promise<void> {
  const url = `http://127.0.0.1:${world.panel.httpPort}/n.php`
  const answer = await fetch(url, { method: 'POST', headers: { host: 'okupa.es' }, body: order })
  expect(await answer.text()).toBe('mailed')
}

const uid = () => lstatSync(root).uid

/** The processes of the customer with this text in their command line. */
const impostors = (text: string) =>
  findProcesses(
    ({ pid, session }) => pid === session && userOf(pid) === uid() && commandLine(pid).includes(text),
  )

function mainOf(service: string): number {
  const run = join(partDirectory(world.panel, 'web'), 'run')
  const file = `${service === 'php8.2' ? 'php' : service}.json`
  return JSON.parse(readFileSync(join(run, file), 'utf8')).pid
}

const stateOf = async (service: string): Promise<string> => {
  const { body } = await world.call('GET', '/nodos/nodo1')
  return body.servicios.find((one: Json) => one.servicio === service).estado
}

// That a customer’s program takes no port of a service that is down is shown in attacks/squatters.
test('a name server that was killed is back with another key, and takes what was written meanwhile', async () => {
  const directory = partDirectory(world.panel, 'dns')
  const key = readFileSync(join(directory, 'clave'), 'utf8')
  process.kill(mainOf('pdns'), 'SIGKILL')
  const path = '/zonas/vecino.es/registros/nuevo/A'
  await world.done('PUT', path, { ttl: 60, valores: [ADDRESS] })
  await eventually(async () => (await stateOf('pdns')) === 'activo', 'the name server')
  await settled(world.panel, 30_000)
  expect(await addressOf(world.panel.dnsPort, 'nuevo.vecino.es')).toBe(ADDRESS)
  expect(readFileSync(join(directory, 'clave'), 'utf8')).not.toBe(key)
}, 60_000)

describe('another program on the panel’s own port', () => {
  test('is told by the doctor from the panel itself', async () => {
    const { panel } = world
    const check = async () => {
      const { status, lines } = await panel.command('doctor')
      return [status, lines.flat().find((one: Json) => one.comprobacion === `puerto ${panel.port}`)]
    }
    expect(await check()).toEqual([0, expect.objectContaining({ bien: true })])
    await panel.kill()
    const other = createServer().listen(panel.port, '127.0.0.1')
    const [status, told] = await check()
    expect([status, told.bien, told.consejo]).toEqual([
      1,
      false,
      expect.stringContaining('not by this panel'),
    ])
    await new Promise((resolve) => other.close(resolve))
    await panel.up()
  }, 60_000)
})

describe('a customer’s process with the command line of a service', () => {
  test.each(['nginx', 'php8.2', 'pdns'])(
    'is not taken for %s, which is started instead',
    async (service) => {
      const before = mainOf(service)
      const line = commandLine(before)
      await native(daemon(`exec -a ${quoted(line)} sleep 60`))
      await eventually(async () => impostors(line).length === 1, 'the impostor')
      await world.panel.kill()
      process.kill(before, 'SIGKILL')
      await world.panel.up()
      await eventually(async () => (await page()) === 'PHP 1', 'the sites')
      await eventually(async () => (await address()) === ADDRESS, 'the names')
      expect(userOf(mainOf(service))).not.toBe(uid())
      await eventually(async () => (await stateOf(service)) === 'activo', service)
      for (const { pid } of impostors(line)) process.kill(pid, 'SIGKILL')
    },
    60_000,
  )
})

const address = () => addressOf(world.panel.dnsPort, 'vecino.es').catch(String)

async function page(): Promise<string> {
  const url = `http://127.0.0.1:${world.panel.httpPort}/programa.php`
  const options = { headers: { host: 'vecino.es' }, keepalive: false, signal: AbortSignal.timeout(2_000) }
  return fetch(url, options).then((answer) => answer.text(), String)
}

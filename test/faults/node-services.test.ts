import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { inconsistencies, partDirectory, settled, statusOf } from '../support/consistency.ts'
import { ADDRESS, startWorld, type World } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { addressOf } from '../support/prober.ts'
import { eventually } from '../support/wait.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

const SERVICES = ['nginx', 'php8.2', 'pdns'] as const
type Service = (typeof SERVICES)[number]

const page = () => textOf('/pagina.html')
const program = () => textOf('/programa.php')
const name = () => addressOf(world.panel.dnsPort, 'vecino.es').catch(String)
async function textOf(path: string): Promise<string> {
  const url = `http://127.0.0.1:${world.panel.httpPort}${path}`
  const options = { headers: { host: 'vecino.es' }, keepalive: false, signal: AbortSignal.timeout(2_000) }
  return fetch(url, options).then((answer) => answer.text(), String)
}
const works: Record<Service, () => Promise<boolean>> = {
  nginx: async () => (await page()) === 'hola',
  'php8.2': async () => (await program()) === 'PHP 1',
  pdns: async () => (await name()) === ADDRESS,
}
/** PHP is reached through the web server. */
const WITHOUT: Record<Service, Service[]> = {
  nginx: ['nginx', 'php8.2'],
  'php8.2': ['php8.2'],
  pdns: ['pdns'],
}

async function told(service: Service): Promise<Json> {
  const { body } = await world.call('GET', '/nodos/nodo1')
  return body.servicios.find((one: Json) => one.servicio === service)
}

const becomes = (service: Service, state: 'activo' | 'parado') =>
  eventually(
    async () => {
      const found = await told(service)
      return found.estado === state ? found : null
    },
    `${service} told as ${state}`,
    20_000,
  )

/** The main process of a service, from the note that the supervisor keeps. */
function mainOf(service: Service): number {
  const run = join(partDirectory(world.panel, 'web'), 'run')
  const file = `${service === 'php8.2' ? 'php' : service}.json`
  return JSON.parse(readFileSync(join(run, file), 'utf8')).pid
}

/** The files that a service is configured by. */
function configurationOf(service: Service): string[] {
  const web = partDirectory(world.panel, 'web')
  if (service === 'nginx') return [join(web, 'nginx/nginx.conf')]
  if (service === 'pdns') return [join(partDirectory(world.panel, 'dns'), 'pdns.conf')]
  return ['keeper.pl', 'keeper.conf', 'pool.conf'].map((name) => join(web, 'f', name))
}

/** Without the key of PowerDNS's API, which is another one at each start. */
const settingsOf = (path: string): string => readFileSync(path, 'utf8').replace(/[0-9a-f]{64}/g, '')

/** The other parts go on, and the panel goes on answering. */
async function expectOthersWork(service: Service): Promise<void> {
  for (const other of SERVICES) {
    if (!WITHOUT[service].includes(other)) expect([other, await works[other]()]).toEqual([other, true])
  }
  expect((await world.call('GET', '/conexion')).status).toBe(200)
}

/** What `/salud` tells anyone, with its status. */
async function health(): Promise<[number, Json]> {
  const response = await world.panel.fetch('/salud')
  return [response.status, await response.json()]
}

describe.each(SERVICES)('%s', (service) => {
  test('that is down is named by /salud, and nothing else of it, until it answers again', async () => {
    const name = service === 'php8.2' ? 'php' : service
    await eventually(async () => (await health())[0] === 200, 'the panel to be well', 20_000)
    process.kill(mainOf(service), 'SIGSTOP')
    const down = await eventually(async () => {
      const told = await health()
      return told[0] === 503 ? told : null
    }, `${name} named`)
    expect(down).toEqual([503, { estado: 'con_fallos', caidos: [name] }])
    await eventually(async () => (await health())[0] === 200, 'the panel to be well', 20_000)
  }, 60_000)

  test('that hangs is reported and restarted, while the others keep running', async () => {
    const main = mainOf(service)
    process.kill(main, 'SIGSTOP')
    expect((await becomes(service, 'parado')).consejo).toContain('started again')
    await expectOthersWork(service)
    await becomes(service, 'activo')
    await eventually(works[service], `${service} to work`)
    expect(mainOf(service)).not.toBe(main)
  }, 60_000)

  test('that ends with a broken configuration in its place comes back with the panel’s own', async () => {
    const main = mainOf(service)
    const before = configurationOf(service).map(settingsOf)
    for (const path of configurationOf(service)) writeFileSync(path, 'broken { = ;\n')
    process.kill(main, 'SIGKILL')
    await eventually(async () => mainOf(service) !== main, `another ${service}`)
    await expectOthersWork(service)
    await becomes(service, 'activo')
    await eventually(works[service], `${service} to work`)
    expect(configurationOf(service).map(settingsOf)).toEqual(before)
  }, 60_000)
})

test('a web server whose port is taken is told with who has it, sites wait, and are served once it is free', async () => {
  const { panel, call } = world
  process.kill(mainOf('nginx'), 'SIGQUIT')
  const intruder = await occupy(panel.httpPort)
  const state = await becomes('nginx', 'parado')
  await eventually(
    async () => (await told('nginx')).consejo.includes(`${panel.httpPort}/tcp`),
    'the holder’s name',
  )
  expect(state.estado).toBe('parado')
  await expectOthersWork('nginx')
  const body = { cliente: 'espera', correo: 'e@espera.es', domain: 'espera.es', enviar: false }
  const made = await call('PUT', '/altas/espera', body)
  expect(made.status).toBe(201)
  expect(['preparando', 'error']).toContain(made.body.sitio.estado)
  await new Promise((resolve) => intruder.close(resolve))
  await becomes('nginx', 'activo')
  await settled(panel, 20_000)
  expect(await statusOf(panel, 'espera.es')).toBe(200)
}, 60_000)

test('a name server whose API has lost its port to another program gets another, and that program no key', async () => {
  const { panel, call } = world
  const kept = join(partDirectory(panel, 'dns'), 'puerto')
  const lost = readFileSync(kept, 'utf8')
  const heard: string[] = []
  process.kill(panel.pid, 'SIGSTOP')
  process.kill(mainOf('pdns'), 'SIGKILL')
  // As another panel's name server answers on this machine.
  const intruder = await occupy(Number(lost), (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => heard.push(data.toString()))
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  process.kill(panel.pid, 'SIGCONT')
  const body = { cliente: 'desvio', correo: 'd@desvio.es', domain: 'desvio.es', enviar: false }
  expect((await call('PUT', '/altas/desvio', body)).status).toBe(201)
  await eventually(
    async () => (await addressOf(panel.dnsPort, 'desvio.es').catch(String)) === ADDRESS,
    'the zone',
    20_000,
  )
  expect(readFileSync(kept, 'utf8')).not.toBe(lost)
  expect(heard).toEqual([])
  expect((await call('DELETE', '/clientes/desvio')).status).toBe(200)
  await new Promise((resolve) => intruder.close(resolve))
  await settled(panel, 20_000)
  expect(await inconsistencies(panel)).toEqual([])
}, 60_000)

test('the panel that starts finds broken configurations and ended services, and repairs them', async () => {
  const { panel } = world
  const before = SERVICES.flatMap(configurationOf).map(settingsOf)
  await panel.kill()
  for (const path of SERVICES.flatMap(configurationOf)) writeFileSync(path, '\0 broken')
  for (const service of SERVICES) process.kill(mainOf(service), 'SIGKILL')
  await panel.up()
  for (const service of SERVICES) await becomes(service, 'activo')
  for (const service of SERVICES) expect([service, await works[service]()]).toEqual([service, true])
  expect(SERVICES.flatMap(configurationOf).map(settingsOf)).toEqual(before)
  await settled(panel)
  expect(await inconsistencies(panel)).toEqual([])
}, 60_000)

/** Listens on a port as soon as it is free. */
async function occupy(port: number, answer = (socket: Socket) => void socket.destroy()): Promise<Server> {
  return eventually(
    () =>
      new Promise<Server | null>((resolve) => {
        const server = createServer(answer)
        server.once('error', () => resolve(null))
        server.listen(port, '127.0.0.1', () => resolve(server))
      }),
    `port ${port}`,
  )
}

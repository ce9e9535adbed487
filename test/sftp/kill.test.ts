import { afterAll, beforeAll, expect, test } from 'bun:test'
import { settled } from '../support/consistency.ts'
import { killDuring, startWorld, type World } from '../support/node-world.ts'
import { freePort } from '../support/ports.ts'
import { clientsOf, keyPair } from './client.ts'

let world: World
let tools: ReturnType<typeof clientsOf>
let key: Awaited<ReturnType<typeof keyPair>>
const port = await freePort()

beforeAll(async () => {
  world = await startWorld({ env: { PANEL_SFTP_PORT: String(port) } })
  await world.panel.kill()
  await world.panel.up({ PANEL_TEST_STEPS: world.steps })
  tools = clientsOf(port)
  key = await keyPair('-t', 'ed25519')
}, 120_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

/** A client with a second site and an account for it, or for all of them, that signs in. */
async function newAccount(cliente: string, more: { sitio?: string } = {}) {
  await world.client(cliente)
  await world.done('POST', '/sitios', { cliente, domain: `${cliente}-dos.es`, aliases: [] })
  const cuenta = `${cliente}_uno`
  await world.done('POST', `/clientes/${cliente}/cuentas-sftp`, { cuenta, ...more })
  await keys(cliente, [key.line])
  await settled(world.panel)
  return { account: cuenta, key: key.file }
}
const keys = (cliente: string, llaves: string[]) =>
  world.panel.api('PUT', `/clientes/${cliente}/cuentas-sftp/${cliente}_uno/llaves`, {
    bearer: world.admin.bearer,
    body: { llaves },
  })
const signsIn = async (login: Awaited<ReturnType<typeof newAccount>>) =>
  (await tools.sftp(login, 'pwd')).code === 0

/** What ends an account's sessions, and the step at which the panel is killed meanwhile. */
const ENDINGS: Record<string, { point: string; site?: true; request(cliente: string): Promise<unknown> }> = {
  'its key is taken away': {
    point: 'cliente.aplicar:client.sftp',
    request: (cliente) => keys(cliente, []),
  },
  'its client is suspended': {
    point: 'cliente.aplicar:client.sftp',
    request: (cliente) => world.call('POST', `/clientes/${cliente}/suspender`),
  },
  'its site is deleted': {
    point: 'sitio.eliminar:site.sftp',
    site: true,
    request: (cliente) => world.call('DELETE', `/sitios/${cliente}-dos.es`),
  },
  'its client is deleted': {
    point: 'cliente.eliminar:client.sftp',
    request: (cliente) => world.call('DELETE', `/clientes/${cliente}`),
  },
}
const CASES = Object.keys(ENDINGS).flatMap((what) => ['before', 'after'].map((when) => [what, when] as const))

test.each(CASES)(
  'a session ends and nobody signs in again, once %s, killed %s that step',
  async (what, when) => {
    const ending = ENDINGS[what]
    if (!ending) throw new Error(what)
    const cliente = `c${CASES.findIndex(([one, other]) => one === what && other === when)}`
    const login = await newAccount(cliente, ending.site ? { sitio: `${cliente}-dos.es` } : {})
    const session = await tools.open(login)
    await killDuring(world, `${cliente}:${ending.point}:${when}`, () => ending.request(cliente))
    await session.exited
    expect(await signsIn(login)).toBe(false)
  },
  120_000,
)

test.each(['before', 'after'])(
  'an account signs in, though the panel was killed %s it was made',
  async (when) => {
    const cliente = `nueva${when}`
    const login = await newAccount(cliente)
    await keys(cliente, [])
    await settled(world.panel)
    expect(await signsIn(login)).toBe(false)
    await killDuring(world, `${cliente}:cliente.aplicar:client.sftp:${when}`, () => keys(cliente, [key.line]))
    expect(await signsIn(login)).toBe(true)
  },
  120_000,
)

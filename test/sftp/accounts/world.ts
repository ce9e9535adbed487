import { afterAll, beforeAll, expect } from 'bun:test'
import { Panel } from '../../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../../support/people.ts'
import { freePort } from '../../support/ports.ts'
import { clientsOf } from '../client.ts'

export let panel: Panel
export let admin: SignedIn
export let token: string
export let tools: ReturnType<typeof clientsOf>
export const port = await freePort()

beforeAll(async () => {
  panel = await Panel.start({ env: { PANEL_SFTP_PORT: String(port) } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  tools = clientsOf(port)
  await newClient('acme', 'acme.es')
  await done('POST', '/sitios', { cliente: 'acme', domain: 'tienda.es', aliases: [] })
}, 60_000)
afterAll(() => panel.stop(), 60_000)

export async function done(method: string, path: string, body?: unknown, bearer = token) {
  const answer = await panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const newClient = (cliente: string, domain: string, more: object = {}) =>
  done('PUT', `/altas/${cliente}`, {
    cliente,
    correo: `${cliente}@cliente.es`,
    domain,
    enviar: false,
    ...more,
  })

/** An account by the API, with a password that a person had made. */
export async function account(cliente: string, cuenta: string, more: object = {}) {
  await done('POST', `/clientes/${cliente}/cuentas-sftp`, { cuenta, ...more })
  return { account: cuenta, password: await password(cliente, cuenta) }
}

export const password = async (cliente: string, cuenta: string): Promise<string> =>
  (await done('POST', `/clientes/${cliente}/cuentas-sftp/${cuenta}/contrasena`, undefined, admin.bearer))
    .contrasena

export const visit = async (host: string, path: string) => {
  const response = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers: { host } })
  return { status: response.status, text: await response.text() }
}

/** Milliseconds until an open session is gone after a change that ends it. */
export async function endOf(session: Awaited<ReturnType<typeof tools.open>>, change: () => Promise<unknown>) {
  expect(session.alive()).toBe(true)
  await change()
  const answered = performance.now()
  await session.exited
  return performance.now() - answered
}

/** The site's directory as root sees it. */
export const rootOf = async (domain: string): Promise<string> => (await done('GET', `/sitios/${domain}`)).raiz

import { partDirectory } from '../support/consistency.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

/** A panel with its MariaDB, for all tests of a file: both take seconds to start. */
export type World = {
  panel: Panel
  admin: SignedIn
  token: string
  /** Where MariaDB listens. */
  readonly socket: string
  mariadbPort: number
  /** Where browsers look into databases. */
  basesPort: number
  call(method: string, path: string, body?: unknown): Promise<Answer>
  done(method: string, path: string, body?: unknown): Promise<Json>
  /** What a site answers to a request for a path. */
  get(host: string, path: string): Promise<string>
  stop(): Promise<void>
}

/** `dataDir`: a data directory that is there already. */
export async function startBases(env: Record<string, string> = {}, dataDir?: string): Promise<World> {
  const mariadbPort = await freePort()
  const basesPort = await freePort()
  const ports = { PANEL_MARIADB_PORT: String(mariadbPort), PANEL_BASES_PORT: String(basesPort) }
  const panel = await Panel.start({
    env: { ...ports, ...env },
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const call: World['call'] = (method, path, body) =>
    panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
  return {
    panel,
    admin,
    token,
    socket: `${partDirectory(panel, 'web')}/mariadb/run/mysqld.sock`,
    mariadbPort,
    basesPort,
    call,
    async done(method, path, body) {
      // At night the panel may be copying that client by itself.
      const isCopy = method === 'POST' && path.endsWith('/copias')
      const answer = await eventually(
        async () => {
          const told = await call(method, path, body)
          return isCopy && told.body.codigo === 'ya_en_curso' ? null : told
        },
        `${method} ${path}`,
        120_000,
      )
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async get(host, path) {
      const url = `http://127.0.0.1:${panel.httpPort}${path}`
      return (await fetch(url, { headers: { host }, keepalive: false })).text()
    },
    stop: () => panel.stop(),
  }
}

/** A client with one site; answers the site's document root. */
export async function addClient(world: World, name: string, plan?: string): Promise<string> {
  const body = { cliente: name, correo: `${name}@cliente.es`, domain: `${name}.es`, enviar: false }
  const made = await world.done('PUT', `/altas/${name}`, { ...body, ...(plan ? { plan } : {}) })
  return made.sitio.raiz
}

/** A database of a client, once it is there. */
export const createBase = (world: World, cliente: string, base: string): Promise<Json> =>
  world.done('POST', '/bases', { cliente, base })

/** Runs one of the panel's commands beside it; answers what it prints first. */
export async function command({ panel }: World, ...args: string[]): Promise<Json> {
  const { status, lines, error } = await panel.command(...args)
  if (status !== 0) throw new Error(`${args.join(' ')}: ${error}`)
  return lines[0]
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settled } from './consistency.ts'
import { type Answer, Panel, type StartOptions } from './panel.ts'
import { firstAdmin, newToken, type SignedIn } from './people.ts'
import { type Prober, probe } from './prober.ts'

/** A running panel with a neighbour, who has a site and a zone. */
export type World = {
  panel: Panel
  admin: SignedIn
  token: string
  /** One operation with the token; throws nothing. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, which has to succeed. */
  done(method: string, path: string, body?: unknown): Promise<Answer>
  /** A client with one site; answers the site's document root. */
  client(name: string, extra?: Record<string, unknown>): Promise<string>
  /** Where the step hook's files lie; see deploy/node/host/test-hook.ts. */
  steps: string
  [Symbol.asyncDispose](): Promise<void>
}

/** One whose neighbour's site and zone are asked for all the time, which takes a tenth of a processor. */
export type ProbedWorld = World & { prober: Prober }

export const ADDRESS = '192.0.2.7'

/** Starts a panel on the real services, with a neighbour. */
export async function startWorld(options: StartOptions = {}): Promise<World> {
  const panel = await Panel.start({
    ...options,
    env: { PANEL_IPS: ADDRESS, PANEL_NS: 'ns1.host.net,ns2.host.net', ...options.env },
  })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const call: World['call'] = (method, path, body) =>
    panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
  const done: World['done'] = async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const client: World['client'] = async (name, extra = {}) => {
    const body = {
      cliente: name,
      correo: `${name}@cliente.es`,
      domain: `${name}.es`,
      enviar: false,
      ...extra,
    }
    return (await done('PUT', `/altas/${name}`, body)).body.sitio.raiz
  }
  const root = await client('vecino')
  // On a busy machine the answer comes before all of its work has ended.
  await settled(panel, 60_000)
  writeFileSync(join(root, 'pagina.html'), 'hola', { mode: 0o644 })
  writeFileSync(join(root, 'programa.php'), '<?php echo "PHP ", posix_geteuid() > 0;', { mode: 0o644 })
  // So that its PHP runs, as that of a site with visitors does.
  const program = `http://127.0.0.1:${panel.httpPort}/programa.php`
  await (await fetch(program, { headers: { host: 'vecino.es' }, keepalive: false })).text()
  const steps = join(panel.dataDir, 'pasos')
  mkdirSync(steps)
  return {
    panel,
    admin,
    token,
    call,
    done,
    client,
    steps,
    [Symbol.asyncDispose]: () => panel.stop(),
  }
}

/** The same, whose prober tells at the end what the neighbour has felt. */
export async function startProbedWorld(options: StartOptions = {}): Promise<ProbedWorld> {
  const world = await startWorld(options)
  const { panel } = world
  const prober = probe(panel, { host: 'vecino.es', page: 'hola', php: 'PHP 1', address: ADDRESS })
  return {
    ...world,
    prober,
    async [Symbol.asyncDispose]() {
      await prober.stop()
      await panel.stop()
    },
  }
}

/** Kills the panel at a point of a client's work that a request queues (test/node/steps.ts), and starts it again. */
export async function killDuring(
  { panel, steps }: Pick<World, 'panel' | 'steps'>,
  point: string,
  request: () => Promise<unknown>,
  settledMs = 60_000,
): Promise<void> {
  const deadly = join(steps, 'deadly')
  writeFileSync(deadly, `${point}\n`)
  const asked = request().catch(() => null)
  const died = await Promise.race([panel.died().then(() => true), Bun.sleep(settledMs).then(() => false)])
  if (!died) throw new Error(`the panel lives on at ${point}`)
  await asked
  rmSync(deadly)
  await panel.up({ PANEL_TEST_STEPS: steps })
  await settled(panel, settledMs)
}

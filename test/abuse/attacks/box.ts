import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { partDirectory } from '../../support/consistency.ts'
import { ADDRESS, type World } from '../../support/node-world.ts'
import { addressOf } from '../../support/prober.ts'
import type { Machine, Site } from './stage.ts'

/** This machine itself, with a panel that a test has started: no systemd. */
export function boxOf(world: World, told: string): Machine {
  const { panel } = world
  const ports = { panel: panel.port, http: panel.httpPort, https: panel.httpsPort, dns: panel.dnsPort }
  return {
    at: (path) => path,
    run(...argv) {
      const { exitCode, stdout, stderr } = Bun.spawnSync(argv)
      return { status: exitCode, output: stdout.toString(), error: stderr.toString() }
    },
    visit: (site, path, body) => visit(`http://127.0.0.1:${ports.http}${path}`, site, body),
    api: world.call,
    async site(client, extra): Promise<Site> {
      const root = await world.client(client, extra)
      const { uid, gid } = lstatSync(root)
      const clientId = Number(dirname(dirname(root)).split('/').at(-1))
      return { client, clientId, host: `${client}.es`, root, uid, gid }
    },
    async killPanel() {
      await panel.kill()
      await panel.up()
    },
    async faults() {
      const vecino = { host: 'vecino.es' }
      const answers = {
        page: (await visit(`http://127.0.0.1:${ports.http}/pagina.html`, vecino)) === 'hola',
        program: (await visit(`http://127.0.0.1:${ports.http}/programa.php`, vecino)) === 'PHP 1',
        name: (await addressOf(ports.dns, 'vecino.es').catch(String)) === ADDRESS,
        panel: (await world.call('GET', '/conexion').catch(() => null))?.status === 200,
      }
      return Object.entries(answers).flatMap(([what, well]) => (well ? [] : [what]))
    },
    data: panel.dataDir,
    web: partDirectory(panel, 'web'),
    dns: partDirectory(panel, 'dns'),
    ports,
    told,
  }
}

/** Asks for a page of a site; an answer that does not come is one too. */
export const visit = (url: string, { host }: Pick<Site, 'host'>, body?: string): Promise<string> =>
  fetch(url, {
    headers: { host },
    keepalive: false,
    signal: AbortSignal.timeout(20_000),
    ...(body === undefined ? {} : { method: 'POST', body }),
  }).then((answer) => answer.text(), String)

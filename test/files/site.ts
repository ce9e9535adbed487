import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

export const SITE = 'ana-sitio.es'
export const path = (ruta: string, site = SITE) =>
  `/sitios/${site}/archivos/contenido?ruta=${encodeURIComponent(ruta)}`
export const codeOf = ({ status, body }: Answer) => [status, body.codigo]

/** A panel with a site of Ana's and one of Bea's, and what its tests do with the files of Ana's. */
export async function startSite() {
  const panel = await Panel.start({ env: ROOMY })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const ana = await newCustomer(panel, token, 'ana')
  const bea = await newCustomer(panel, token, 'bea')
  for (const cliente of ['ana', 'bea']) {
    const body = { cliente, domain: `${cliente}-sitio.es` }
    expect((await panel.api('POST', '/sitios', { bearer: token, body })).status).toBe(201)
  }
  const site = await panel.api('GET', `/sitios/${SITE}`, { bearer: token })
  /** The folder of Ana's site on the disk. */
  const folder = join(site.body.raiz, '..')
  return { panel, token, ana, bea, folder, ...requestsOf(panel, token), ...onDisk(panel, folder) }
}

function requestsOf(panel: Panel, token: string) {
  const list = (ruta: string, more = '', bearer = token) =>
    panel.api('GET', `/sitios/${SITE}/archivos?ruta=${encodeURIComponent(ruta)}${more}`, { bearer })
  return {
    put: (ruta: string, raw: string | Uint8Array, headers: Record<string, string> = {}, bearer = token) =>
      panel.api('PUT', path(ruta), { bearer, raw, headers }),
    get: (ruta: string, headers: Record<string, string> = {}) =>
      panel.api('GET', path(ruta), { bearer: token, headers }),
    list,
    operate: (body: object, bearer = token) =>
      panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, { bearer, body }),
    names: async (ruta: string) => (await list(ruta)).body.datos.map(({ nombre }: Json) => nombre),
  }
}

function onDisk(panel: Panel, folder: string) {
  return {
    /** What the web server answers to a visitor. */
    visited: (route: string) =>
      spawnSync('curl', [
        '-sS',
        '-H',
        `Host: ${SITE}`,
        `http://127.0.0.1:${panel.httpPort}${route}`,
      ]).stdout.toString(),
    staged: () => readdirSync(join(folder, '.controlpanel')),
    /** Runs PHP as the client in its document root, as its programs would. */
    asClient(code: string) {
      const { uid, gid } = statSync(join(folder, 'public'))
      const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', 'php8.2', '-r', code]
      const done = spawnSync('/usr/bin/setpriv', user, { cwd: join(folder, 'public') })
      expect([done.stdout.toString(), done.stderr.toString(), done.status]).toEqual(['', '', 0])
    },
  }
}

export type Site = Awaited<ReturnType<typeof startSite>>

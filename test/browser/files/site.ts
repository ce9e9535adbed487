import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../../api/people.ts'
import { Panel } from '../../support/panel.ts'
import { firstAdmin, newToken } from '../../support/people.ts'
import { customer, startBrowser, type Visit, Visitor } from '../browser.ts'

/** Ana's site, and where the interface has its files. */
export const SITE = 'cliente-ana.es'
export const FILES = `/panel/sitios/${SITE}/archivos`

const address = (path: string, ruta: string) =>
  `/sitios/${SITE}/archivos${path}?ruta=${encodeURIComponent(ruta)}`

/** A panel on which Ana has a site, a browser, and the site's files by the API. */
export async function startFiles(env: Record<string, string> = {}) {
  const [panel, browser] = await Promise.all([Panel.start({ env: { ...ROOMY, ...env } }), startBrowser()])
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const ana = await customer(panel, token, 'ana')
  const { body } = await panel.api('GET', `/sitios/${SITE}`, { bearer: token })
  /** Its folder on the disk. */
  const folder = join(body.raiz, '..')
  const files = filesBy(panel, token)
  return {
    ...{ panel, admin, token, folder, ...files },
    /** What is not whole yet. */
    staged: () => readdirSync(join(folder, '.controlpanel')),
    /** Ana at a browser. */
    visit: (look: Visit = {}) => Visitor.come(browser, panel, { as: ana, ...look }),
    /** Comes to a folder of the site that has these files, and nothing else. */
    async at(path: string, wanted: Record<string, string>, as = ana): Promise<Visitor> {
      await files.operate({ operacion: 'carpeta', rutas: [path] })
      for (const [name, text] of Object.entries(wanted)) await files.put(`${path}/${name}`, text)
      const visitor = await Visitor.come(browser, panel, { as })
      await visitor.go(`${FILES}?ruta=${path}`)
      return visitor
    },
    async stop(): Promise<void> {
      await browser.close()
      await panel.stop()
    },
  }
}
export type FilesSite = Awaited<ReturnType<typeof startFiles>>

function filesBy(panel: Panel, bearer: string) {
  return {
    async put(ruta: string, raw: string | Uint8Array): Promise<void> {
      const { status, body } = await panel.api('PUT', address('/contenido', ruta), { bearer, raw })
      if (status >= 300) throw new Error(`${ruta}: ${JSON.stringify(body)}`)
    },
    read: async (ruta: string) => (await panel.api('GET', address('/contenido', ruta), { bearer })).body,
    operate: (body: object) => panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, { bearer, body }),
    async names(ruta: string): Promise<string[]> {
      const { body } = await panel.api('GET', address('', ruta), { bearer })
      return body.datos.map(({ nombre }: { nombre: string }) => nombre)
    },
  }
}

/** A file's line in the list. */
export const row = ({ page }: Visitor, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: new RegExp(`: ${RegExp.escape(name)}$`) }) })
export const choose = (visitor: Visitor, name: string) => row(visitor, name).getByRole('checkbox').check()
export const told = ({ page }: Visitor, text: string) => page.locator('.notice', { hasText: text }).waitFor()

/** Nothing was refused by the page's policy, and no script failed. */
export async function leave(visitor: Visitor): Promise<void> {
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}

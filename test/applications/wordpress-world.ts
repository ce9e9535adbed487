import { expect } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Answer, Json } from '../support/panel.ts'
import { startApplications } from './panel.ts'
import { packages } from './wordpress.ts'

/** The version of WordPress that the panel finds first. */
export const VERSION = '6.1.9'
export const WANTED = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }

export const codeOf = ({ status, body }: Answer) => [status, body.codigo]

/** A panel that finds WordPress in Spanish on a shelf, and its customers Ana and Bob. */
export async function startWordPress() {
  const shelf = packages()
  shelf.add(VERSION)
  const world = await startApplications({ PANEL_APLICACIONES: shelf.directory }, ['bob'])
  const { api, token } = world
  return {
    ...{ ...world, shelf, bob: world.customers.bob },
    show: async (domain: string, bearer = token): Promise<Json> =>
      (await api('GET', `/sitios/${domain}/aplicacion`, undefined, bearer)).body,
    /** A site of a client's; answers its document root. */
    async addSite(cliente: string, domain: string): Promise<string> {
      const made = await api('POST', '/sitios', { cliente, domain, aliases: [] })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      return made.body.raiz
    },
    /** Asks for an installation and waits for its end. */
    async installed(domain: string, more: object = {}, bearer = token): Promise<Json> {
      const asked = await api('POST', `/sitios/${domain}/aplicacion`, { ...WANTED, ...more }, bearer)
      expect([asked.status, asked.body]).toMatchObject([202, { tarea: { operacion: 'aplicacion.instalar' } }])
      return world.ended(asked.body.tarea.id)
    },
    async stop(): Promise<void> {
      await world.stop()
      rmSync(shelf.directory, { recursive: true })
    },
  }
}
export type WordPressWorld = Awaited<ReturnType<typeof startWordPress>>

import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { addClient, startBases } from '../bases/world.ts'
import { giveFile } from '../support/owned.ts'
import type { Json } from '../support/panel.ts'
import { workEnded } from '../support/work.ts'

export const PASSWORD = 'una frase que nadie sabe'

/** A panel with the clients Ana, whose site has a front page, and Bea, and a folder for copies that is not entered. */
export async function startCopies() {
  const store = mkdtempSync(join(tmpdir(), 'store-'))
  const world = await startBases(ROOMY)
  const root = await addClient(world, 'ana')
  giveFile(root, 'index.html', 'antes')
  await addClient(world, 'bea')
  const ended = (id: string): Promise<Json> => workEnded(world.call, id, 180_000)
  const result = async (path: string, body?: Json): Promise<Json> => {
    const { tarea } = await world.done('POST', path, body)
    const job = await ended(tarea.id)
    expect([job.estado, job.error]).toEqual(['hecha', null])
    return job.resultado
  }
  return {
    ...{ ...world, store, ended, result },
    /** The folder of Ana's site. */
    folder: dirname(root),
    /** Copies Ana; answers the copy's name. */
    copied: async (): Promise<string> => (await result('/clientes/ana/copias')).copia,
    putDestination: (body: Json) =>
      world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body }),
    async stop(): Promise<void> {
      await world.stop()
      rmSync(store, { recursive: true, force: true })
    },
  }
}
export type CopiesWorld = Awaited<ReturnType<typeof startCopies>>

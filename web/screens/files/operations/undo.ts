import { call } from '../../../api/client.ts'
import { asApiError } from '../../../api/errors.ts'
import { queries } from '../../../api/hooks.ts'
import { announce } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

/** Brings back what was just put into the bin: of each path, what was deleted last. */
export async function bringBack(domain: string, paths: string[]): Promise<void> {
  try {
    const { datos } = await call('GET /api/sitios/:domain/archivos/papelera', {
      params: { domain },
      query: { limite: '200' },
    })
    const found = paths.flatMap((path) => datos.find(({ ruta }) => ruta === path)?.id ?? [])
    if (found.length < paths.length) return announce(texts.notInBin)
    await call('POST /api/sitios/:domain/archivos/operaciones', {
      params: { domain },
      body: { operacion: 'restaurar', borrados: found },
    })
    announce(texts.broughtBack)
  } catch (thrown) {
    announce(asApiError(thrown).detail)
  } finally {
    void queries.invalidateQueries()
  }
}

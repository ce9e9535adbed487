import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { download } from '../../ui/transfers/download.ts'
import { type Entry, LIST } from './folder.ts'
import { join } from './paths.ts'

export type Opening = {
  error: ApiError | null
  open(entry: Entry): Promise<void>
  /** What is in the folder that is shown, or in another. */
  download(entry: Entry, folder?: string): Promise<void>
}

type Here = {
  domain: string
  path: string
  go: (path: string) => void
  view: (entry: Entry) => void
}

/** Opens what a name stands for: a folder is gone to, a file is shown. */
export function useOpening({ domain, path, go, view }: Here): Opening {
  const [error, setError] = useState<ApiError | null>(null)
  const kindOf = async ({ tipo, nombre }: Entry, folder = path): Promise<'carpeta' | 'archivo'> => {
    if (tipo !== 'enlace') return tipo
    try {
      await call(LIST, { params: { domain }, query: { ruta: join(folder, nombre), limite: '1' } })
      return 'carpeta'
    } catch (thrown) {
      // What the link leads to is no folder.
      if (asApiError(thrown).codigo === 'ruta_invalida') return 'archivo'
      throw thrown
    }
  }
  const fetch = async (entry: Entry, within = path) => {
    const input = { params: { domain }, query: { ruta: join(within, entry.nombre) } }
    const folder = (await kindOf(entry, within)) === 'carpeta'
    // What goes wrong with a download is told where it is shown.
    if (folder) await download('GET /api/sitios/:domain/archivos/zip', input, `${entry.nombre}.zip`)
    else await download('GET /api/sitios/:domain/archivos/contenido', input, entry.nombre)
  }
  const caught = async (work: () => Promise<void>) => {
    setError(null)
    await work().catch((thrown) => setError(asApiError(thrown)))
  }
  return {
    error,
    download: (entry, folder) => caught(() => fetch(entry, folder)),
    open: (entry) =>
      caught(async () => {
        if ((await kindOf(entry)) === 'carpeta') go(join(path, entry.nombre))
        else view(entry)
      }),
  }
}

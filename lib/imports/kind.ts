import type { Client } from '../clients/decide.ts'
import type { ImportOrigin } from '../endpoint/ports/imports.ts'
import type { NewJob } from '../work/jobs.ts'

export const IMPORT_KIND = 'importacion.hacer'

export const importSubject = ({ id }: Pick<Client, 'id'>) => `importaciones:${id}`

/** The work that imports an archive; one at a time for a client. */
export const newImport = (
  { id, name, node }: Pick<Client, 'id' | 'name' | 'node'>,
  { origin, file }: { origin: ImportOrigin; file: string },
): NewJob => ({
  kind: IMPORT_KIND,
  node,
  subject: importSubject({ id }),
  target: file,
  client: name,
  cancellable: true,
  payload: { client: id, origin, file },
})

import { storedFaultText } from './faults.ts'
import type { Job } from './jobs.ts'
import { wireTime } from './page.ts'
import type { JobView } from './shapes.ts'

/** The job as it is returned: never its payload. */
export function jobView(row: Job, language: 'es' | 'en'): JobView {
  return {
    id: row.id,
    tipo: row.kind,
    nodo: row.node,
    cliente: row.clientName,
    objeto: row.target === '' ? null : row.target,
    estado: row.state,
    intentos: row.attempts,
    paso: row.step,
    error: storedFaultText(row.error, language),
    proxima: row.state === 'pendiente' ? wireTime(row.nextAt) : null,
    creada: wireTime(row.createdAt),
    terminada: wireTime(row.finishedAt),
  }
}

import { faultOf, faultWords } from '../../../lib/faults.ts'
import type { Words } from '../../../lib/words.ts'

/** What a start failed with is told in our words; the log holds the program's own under the service's name. */
export function failedStart(error: Error, service: string): Words {
  const fault = faultOf(error, service)
  return faultWords(fault.codigo === 'desconocido' ? { codigo: 'servicio_no_arranca', id: service } : fault)
}

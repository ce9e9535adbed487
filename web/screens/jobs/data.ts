import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes, number } from '../../text/format.ts'
import { texts } from './texts.ts'

export type Job = ItemOf<'GET /api/tareas'>

/** A refused operation on files is forgotten: whoever asked for it was told. */
export const mayRetry = ({ estado, operacion, resultado }: Job) =>
  estado === 'pendiente' || (estado === 'fallida' && !(operacion === 'archivos.operar' && resultado !== null))

/** Long work that a person began, and not what a change of the panel needs. */
export const mayCancel = ({ cancelable, estado }: Job) =>
  cancelable && (estado === 'pendiente' || estado === 'en_curso')

/** How far long work is; null for what does not count. */
export function progressWords({ progreso }: Job): string | null {
  if (!progreso) return null
  const { hecho, total, unidad } = progreso
  const amount = (value: number) => (unidad === 'bytes' ? bytes(value) : number(value))
  const words = total === null ? amount(hecho) : `${amount(hecho)} ${common.of} ${amount(total)}`
  return unidad === 'archivos' ? `${words} ${texts.files}` : words
}

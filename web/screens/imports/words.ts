import { refusalWords } from '../../text/outcomes.ts'
import { texts } from './texts.ts'

const REASONS = [
  'no_se_importa',
  'certificado_nuevo',
  'orden_no_admitida',
  'sin_contenido',
  'motor_no_admitido',
  'dominio_invalido',
  'dominio_reservado',
  'nombre_de_base_invalido',
  'enlace',
  'por_direccion',
  'programas',
  'archivos_por_nombre',
  'muy_honda',
  'demasiadas',
  'demasiado_grande',
  'seccion',
  'modulo',
] as const

/** Rows with a key each: two of one name may be left out, for different reasons. */
export const keyed = <T extends { tipo: string; nombre: string }>(rows: T[]) =>
  rows.map((row, at) => ({ ...row, key: `${row.tipo} ${row.nombre} ${at}` }))

/** Why something is left out or failed, in words; of a DNS record that is a sentence already. */
export function whyWords(code: string): string {
  const known = REASONS.find((one) => one === code)
  return known ? texts[known] : (refusalWords(code) ?? code)
}

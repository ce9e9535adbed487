import { wireTime } from '../endpoint/page.ts'
import type { HourCount, LogRow } from '../endpoint/ports/logs.ts'
import type { Asked } from './decide.ts'
import type { HourView, LogQuery, LogRowView } from './shapes.ts'

export const askedOf = ({ tipo, desde, hasta, buscar, estado }: LogQuery): Asked => ({
  kind: tipo,
  since: desde,
  until: hasta,
  text: buscar,
  status: estado,
})

export function logRowView(row: LogRow): LogRowView {
  const cuando = wireTime(row.at)
  if (row.kind === 'php') return { cuando, nivel: row.level, texto: row.text }
  return {
    cuando,
    direccion: row.address,
    metodo: row.method,
    ruta: row.path,
    estado: row.status,
    bytes: row.bytes,
    ms: row.ms,
    agente: row.agent,
  }
}

export const hourView = ({ at, visits, bytes, errors }: HourCount): HourView => ({
  hora: wireTime(at),
  visitas: visits,
  bytes,
  errores: errors,
})

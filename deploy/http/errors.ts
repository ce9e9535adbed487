import { type Fault, type FaultCode, faultOf, faultText } from '../../lib/text/stored-faults.ts'

const FOR_A_COMMAND: Partial<Record<FaultCode, FaultCode>> = {
  base_de_datos: 'orden_base_de_datos',
  programa_ausente: 'orden_ausente',
  sin_conexion: 'orden_sin_conexion',
  sin_espacio: 'orden_sin_espacio',
  sin_nombre: 'orden_sin_conexion',
  sin_permiso: 'orden_sin_permiso',
  sin_respuesta: 'orden_sin_conexion',
  tls: 'orden_sin_conexion',
}

/** The innermost error; drizzle's own quotes the statement's parameters. */
export function innermost(error: unknown): unknown {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return at
}

/**
 * One line for whoever typed a command. The panel's own errors are printed as they are; for an error of the system or
 * a library there is a sentence of ours, with the path and the code that the error named.
 */
export function plainFault(error: unknown): string {
  const at = innermost(error)
  const code = at instanceof Error && 'code' in at && typeof at.code === 'string' ? at.code : null
  const { codigo } = faultOf(at)
  if (codigo === 'desconocido' && code === null && at instanceof Error && at.name === 'Error') {
    return at.message.replace(/\s*\n\s*/g, ' ')
  }
  const path = at instanceof Error && 'path' in at && typeof at.path === 'string' ? at.path : null
  const facts = [path, code ?? (at instanceof Error ? at.name : null)].filter((fact) => fact !== null)
  const fault: Fault = { codigo: FOR_A_COMMAND[codigo] ?? 'orden_fallo' }
  return faultText(facts.length > 0 ? { ...fault, datos: facts.join(', ') } : fault, 'en')
}

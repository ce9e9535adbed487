import { AppError, type DeclaredError } from '../endpoint/errors.ts'

/** What loading a dump into a database is refused with. */
export const LOAD_REFUSALS: DeclaredError[] = [
  'base_en_uso',
  'volcado_rechazado',
  'volcado_ajeno',
  'volcado_incompleto',
  'limite_del_plan',
  'sin_espacio',
  'prohibido',
]

/** 409 `limite_del_plan` for a dump that is larger than a client's other databases leave room for. */
export const tooLarge = (usado: number, limite: number) =>
  new AppError('limite_del_plan', { recurso: 'bases_bytes', usado, limite })

/** 422 `volcado_rechazado`: at which line, and with which of the server's errors; 0 for none of its. */
export const refusedDump = (linea: number, numero: number) =>
  new AppError('volcado_rechazado', { linea, numero })

/** 422 `volcado_ajeno`: it names what is not its own, in this line. */
export const foreignDump = (linea: number) => new AppError('volcado_ajeno', { linea })

import { AppError } from '../endpoint/errors.ts'

/** Whether a file or folder was not there, or was none. */
export const isMissing = (error: unknown): boolean =>
  error instanceof AppError && ['archivo_no_existe', 'ruta_invalida'].includes(error.codigo)

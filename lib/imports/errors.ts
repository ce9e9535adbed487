import { AppError } from '../endpoint/errors.ts'

export type Excess = { recurso: string; usado: number; limite: number }

/** The code of what a decision refuses; null for what it takes. */
export function refusalOf(decide: () => void): string | null {
  try {
    decide()
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.codigo === 'datos_invalidos' ? 'dominio_reservado' : error.codigo
  }
}

/** The code of what went wrong with one thing of an archive. */
export const faultOf = (error: unknown): string =>
  error instanceof AppError ? error.codigo : 'error_interno'

/** 409 `limite_del_plan` for the first thing that a client would have too much of. */
export function requireFits(excess: Excess[]): void {
  const [first] = excess
  if (first) throw new AppError('limite_del_plan', first)
}

import { AppError } from '../endpoint/errors.ts'
import { storedFault } from '../text/stored-faults.ts'

/** 409: what the other node lacks. */
export const inTheWay = (impide: string[]) => new AppError('mudanza_impedida', { impide })

/** The fault of a move whose other node did nothing while the client was closed. */
export const alone = () => storedFault({ codigo: 'mudanza_sola' })

/** The code of a refusal; anything else is thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.codigo
  throw error
}

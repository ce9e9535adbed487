import { AppError } from '../../lib/endpoint/errors.ts'

/** Status and code of what a decision refuses with; null where it does not refuse. */
export function refusal(decide: () => unknown): [number, string] | null {
  try {
    decide()
    return null
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.codigo]
    throw error
  }
}

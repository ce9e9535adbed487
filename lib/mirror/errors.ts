import { AppError } from '../endpoint/errors.ts'
import type { Observation } from './eligibility.ts'

/** A zone that leads elsewhere, with what was seen and what was expected. */
export function notHere(observations: readonly Observation[], expected: readonly string[]): AppError {
  return new AppError('zona_no_resuelve_aqui', {
    visto: [...new Set(observations.flatMap(({ visto }) => visto))],
    esperado: [...expected],
    respuestas: observations.map(({ resolver, resultado, visto }) => ({ resolver, resultado, visto })),
  })
}

/** An account without room for one zone more. */
export function accountFull(used: number | null, limit: number | null): AppError {
  return new AppError('cuota_de_zonas', { usadas: used, limite: limit })
}

import type { OutputOf } from '../../api/operations.ts'

export type Summary = OutputOf<'GET /api/resumen'>
export type SetupPoint = Summary['puesta_en_marcha'][number]

import type { OutputOf } from '../../api/operations.ts'

export type Me = OutputOf<'GET /api/yo'>

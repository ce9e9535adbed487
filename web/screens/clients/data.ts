import type { OutputOf } from '../../api/operations.ts'

export type ClientData = OutputOf<'GET /api/clientes/:cliente'>

import type { ItemOf } from '../../api/operations.ts'

export type Node = ItemOf<'GET /api/nodos'>

import type { ItemOf } from '../../api/operations.ts'

export type Token = ItemOf<'GET /api/tokens'>

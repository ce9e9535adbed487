import type { ItemOf } from '../../api/operations.ts'

export type Admin = ItemOf<'GET /api/personas'>

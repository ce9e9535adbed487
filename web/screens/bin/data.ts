import type { ItemOf } from '../../api/operations.ts'

export type Deleted = ItemOf<'GET /api/papelera'>

import type { OutputOf } from '../../api/operations.ts'

export type Account = OutputOf<'GET /api/dns/proveedor'>

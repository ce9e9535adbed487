import type { ItemOf, OutputOf } from '../../api/operations.ts'

export type Server = OutputOf<'GET /api/clientes/:cliente/cuentas-sftp'>['servidor']
export type Account = ItemOf<'GET /api/clientes/:cliente/cuentas-sftp'>

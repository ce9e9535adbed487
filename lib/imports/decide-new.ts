import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'

/** Whether a client's archive can be looked at or imported: its programs run, and no other import of it does. */
export function decideNewImport({ client, isRunning }: { client: Client; isRunning: boolean }): void {
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  if (isRunning) throw new AppError('ya_en_curso')
}

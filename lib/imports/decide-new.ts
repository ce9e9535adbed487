import type { zones } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'

/** Whether a client's archive can be looked at or imported: its programs run, and no other import of it does. */
export function decideNewImport({ client, isRunning }: { client: Client; isRunning: boolean }): void {
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  if (isRunning) throw new AppError('ya_en_curso')
}

/**
 * Refuses to replace the records of a zone that the client has changed, that it made itself or that is another's by
 * now: only one that this import made, or that came with a site and is as it came, is filled.
 */
export function requireUntouched(
  zone: Pick<typeof zones.$inferSelect, 'clientId' | 'siteId' | 'customised'>,
  by: { clientId: number; made: boolean },
): void {
  if (zone.clientId !== by.clientId) throw new AppError('zona_no_existe')
  if (zone.customised || !(by.made || zone.siteId !== null)) throw new AppError('ya_existe')
}

import { BackupFault } from '../../../lib/endpoint/ports/backups.ts'
import { DatabaseAway } from '../../database/remote/round-trip.ts'
import { innermost, plainFault } from '../../http/errors.ts'
import { typed } from './output.ts'

/**
 * One line about a fault that no command expects: what happened, where in the panel's own files, and what tells
 * more.
 */
export function faultLine(command: string, error: unknown): string {
  const at = innermost(error)
  if (at instanceof DatabaseAway || at instanceof BackupFault) return at.message
  const place = at instanceof Error ? ownPlace(at.stack ?? '') : null
  const said = `${typed(command)}: ${plainFault(at).replace(/\.$/, '')}${place ? ` (${place})` : ''}.`
  // Nothing else of the panel is on a machine that is to become a node.
  if (command === 'recuperar') return said
  const more = command === 'doctor' ? "the panel's log" : `the panel's log and what '${typed('doctor')}' says`
  return `${said} See ${more}.`
}

/** The first of our own source lines in the stack. */
function ownPlace(stack: string): string | null {
  return /\/((?:deploy|lib|handlers|schema)\/[\w./-]+\.ts:\d+)/.exec(stack)?.[1] ?? null
}

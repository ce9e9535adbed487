import { DatabaseAway } from '../../remote/round-trip.ts'
import { typed } from './output.ts'

/**
 * One line about a fault that no command expects: what happened, where in the panel's own files, and what tells
 * more. The innermost one is told, since what wraps it quotes the statement's parameters.
 */
export function faultLine(command: string, error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  const message = (at instanceof Error ? at.message : String(at)).replace(/\s*\n\s*/g, ' ')
  if (at instanceof DatabaseAway) return message
  const place = at instanceof Error ? ownPlace(at.stack ?? '') : null
  const more = command === 'doctor' ? "the panel's log" : `the panel's log and what '${typed('doctor')}' says`
  return `${typed(command)}: ${message}${place ? ` (${place})` : ''}. See ${more}.`
}

/** The first of our own lines that it came through. */
function ownPlace(stack: string): string | null {
  return /\/((?:deploy|lib|handlers|schema)\/[\w./-]+\.ts:\d+)/.exec(stack)?.[1] ?? null
}

import type { DatabaseLimits } from '../config.ts'
import type { Session } from './sessions.ts'

/** A statement that was told to end and goes on for so many times as long as one may last does not end by itself. */
const TIMES = 5
/** For the server's orderly end, which such a statement mostly keeps it from; its files bear the other one too. */
const END_MS = 5_000

type Options = {
  limits: Pick<DatabaseLimits, 'statementSeconds'>
  /** The server's process; null while it does not run. */
  pid(): number | null
  /** Keeps the client of an account away from the server for a while. */
  keepOut(owner: string, why: string): Promise<void>
  report(message: string): void
}

/**
 * Ends what the server itself cannot: inside of some functions (XML, shapes) it looks at no order to end, for hours, and
 * such a statement takes a processor and keeps the locks of its tables, even past the deletion of its client. The server
 * is started again, which takes seconds, and the client is kept out.
 */
export function endsUnending({ limits, pid, keepOut, report }: Options) {
  let ending: number | null = null
  return async (sessions: readonly Session[]): Promise<void> => {
    const mostMs = TIMES * limits.statementSeconds * 1000
    const found = sessions.filter(({ isKilled, ms }) => isKilled && ms > mostMs)
    const server = pid()
    if (found.length === 0 || server === null || server === ending) return
    ending = server
    const owners = [...new Set(found.map(({ owner }) => owner))]
    report(`statements of ${owners.join(', ')} do not end: MariaDB is started again`)
    for (const owner of owners) await keepOut(owner, 'had statements that do not end')
    signal(server, 'SIGTERM')
    setTimeout(() => {
      if (pid() === server) signal(server, 'SIGKILL')
    }, END_MS).unref()
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

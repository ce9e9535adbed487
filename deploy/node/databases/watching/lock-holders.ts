import type { Administration } from '../connection.ts'

/** The accounts of clients whose base a dump waits for because a table of it is locked. */
const HOLDERS = `SELECT DISTINCT m.User AS owner FROM information_schema.processlist p
  JOIN mysql.db m ON REPLACE(m.Db, '\\\\', '') = p.db AND m.Host = 'localhost' AND m.User <> 'mysql'
  WHERE p.user = 'mysql' AND p.state LIKE 'Waiting for table metadata lock%' AND p.time_ms > 3000`

/**
 * Sessions that have tables locked while they do nothing, where a dump waits for them: no limit ends such a lock, and the
 * few dumps and copies that a node makes at a time would wait with it, those of other clients too.
 */
export async function lockHolders<S extends { id: number; owner: string; isBusy: boolean }>(
  { run }: Administration,
  sessions: readonly S[],
  timeoutMs: number,
): Promise<number[]> {
  const idle = sessions.filter(({ isBusy }) => !isBusy)
  if (idle.length === 0) return []
  const owners = new Set((await run(HOLDERS, timeoutMs)).map(({ owner }) => String(owner)))
  return idle.flatMap(({ id, owner }) => (owners.has(owner) ? [id] : []))
}

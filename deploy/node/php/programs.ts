import type { DesiredClient } from '../../../lib/endpoint/node-port.ts'
import type { Layout } from '../files/layout.ts'
import type { Endings } from '../users/endings.ts'
import type { Php } from './pools.ts'
import { readWanted } from './wanted.ts'

type Parts = { layout: Layout; php: Php; endings: Endings }

/** Has the client's PHP listen, or end, and holds whatever else runs as the client to its limits. */
export async function syncPrograms(
  { layout, php, endings }: Parts,
  client: DesiredClient,
  { wanted, isNew }: { wanted: string[]; isNew: boolean },
): Promise<void> {
  const { clientId, suspended, limits } = client
  const hadPhp = (readWanted(layout, clientId)?.versions.length ?? 0) > 0
  if (!isNew && wanted.length === 0 && (suspended || hadPhp)) await endings.all(clientId)
  if (wanted.length > 0) await php.ensureClient(clientId, wanted, limits)
  else if (!suspended) await php.admit(clientId, limits)
}

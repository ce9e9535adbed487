import { existsSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { selectDamaged } from '../../../lib/backups/damage/damaged.ts'
import { isLate } from '../../../lib/backups/decide-retention.ts'
import { type DestinationRow, nodeRepository } from '../../../lib/backups/destination/destination.ts'
import { spoiltClients, standingFault } from '../../../lib/backups/destination/fault.ts'
import { requireOwn } from '../../../lib/backups/destination/owner.ts'
import { lastCopies } from '../../../lib/backups/facts.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { faultOf, faultText, storedFaultText } from '../../../lib/text/stored-faults.ts'
import { counted } from '../../../lib/text/words.ts'
import { backupDestinations } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { ownersIn } from '../backups/node-copy.ts'
import { RESTIC } from '../backups/restic.ts'
import { copiesIn } from '../backups/start.ts'
import { type Places, preparePlaces } from '../backups/target.ts'
import { adviceCheck, type Check, checkOf } from '../services/check-view.ts'

const CLIENTS = 'copias de clientes'
const NAMED = 5
const OPENED_MS = 50_000

/** How old the last good copies are; nothing where copies go nowhere. */
export async function copyChecks(services: Services, nodeConfig: NodeConfig): Promise<Check[]> {
  const { db, config, now } = services
  const its = eq(backupDestinations.node, config.node ?? '')
  const destination = await db.read.select().from(backupDestinations).where(its).get()
  if (!destination) return []
  const { nodeCopiedAt, checkedAt } = destination
  const rows = await db.read.select().from(lastCopies(db.read, destination.node))
  const spoilt = await selectDamaged(db.read, destination.node)
  return [
    ...(await destinationCheck(services, nodeConfig, destination)),
    clientCopies(rows, now()),
    checkOf('copias dañadas', spoilt.length > 0 ? spoiltClients(spoilt, 'en') : null),
    checkOf(
      'copia del nodo',
      isLate(nodeCopiedAt ?? checkedAt, now())
        ? `the last one is of ${nodeCopiedAt?.toISOString() ?? 'never'}: run the scheduled handler copia_nodo and see what it says`
        : null,
    ),
  ]
}

/** Whether the destination opens right now, and is no other panel's: before copies are late, too. It is only looked at. */
async function destinationCheck(
  services: Services,
  config: NodeConfig,
  row: DestinationRow,
): Promise<Check[]> {
  if (process.getuid?.() !== 0 || !existsSync(RESTIC)) return []
  const places: Places = { directory: copiesIn(config), test: services.config.test }
  const look = async () => {
    preparePlaces(places)
    const repository = await nodeRepository(services, row)
    const signal = AbortSignal.timeout(OPENED_MS)
    const backups = { owners: () => ownersIn(places, repository, signal) }
    await requireOwn(services, { backups, repository, signal }, row.node)
  }
  const fault = await look().then(
    () => notedFault(row, services.now()),
    (error: unknown) => `${faultText(faultOf(error), 'en')} (${rootMessage(error)})`,
  )
  return [checkOf('destino de copias', fault)]
}

/** One that opens may have no space left, or take nothing for another reason. */
function notedFault(row: DestinationRow, now: Date): string | null {
  const standing = standingFault(row, now)
  if (standing === null) return null
  const { fault, whose, at } = standing
  return `${storedFaultText(fault, 'en')} (not copied: ${whose}, ${at.toISOString()})`
}

/** Clients without a good copy for too long, or without any where copies go now. */
export function clientCopies(rows: { name: string; since: number; good: number | null }[], now: Date): Check {
  const late = rows.filter(({ since }) => isLate(new Date(since), now))
  const none = rows.filter(({ good }) => good === null)
  if (late.length > 0) {
    const oldest = new Date(Math.min(...late.map(({ since }) => since))).toISOString()
    return checkOf(
      CLIENTS,
      `${counted(late.length, 'client')} without a complete copy of the last two nights (${listed(late)}), the oldest since ${oldest}: GET /api/clientes/<client>/copias says why`,
    )
  }
  if (none.length === 0) return checkOf(CLIENTS, null)
  const them = none.length === 1 ? 'it' : 'them'
  return adviceCheck(
    CLIENTS,
    `${counted(none.length, 'client')} without a copy at this destination yet (${listed(none)}): the next night makes ${them}`,
  )
}

const listed = (clients: { name: string }[]) =>
  clients
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(', ') + (clients.length > NAMED ? ', …' : '')

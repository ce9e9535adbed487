import { eq } from 'drizzle-orm'
import { sites } from '../../../schema/tables.ts'
import { desiredClient } from '../../clients/serve.ts'
import { parseZoneFile } from '../../dns/zonefile/zonefile.ts'
import type { Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { Step } from '../../endpoint/node-port.ts'
import type { ImportArchive, ImportOrigin, Imports } from '../../endpoint/ports/imports.ts'
import { hostName } from '../../text/host-names.ts'
import { requireDriver } from '../../work/driver.ts'
import { type Contents, type Listing, type ReadContents, requireBounded } from './contents.ts'
import { cpanelContents, cpanelListing } from './cpanel.ts'
import { hestiaContents, hestiaListing } from './hestia.ts'

const FORMATS: Record<ImportOrigin, { listing: () => Listing; contents: (listing: Listing) => Contents }> = {
  hestia: { listing: hestiaListing, contents: hestiaContents },
  cpanel: { listing: cpanelListing, contents: cpanelContents },
}

export function requireImports(services: Services): Imports {
  const { imports } = requireDriver(services)
  if (!imports) throw new AppError('no_disponible')
  return imports
}

/** A client without sites is on its node from its first program on. */
export async function prepareClient(services: Services, clientId: number, step: Step): Promise<void> {
  const held = await services.db.read
    .select({ id: sites.id })
    .from(sites)
    .where(eq(sites.clientId, clientId))
    .get()
  const client = held ? null : await desiredClient(services, clientId)
  if (client) await requireDriver(services).syncClient(client, step)
}

/** What an archive says of itself; 422 `importacion_no_reconocida` where it is not of that panel. */
export async function readContents(
  imports: Imports,
  { archive, origin }: { archive: ImportArchive; origin: ImportOrigin },
  signal: AbortSignal,
): Promise<ReadContents> {
  const { listing, contents } = FORMATS[origin]
  const list = listing()
  await imports.read(archive, list, signal)
  const found = contents(list)
  if (found.sites.length + found.databases.length + found.zones.length + found.left.length === 0)
    throw new AppError('importacion_no_reconocida')
  requireBounded(found)
  return { ...found, zones: await zonesIn(found) }
}

async function zonesIn({ zones }: Contents): Promise<ReadContents['zones']> {
  const read: ReadContents['zones'] = []
  for (const { name, text } of zones) {
    const host = hostName(name)
    read.push({ name, ...(host === null ? { rrsets: [], refused: [] } : parseZoneFile(text, host)) })
    // Others get their turn between two zones.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return read
}

import { lstatSync } from 'node:fs'
import { and, eq, inArray } from 'drizzle-orm'
import { comingBack, selectUnrestored } from '../../../lib/backups/recover.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { counted } from '../../../lib/text/words.ts'
import { clients, sites } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { baseDirectory } from '../driver.ts'
import { createLayout } from '../files/layout.ts'

const NAMED = 20

/**
 * What to do about sites that are served and whose directory is away, as after a restore of the database alone; or null,
 * also where a recovery is to make them.
 */
export async function missingDirectories(
  { db, config }: Pick<Services, 'db' | 'config'>,
  node: NodeConfig,
): Promise<string | null> {
  const coming = comingBack(await selectUnrestored(db.read))
  const served = await db.read
    .select({ domain: sites.domain, clientId: sites.clientId, siteId: sites.id, client: clients.name })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(and(eq(clients.node, config.node ?? ''), inArray(sites.state, ['activo', 'suspendido'])))
    .orderBy(sites.domain)
  if (served.length === 0) return null
  const base = baseDirectory(node, 'web')
  const layout = createLayout(base)
  const away = served.filter(
    ({ client, clientId, siteId }) => !coming.has(client) && !isDirectory(layout.publicOf(clientId, siteId)),
  )
  if (away.length === 0) return null
  const more = away.length > NAMED ? ` and ${away.length - NAMED} more` : ''
  const names = away.slice(0, NAMED).map(({ domain }) => domain)
  return `${counted(away.length, 'site')} without a directory, answered with 404: ${names.join(', ')}${more}. Copy the sites' files of the original (its data/web/c) to ${layout.clients} with their owners, and start the panel again`
}

const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

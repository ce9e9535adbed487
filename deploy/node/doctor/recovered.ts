import { readdirSync, readFileSync } from 'node:fs'
import { and, eq, inArray, lt, ne } from 'drizzle-orm'
import { comingBack, recoveredWithout, selectUnrestored } from '../../../lib/backups/recover.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { clients, sites } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { baseDirectory, userRange } from '../driver.ts'
import { isHere } from '../files/clients.ts'
import { createLayout, type Layout } from '../files/layout.ts'
import type { Check } from '../services/check-view.ts'
import { servingFrom } from '../services/presence.ts'
import { foreignUser, ownUsers } from '../users/users.ts'
import { decideRecovered, decideUsers, type Unrestored } from './decide-recovered.ts'

/** What is not as it should be after the loss of a node, or of a part of it. */
export async function recoveredChecks(services: Services, config: NodeConfig): Promise<Check[]> {
  const { db } = services
  const layout = createLayout(baseDirectory(config, 'web'))
  const unrestored = await selectUnrestored(db.read)
  const without = await recoveredWithout(db.read)
  const held = await db.read
    .select({ domain: sites.domain, clientId: sites.clientId, siteId: sites.id })
    .from(sites)
    .where(and(inArray(sites.domain, without), ne(sites.state, 'eliminando')))
  const empty = held.filter(({ clientId, siteId }) => isEmpty(layout.publicOf(clientId, siteId)))
  const waits = isStartAwaited(config, unrestored)
  const domains = empty.map(({ domain }) => domain)
  return [
    ...(waits ? [] : await userChecks(services, config, { layout, coming: comingBack(unrestored) })),
    ...decideRecovered(unrestored, domains, waits),
  ]
}

/** Whether the start of the panel is to bring back, with users and directories, what a lost node held. */
const isStartAwaited = ({ dataDir }: NodeConfig, unrestored: Unrestored[]) =>
  servingFrom(dataDir).length === 0 && comingBack(unrestored).size > 0

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0
  } catch {
    // One that is missing is told of as such.
    return false
  }
}

async function userChecks(
  { db, now, config: panel }: Services,
  node: NodeConfig,
  { layout, coming }: { layout: Layout; coming: Set<string> },
): Promise<Check[]> {
  if (process.getuid?.() !== 0) return []
  // Those of a new client are about to be made.
  const before = new Date(now().getTime() - 60_000)
  const owners = await db.read.selectDistinct({ id: sites.clientId }).from(sites)
  const withSite = new Set(owners.map(({ id }) => id))
  const all = await db.read
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(
      and(
        eq(clients.node, panel.node ?? ''),
        inArray(clients.state, ['activo', 'suspendido']),
        lt(clients.createdAt, before),
      ),
    )
    .orderBy(clients.name)
  const files = { passwd: readFileSync('/etc/passwd', 'utf8'), group: readFileSync('/etc/group', 'utf8') }
  const users = userRange({ panel, node })
  // A client without a site has a user from the moment on that it needs one.
  const here = all.filter(({ id, name }) => !coming.has(name) && (withSite.has(id) || isHere(layout, id)))
  return decideUsers(here, ownUsers(users, layout.client, files), (clientId) =>
    foreignUser(users, { clientId, home: layout.client(clientId) }, files.passwd),
  )
}

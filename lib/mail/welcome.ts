import { and, asc, eq, sql } from 'drizzle-orm'
import { clients, type mails, nodes, siteNames, sites, zones } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { welcomed, welcomeValues } from '../text/mail-frame.ts'

type Mail = Pick<typeof mails.$inferSelect, 'kind' | 'payload'>

/** What a customer's first mail tells beside its link: how to connect the first site. Nothing for other mails. */
export async function welcomeOf(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { kind, payload }: Mail,
): Promise<Record<string, string>> {
  if (kind !== 'activacion') return {}
  const zone = sql`(select ${zones.id} from ${zones} where ${zones.clientId} = ${sites.clientId}
    and (${sites.domain} = ${zones.name} or ${sites.domain} like '%.' || ${zones.name}) limit 1)`
  const rows = await db.read
    .select({
      name: clients.displayName,
      node: clients.node,
      domain: sites.domain,
      zone,
      siteName: siteNames.name,
      addresses: nodes.addresses,
      nameServers: nodes.nameServers,
    })
    .from(clients)
    .leftJoin(sites, and(eq(sites.clientId, clients.id), eq(sites.id, firstSite)))
    .leftJoin(siteNames, eq(siteNames.siteId, sites.id))
    .leftJoin(nodes, eq(nodes.name, clients.node))
    .where(eq(clients.name, welcomed(payload)))
    .orderBy(asc(siteNames.alias), asc(siteNames.position))
  const [row] = rows
  if (!row) return {}
  // This node is known from its configuration, since its row may be older than that.
  const here = row.node === config.node ? config : row
  return welcomeValues({
    name: row.name,
    domain: row.domain,
    nameServers: row.zone === null ? [] : (here.nameServers ?? []),
    names: rows.flatMap(({ siteName }) => siteName ?? []),
    addresses: here.addresses ?? [],
  })
}

const firstSite = sql`(select min(${sites.id}) from ${sites} where ${sites.clientId} = ${clients.id})`

import { eq, sql } from 'drizzle-orm'
import { lostNodes, nodes } from '../../schema/tables.ts'
import type { RunCtx } from '../endpoint/context.ts'
import type { KnownNode, NodeFacts } from './decide.ts'
import { isAbsent } from './decide.ts'
import { offersBy } from './offers.ts'
import { ownNames, toldHosts } from './own-names.ts'

/** All nodes; this one from its configuration, since its row may be older than that. */
export async function nodeFacts({
  tx,
  config,
  driver,
  now,
}: Pick<RunCtx, 'tx' | 'config' | 'driver' | 'now'>): Promise<NodeFacts> {
  const { node: here, addresses, nameServers } = config
  const [rows, hosts, lost] = await Promise.all([
    tx
      .select({
        name: nodes.name,
        addresses: nodes.addresses,
        nameServers: nodes.nameServers,
        origin: nodes.origin,
        seenAt: nodes.seenAt,
        offers: sql<string | null>`json_extract(${nodes.capacity}, '$.offers')`,
      })
      .from(nodes),
    toldHosts(tx, now()),
    here === null ? undefined : tx.select().from(lostNodes).where(eq(lostNodes.name, here)).get(),
  ])
  const known = new Map<string, KnownNode>()
  for (const { name, offers, seenAt, ...row } of rows) {
    known.set(name, { ...row, offers: offers && JSON.parse(offers), present: !isAbsent(seenAt, now()) })
  }
  if (here !== null) {
    const offers = driver ? offersBy(driver) : (known.get(here)?.offers ?? null)
    // This node is present, unless it was given up and does not know it yet.
    known.set(here, { addresses, nameServers, offers, present: lost === undefined })
  }
  const unknown = { addresses, nameServers, offers: null, present: false }
  return { nodes: known, unknown, own: ownNames(config, rows, hosts) }
}

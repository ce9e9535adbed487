import { eq } from 'drizzle-orm'
import { nodes } from '../schema/tables.ts'
import type { Ctx } from './context.ts'
import type { NodeDriver } from './node.ts'

/** What a node can give to its clients' sites. */
export type Offers = {
  /** PHP versions to choose from, ascending. */
  php: string[]
  certificates: boolean
}

/** What this node's driver offers, as the node's row tells it to hosts without one. */
export function offersBy(driver: Pick<NodeDriver, 'phpVersions' | 'issuesCertificates'>): Offers {
  return { php: driver.phpVersions(), certificates: driver.issuesCertificates }
}

/** What a client's node offers: known here on a node, told by its row on a function host; null when untold. */
export async function offersOf(
  { driver, tx }: Pick<Ctx, 'driver' | 'tx'>,
  client: { node: string },
): Promise<Offers | null> {
  if (driver) return offersBy(driver)
  const row = await tx
    .select({ capacity: nodes.capacity })
    .from(nodes)
    .where(eq(nodes.name, client.node))
    .get()
  return row?.capacity?.offers ?? null
}

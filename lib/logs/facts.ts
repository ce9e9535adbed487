import { isCustomer } from '../endpoint/access.ts'
import type { ReadCtx } from '../endpoint/context.ts'
import type { LogPlace, SiteLogs } from '../endpoint/ports/logs.ts'
import { visibleSite } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import { decideLogs } from './decide.ts'

type Reader = Pick<ReadCtx, 'actor' | 'config' | 'driver'>

/** The logs of a site, and what of them is asked for; throws where the actor may not read them, or may no longer. */
export async function siteLogs(
  { actor, config, driver }: Reader,
  db: Db,
  { domain, kind }: { domain: string; kind: LogPlace['kind'] },
): Promise<{ logs: SiteLogs; at: LogPlace }> {
  const facts = await visibleSite(db, actor, domain)
  const host = { here: config.node, driver, isCustomer: isCustomer(actor) }
  const { site, client, logs } = decideLogs(facts, host)
  return { logs, at: { clientId: client.id, siteId: site.id, kind } }
}

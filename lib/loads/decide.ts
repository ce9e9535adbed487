import { type Client, requireChangeable } from '../clients/decide.ts'
import { type Database, requireDatabase } from '../databases/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import type { DatabaseLoad } from '../endpoint/ports/loads.ts'
import { type Plan, requireFunction } from '../plans/decide.ts'
import type { Site } from '../sites/decide.ts'

/** A base that a dump is to be loaded into, with all that decides on it. */
export type LoadFacts = {
  database: Database
  client: Client
  plan: Plan | null
  /** Of the same client, where the dump lies. */
  site: Site | null
  /** Bytes of the client's other bases, as last measured. */
  others: number
}

/** Whether a base can be loaded into from `here`, null being a host without a node; answers what there is room for. */
export function decideLoad<F extends Omit<LoadFacts, 'site'>>(
  facts: F | undefined,
  here: string | null,
): F & { room: DatabaseLoad['room'] } {
  const known = requireDatabase(facts)
  const { database, client, plan, others } = known
  requireChangeable(client, here)
  // Its programs do not run, and what loads for it is one of them.
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  requireFunction(plan, 'bases')
  if (database.state === 'preparando') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
  const limit = plan?.databaseBytes ?? null
  const room = limit === null ? null : { bytes: Math.max(limit - others, 0), held: others, limit }
  return { ...known, room }
}

/** The same before it is begun, of a dump in one of the client's sites. */
export function decideNewLoad(facts: LoadFacts | undefined, here: string | null): LoadFacts & { site: Site } {
  const known = decideLoad(facts, here)
  if (known.database.loading) throw new AppError('ya_en_curso')
  return { ...known, site: requireSite(known.site) }
}

/** The site that a dump lies in; one that is missing has no files. */
export function requireSite(site: Site | null): Site {
  if (!site || site.state === 'eliminando') throw new AppError('archivo_no_existe', {}, { status: 409 })
  return site
}

import type { Client } from '../clients/decide.ts'
import { decideDatabase } from '../databases/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import { type Plan, requireFunction } from '../plans/decide.ts'
import { decideSite, type NewSite, type NewSiteFacts, type Site, type WantedSite } from '../sites/decide.ts'
import {
  type Application,
  type ApplicationFacts,
  freeName,
  type InstallationFacts,
  requireAdmits,
  requireApplication,
  requirePhp,
} from './decide.ts'

/** An application, its new site's names, and what stands under that name already. */
export type CloneFacts = InstallationFacts & { names: NewSiteFacts; target: ApplicationFacts | undefined }

export type NewClone = {
  source: { site: Site; client: Client; application: Application }
  /** The site that is made for it; null where the client has made it before. */
  made: NewSite | null
  siteId: number
  database: string
}

/** A copy of an application in a new site, or in one of the same client that holds nothing yet. */
export function decideClone(
  { found, room, nodes, exhausted, held, names, target }: CloneFacts,
  here: string | null,
  wanted: Pick<WantedSite, 'domain' | 'proof' | 'language'>,
): NewClone {
  const source = requireApplication(found, here)
  const { site, client, application } = source
  requireAdmits(application, 'clonar')
  requireFunction(room.plan, 'aplicaciones')
  requireFunction(room.plan, 'php')
  const php = requirePhp(site)
  const decided = decideSite(names, client, { ...wanted, aliases: [], force: false })
  if (target?.application) throw new AppError('ya_existe')
  if (decided === null && target) requirePhp(target.site)
  decideDatabase({ existing: undefined, room, nodes, exhausted }, client)
  const siteId = decided?.id ?? names.existing?.id ?? names.nextId
  const made = decided && { ...decided, php }
  return { source, made, siteId, database: freeName(client.name, `wp${siteId}`, held) }
}

export type Publishing = {
  clone: { site: Site; client: Client; application: Application }
  original: { site: Site; client: Client; application: Application }
}

/** A clone whose content goes back to where it was copied from, both at rest. */
export function decidePublication(
  facts: { found: ApplicationFacts | undefined; target: ApplicationFacts | undefined; plan: Plan | null },
  here: string | null,
): Publishing {
  const clone = requireApplication(facts.found, here)
  requireFunction(facts.plan, 'aplicaciones')
  requirePhp(clone.site)
  const { target } = facts
  if (!target?.application || target.site.state === 'eliminando') throw new AppError('no_es_clon')
  const original = requireApplication(target, here)
  requirePhp(original.site)
  return { clone, original }
}

/** An application into which a publication can be taken back. */
export function decideTakingBack(
  { found, plan }: { found: ApplicationFacts | undefined; plan: Plan | null },
  here: string | null,
) {
  const known = requireApplication(found, here)
  requireFunction(plan, 'aplicaciones')
  requirePhp(known.site)
  if (known.application.restorePoint === null) throw new AppError('nada_que_deshacer')
  return known
}

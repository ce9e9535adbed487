import type { applications, databases } from '../../schema/tables.ts'
import { type Client, requireAtRest, requireOwnNode } from '../clients/decide.ts'
import { decideDatabase } from '../databases/decide.ts'
import { shortName } from '../databases/names.ts'
import type { Actor } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { ApplicationKind, ApplicationPlace } from '../endpoint/ports/applications.ts'
import type { NodeFacts } from '../nodes/decide.ts'
import { hasRoom, type Plan, requireFunction, requireSpace } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { type Site, webRootOf } from '../sites/decide.ts'
import { emailKey } from '../text/email-address.ts'
import { MANIFESTS } from './manifests/index.ts'

export type Application = typeof applications.$inferSelect

/** A site with what is known of its application. */
export type ApplicationFacts = {
  site: Site
  client: Client
  application: Application | null
  /** The domain of the site that it is a clone of. */
  original: string | null
}

/** What an installation stands on beside its site. */
export type InstallationFacts = {
  found: ApplicationFacts | undefined
  room: Room
  nodes: NodeFacts
  exhausted: 'disco' | 'inodos' | null
  /** The client's databases. */
  held: Pick<typeof databases.$inferSelect, 'name'>[]
}

/** A site whose application may be worked on from `here`: 404 for none, 409 where its programs do not run. */
export function requireSite(found: ApplicationFacts | undefined, here: string | null): ApplicationFacts {
  if (!found || found.site.state === 'eliminando') throw new AppError('sitio_no_existe')
  const { client } = found
  if (client.state === 'eliminando') throw new AppError('cliente_eliminandose')
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  requireOwnNode(client, here)
  requireAtRest(client)
  return found
}

/** A site of this node whose application is at rest: 404 for none, 409 while work on it goes on. */
export function requireApplication(found: ApplicationFacts | undefined, here: string | null) {
  const known = requireSite(found, here)
  const { application } = known
  if (application === null || application.state === 'instalando') throw new AppError('aplicacion_no_existe')
  if (application.state !== 'activa') throw new AppError('ya_en_curso')
  return { ...known, application }
}

/** 409 for what cannot be done with this kind of application. */
export function requireAdmits({ kind }: Pick<Application, 'kind'>, what: 'sesion' | 'clonar'): void {
  if (!MANIFESTS[kind].admits.includes(what)) throw new AppError('aplicacion_no_lo_admite')
}

/** Where a site is visited. */
export const addressOf = ({ domain, certificateState }: Pick<Site, 'domain' | 'certificateState'>) =>
  `${certificateState === 'activo' ? 'https' : 'http'}://${domain}`

/** Whether one could be installed, so that a look at its folder decides. */
export const isOpen = (
  found: ApplicationFacts | undefined,
  here: string | null,
): found is ApplicationFacts & { site: { php: string } } =>
  found !== undefined &&
  found.application === null &&
  found.client.state === 'activo' &&
  found.client.node === here &&
  found.site.state !== 'eliminando' &&
  found.site.php !== null

/** Whether one could be brought to a newer version, so that a look at it decides. */
export const isUpdatable = (
  found: ApplicationFacts | undefined,
  here: string | null,
): found is ApplicationFacts & { application: Application } =>
  found?.application?.state === 'activa' &&
  found.client.state === 'activo' &&
  found.client.node === here &&
  found.site.state !== 'eliminando' &&
  found.site.php !== null

/** An application that is brought to its newest version; `seen` is null where it could not be looked at from here. */
export function decideUpdate(
  { found, plan }: { found: ApplicationFacts | undefined; plan: Plan | null },
  here: string | null,
  seen: { newest: string | null; version: string | null } | null,
) {
  const known = requireApplication(found, here)
  requireFunction(plan, 'aplicaciones')
  requirePhp(known.site)
  if (!seen) return known
  if (seen.newest === null) throw new AppError('aplicacion_no_disponible')
  if (seen.version !== null && !isNewer(seen.newest, seen.version)) throw new AppError('aplicacion_al_dia')
  return known
}

/** What an installation makes beside the application: its database, and whether a task of the site. */
export function decideInstallation(
  { found, room, nodes, exhausted, held }: InstallationFacts,
  here: string | null,
  kind: ApplicationKind,
): ApplicationFacts & { database: string; scheduled: boolean } {
  const { database, task } = MANIFESTS[kind]
  const known = requireSite(found, here)
  const { site, client, application } = known
  const { plan, consumed } = room
  requireFunction(plan, 'aplicaciones')
  requireFunction(plan, 'php')
  if (application) throw new AppError(application.state === 'instalando' ? 'ya_en_curso' : 'ya_existe')
  requirePhp(site)
  requireSpace(plan, consumed)
  if (database !== null) decideDatabase({ existing: undefined, room, nodes, exhausted }, client)
  const scheduled =
    task !== null &&
    (plan === null || plan.functions.includes('programadas')) &&
    hasRoom(plan, consumed, 'programadas')
  const named = database === null ? NO_DATABASE : freeName(client.name, `${database}${site.id}`, held)
  return { ...known, database: named, scheduled }
}

/**
 * Whoever reads the mail of an installation becomes the application's administrator. So a token, or an admin in a
 * customer's place, has it sent only where that customer is reached already (specification 5.2).
 */
export function requireKnownAddress(
  actor: Actor,
  { client, logins }: { client: Pick<Client, 'email'>; logins: { email: string | null }[] },
  wanted: string,
): void {
  const isPerson = actor.kind === 'session' && actor.impersonator === null
  const known = [client, ...logins].flatMap(({ email }) => (email === null ? [] : [emailKey(email)]))
  if (isPerson || known.includes(emailKey(wanted))) return
  throw new AppError(actor.kind === 'token' ? 'no_con_token' : 'prohibido')
}

/** The site with the PHP that it runs. */
export const placeOf = ({
  site,
  client,
  application,
}: Pick<ApplicationFacts, 'site' | 'client'> & {
  application: Pick<Application, 'kind'>
}): ApplicationPlace => ({
  kind: application.kind,
  clientId: client.id,
  siteId: site.id,
  domain: site.domain,
  root: webRootOf(site),
  php: requirePhp(site),
})

/** Whether a PHP is one that an application runs on; of one whose extensions are not told yet, its version decides. */
export function fits(kind: ApplicationKind, { version, has }: { version: string; has: string[] }): boolean {
  const { from, extensions } = MANIFESTS[kind].php
  return !isNewer(from, version) && (has.length === 0 || extensions.every((name) => has.includes(name)))
}

/** 409 where the site runs none. */
export function requirePhp({ php }: Pick<Site, 'php'>): string {
  if (php === null) throw new AppError('php_no_disponible')
  return php
}

/** What stands for the name of the database of an application that has none. */
export const NO_DATABASE = ''

/** The site's number in `own` keeps it from being another client's; one that is on its way out has its name still. */
export function freeName(client: string, own: string, taken: { name: string }[]): string {
  const first = `${shortName(client)}_${own}`
  const names = new Set(taken.map(({ name }) => name))
  let name = first
  for (let next = 2; names.has(name); next++) name = `${first}_${next}`
  return name
}

/** Whether a version comes after another, by its numbers, and by the letter of a correction. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) =>
    (text.match(/\d+|[a-z]+/g) ?? []).map((part) => (/\d/.test(part) ? Number(part) : part.charCodeAt(0))),
  )
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

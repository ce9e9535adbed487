import {
  type Client,
  decideNewClient,
  type NewClient,
  type NewClientFacts,
  requireChangeable,
  requireOwnNode,
} from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import { requireLoginAllowed } from '../identity/decide-login.ts'
import { requireThere } from '../nodes/decide.ts'
import { type Plan, requirePlan } from '../plans/decide.ts'
import {
  type AliasChange,
  decideAliases,
  decideSite,
  type NewSite,
  type NewSiteFacts,
  type Site,
  type WantedSite,
} from '../sites/decide.ts'
import { requireDistinct } from '../sites/decide-names.ts'
import { emailKey } from '../text/email-address.ts'
import { nameFromDomain } from '../text/host-names.ts'

export type Provision = {
  reference: string
  /** The client's name; left out, it is made from the domain. */
  name: string | undefined
  displayName: string | null | undefined
  email: string
  language: 'es' | 'en' | undefined
  /** Null takes it away, left out it stays. */
  plan: string | null | undefined
  /** Where a new client is to live; needed only on a host that is no node, when there are several. */
  node: string | undefined
  site: WantedSite
  /** False makes no login yet: the customer of a migration is told later. */
  withLogin: boolean
}

/** The facts for a provisioning. */
export type ProvisionFacts = {
  /** The client that has the reference. */
  known: Client | undefined
  fresh: NewClientFacts
  /** Names of clients that begin as the wished one. */
  namesakes: string[]
  nextClientId: number
  hasLogin: boolean
  site: NewSiteFacts
}

/** What a provisioning did, in the order in which it did it; empty when everything was there. */
type Done = (
  | 'cliente_creado'
  | 'cliente_actualizado'
  | 'plan_asignado'
  | 'sitio_creado'
  | 'sitio_actualizado'
  | 'acceso_creado'
)[]

export type Provisioned = {
  /** The client as it is to be. */
  client: Client
  /** Null where it is there already. */
  site: NewSite | null
  /** Null where the site lacks no alias. */
  aliases: { site: Site; change: AliasChange } | null
  done: Done
}

type By = Parameters<typeof decideNewClient>[2]

export const wishedName = ({ name, site }: Provision): string => name ?? nameFromDomain(site.domain)

/** What the client is to be where it is not there yet. */
export const newClientOf = (wanted: Provision, name: string): NewClient => ({
  cliente: name,
  referencia: wanted.reference,
  nombre: wanted.displayName,
  correo: wanted.email,
  plan: wanted.plan,
  idioma: wanted.language,
  nodo: wanted.node,
})

/** Decides what is missing of a client, its site, plan and login: repeating a provisioning changes nothing. */
export function decideProvision(facts: ProvisionFacts, wanted: Provision, by: By): Provisioned {
  const { client, done } = facts.known ? changedClient(facts, wanted, by) : newClient(facts, wanted, by)
  const room = { ...facts.site.room, plan: planFor(facts, wanted) }
  const site = decideSite({ ...facts.site, room }, client, wanted.site)
  if (site) done.push('sitio_creado')
  const aliases = decideMissing({ ...facts.site, room }, client, wanted.site)
  if (aliases) done.push('sitio_actualizado')
  if (wanted.withLogin && !facts.hasLogin) {
    const byToken = by.createdBy === 'token'
    requireLoginAllowed(client, { byToken, exists: false, email: wanted.email })
    done.push('acceso_creado')
  }
  return { client, site, aliases, done }
}

type Owner = Pick<Provisioned, 'client' | 'done'>

function newClient(facts: ProvisionFacts, wanted: Provision, by: By): Owner {
  // A name that the panel chooses itself is a free one.
  const name = wanted.name ?? freeName(wishedName(wanted), facts.namesakes)
  const change = decideNewClient(facts.fresh, newClientOf(wanted, name), by)
  if ('existing' in change) return { client: change.existing, done: [] }
  // Nothing of it is on the node yet: its first site brings user, pool and directories.
  const client = { id: facts.nextClientId, ...change.row }
  return { client, done: wanted.plan ? ['cliente_creado', 'plan_asignado'] : ['cliente_creado'] }
}

function changedClient(facts: ProvisionFacts, wanted: Provision, by: By): Owner {
  const known = requireChangeable(facts.known, by.here)
  requireThere(facts.site.names, known.node)
  requireOwnNode(known, wanted.node ?? null)
  if (wanted.name !== undefined && wanted.name !== known.name) throw new AppError('referencia_en_conflicto')
  if (known.email !== null && emailKey(known.email) !== emailKey(wanted.email))
    throw new AppError('correo_distinto')
  // The address becomes that of the login: a token gives one only to clients that tokens created.
  if (known.email === null && by.createdBy === 'token' && known.createdBy !== 'token')
    throw new AppError('solo_cuentas_de_token')
  const planId = wanted.plan === undefined ? known.planId : (planFor(facts, wanted)?.id ?? null)
  const displayName = wanted.displayName === undefined ? known.displayName : wanted.displayName
  const done: Done = []
  if (displayName !== known.displayName || known.email === null) done.push('cliente_actualizado')
  if (planId !== known.planId) done.push('plan_asignado')
  const client = { ...known, displayName, planId, email: known.email ?? wanted.email }
  return { client: done.length > 0 ? { ...client, updatedAt: by.now } : client, done }
}

/** The plan that the client will have. */
function planFor({ fresh, site }: ProvisionFacts, { plan }: Provision): Plan | null {
  if (plan === undefined) return site.room.plan
  return plan === null ? null : requirePlan(fresh.plan, plan, 409)
}

/** The wished name, or with the first number that makes it free. */
function freeName(wish: string, namesakes: string[]): string {
  const taken = new Set(namesakes)
  let name = wish
  for (let n = 2; taken.has(name); n++) name = `${wish}-${n}`
  return name
}

/** The aliases that a site lacks, beside those that it has; null where it lacks none. */
function decideMissing(
  facts: NewSiteFacts,
  client: Client,
  { domain, aliases = [], proof, language }: WantedSite,
): Provisioned['aliases'] {
  const site = facts.existing
  if (!site || aliases.length === 0) return null
  requireDistinct(domain, aliases, language)
  const [, ...present] = facts.present
  const missing = aliases.filter((name) => !present.includes(name))
  if (missing.length === 0) return null
  // A refusal names an alias by its place in the caller's own list.
  const others = present.filter((name) => !aliases.includes(name))
  const wanted = { aliases: [...aliases, ...others], order: [...present, ...missing], proof, language }
  return { site, change: decideAliases(facts, { site, client }, wanted) }
}

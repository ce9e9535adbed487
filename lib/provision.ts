import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { clients, nodes, plans } from '../schema/tables.ts'
import { applyClient, type Client, type Owner, requireHere } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { emailKey } from './email.ts'
import { AppError } from './errors.ts'
import { createLogin, loginOf } from './logins.ts'
import { nameFromDomain } from './names.ts'
import { askForClient, createClient, insertClient } from './new-client.ts'
import { askedNames, askForSite, createSite, replaceAliases } from './new-site.ts'
import { requirePresent } from './nodes.ts'
import { prefixEnd } from './page.ts'
import { findPlan } from './plans.ts'
import { nextOf } from './row-id.ts'
import { applySite, namesOf, requireDistinct, type Site } from './sites.ts'

export type Provision = {
  referencia: string
  cliente?: string | undefined
  nombre?: string | null | undefined
  correo: string
  domain: string
  aliases?: string[] | undefined
  plan?: string | null | undefined
  idioma?: 'es' | 'en' | undefined
  /** False makes no login yet: the customer of a migration is told later. */
  enviar?: boolean | undefined
  /** Where a new client is to live; needed only on a host that is no node, when there are several. */
  nodo?: string | undefined
}

/** What a provisioning did, in the order in which it did it; empty when everything was there. */
export type Done = (
  | 'cliente_creado'
  | 'cliente_actualizado'
  | 'plan_asignado'
  | 'sitio_creado'
  | 'sitio_actualizado'
  | 'acceso_creado'
)[]

/**
 * Client, site, plan, login and activation mail in the caller's one transaction. Repeated, it brings
 * about what is missing and nothing twice: a login that exists gets no second mail.
 */
export async function provision(ctx: WriteCtx, wanted: Provision): Promise<{ client: Client; done: Done }> {
  const done: Done = []
  const wantedSite = { domain: wanted.domain, aliases: wanted.aliases, force: false }
  const cliente = wanted.cliente ?? nameFromDomain(wanted.domain)
  const owner = ownerOf(ctx, wanted)
  await ctx.tx.ahead(
    () => clientOf(ctx, wanted.referencia),
    () => namesFrom(ctx, cliente),
    () => askForClient(ctx, { ...wanted, cliente }),
    () => loginOf(ctx.tx, owner),
    () => askForSite(ctx, owner, wantedSite),
    () => namesOf(ctx.tx, wanted.domain),
  )
  const known = await clientOf(ctx, wanted.referencia)
  const client = known ? await converge(ctx, known, wanted, done) : await begin(ctx, wanted, done)
  const site = await createSite(ctx, client, wantedSite)
  if (site.isNew) done.push('sitio_creado')
  else if (await addAliases(ctx, client, site.site, wanted.aliases ?? [])) done.push('sitio_actualizado')
  if (wanted.enviar !== false && !(await loginOf(ctx.tx, client))) {
    await createLogin(ctx, client, { correo: wanted.correo, idioma: wanted.idioma })
    done.push('acceso_creado')
  }
  return { client, done }
}

/** What the client will be to its site, before it is known whether there is one: all is asked for at once. */
function ownerOf({ tx, config }: WriteCtx, { referencia, plan, nodo }: Provision): Owner {
  const theirs = eq(clients.reference, referencia)
  const idOf = tx.select({ id: clients.id }).from(clients).where(theirs)
  const planOf = tx.select({ planId: clients.planId }).from(clients).where(theirs)
  const nodeOf = tx.select({ node: clients.node }).from(clients).where(theirs)
  const newId = tx.select({ id: sql`coalesce((${idOf}), ${nextOf('clients')})` }).from(clients)
  const namedPlan = plan ? tx.select({ id: plans.id }).from(plans).where(eq(plans.name, plan)) : planOf
  const anyNode = tx
    .select({ node: sql`coalesce((${nodeOf}), ${nodo ?? nodes.name})` })
    .from(nodes)
    .limit(1)
  return {
    id: tx.foresee(newId),
    planId: plan === null ? null : tx.foresee(namedPlan),
    node: config.node ?? tx.foresee(anyNode),
  }
}

async function begin(ctx: WriteCtx, wanted: Provision, done: Done): Promise<Client> {
  const { cliente } = wanted
  // A name of our own making is taken from the free ones, and no client has the reference.
  const client =
    cliente === undefined
      ? await insertClient(ctx, { ...wanted, cliente: await freeName(ctx, nameFromDomain(wanted.domain)) })
      : (await createClient(ctx, { ...wanted, cliente })).client
  done.push('cliente_creado')
  if (wanted.plan) done.push('plan_asignado')
  return client
}

async function converge(ctx: WriteCtx, client: Client, wanted: Provision, done: Done): Promise<Client> {
  requireHere(ctx, client)
  await requirePresent(ctx, client.node)
  if (wanted.nodo !== undefined && wanted.nodo !== client.node) {
    throw new AppError('cliente_en_otro_nodo', { nodo: client.node })
  }
  if (wanted.cliente !== undefined && wanted.cliente !== client.name)
    throw new AppError('referencia_en_conflicto')
  if (client.email !== null && emailKey(client.email) !== emailKey(wanted.correo)) {
    throw new AppError('correo_distinto')
  }
  const plan = wanted.plan ? await findPlan(ctx.tx, wanted.plan, 409) : null
  const planId = wanted.plan === undefined ? client.planId : (plan?.id ?? null)
  const displayName = wanted.nombre === undefined ? client.displayName : wanted.nombre
  if (displayName !== client.displayName || client.email === null) done.push('cliente_actualizado')
  if (planId !== client.planId) {
    done.push('plan_asignado')
    applyClient(ctx, client)
  }
  const set = { displayName, planId, email: client.email ?? wanted.correo }
  if (done.length > 0) {
    await ctx.tx
      .update(clients)
      .set({ ...set, updatedAt: ctx.now() })
      .where(eq(clients.id, client.id))
  }
  return { ...client, ...set }
}

/** Gives a site the aliases that it lacks; whether there were any. Its others stay, as all that it has. */
async function addAliases(ctx: WriteCtx, client: Client, site: Site, wanted: string[]): Promise<boolean> {
  if (wanted.length === 0) return false
  requireDistinct(ctx, site.domain, wanted)
  const [, ...present] = await namesOf(ctx.tx, site.domain)
  const missing = wanted.filter((name) => !present.includes(name))
  if (missing.length === 0) return false
  // What is refused is named by its place in the caller's own list.
  const others = present.filter((name) => !wanted.includes(name))
  await replaceAliases(ctx, { site, client }, [...wanted, ...others], {
    order: [...present, ...missing],
    asked: askedNames({ domain: site.domain, aliases: wanted }),
  })
  applySite(ctx, client, site.domain)
  return true
}

const clientOf = ({ tx }: WriteCtx, reference: string) =>
  tx.select().from(clients).where(eq(clients.reference, reference)).get()

const namesFrom = ({ tx }: WriteCtx, wish: string) =>
  tx
    .select({ name: clients.name })
    .from(clients)
    .where(and(gte(clients.name, wish), lt(clients.name, prefixEnd(wish))))

/** The wished name, or with the first number that makes it free. */
async function freeName(ctx: WriteCtx, wish: string): Promise<string> {
  const rows = await namesFrom(ctx, wish)
  const taken = new Set(rows.map(({ name }) => name))
  let name = wish
  for (let n = 2; taken.has(name); n++) name = `${wish}-${n}`
  return name
}

import { and, eq, sql } from 'drizzle-orm'
import type { PLACES } from '../../schema/states.ts'
import { clients, mirrors, nodes, siteNames, sites, zones } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Actor, Ctx, Resolver, ResolverAnswer, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { chargeCaller } from '../store/charge.ts'
import type { Db } from '../store/database.ts'
import { both, reading, readNow } from '../store/reading.ts'
import { askerOf } from './ask.ts'
import { delegationOf } from './delegation.ts'
import { plainAddress } from './judge.ts'
import { expectedServers } from './view.ts'

/** Where a name leads, as far as the resolvers tell. */
type Place = (typeof PLACES)[number]

export type SeenName = { name: string; place: Place; seen: string[] }

/** Each look takes queries to other people's servers. */
const LOOKS_PER_MINUTE = 30
/** A site's first names; each takes two questions to every resolver. */
const MOST_NAMES = 20
const MOST_SHOWN = 16
/** Two questions in a row stay below the five seconds of a request (docs/api.md, "Work on the node"). */
export const STEP_MS = 2_000

/** Refuses a caller that has the resolvers asked too often: 429. */
export const chargeLook = (services: Pick<Services, 'limits' | 'now'>, actor: Actor): void =>
  chargeCaller(services, actor, { name: 'conexion', limit: LOOKS_PER_MINUTE })

/** What the resolvers say of a site's names and of its zone's delegation; the panel's own server is not asked. */
export async function connectionOf(services: Services, ctx: Pick<Ctx, 'actor' | 'config'>, domain: string) {
  chargeLook(services, ctx.actor)
  const facts = await connectionFacts(services.db.read, ctx, domain)
  const { names, addresses, zone, servers } = facts
  const about = { zone: zone ?? '', expected: servers, ours: addresses, timeoutMs: STEP_MS }
  const [seen, delegation] = await Promise.all([
    seenNames(services.resolvers, names.slice(0, MOST_NAMES), addresses),
    zone === null ? null : delegationOf(services.resolvers, about),
  ])
  return { ...facts, seen, delegation }
}

async function connectionFacts(db: Db, { actor, config }: Pick<Ctx, 'actor' | 'config'>, domain: string) {
  const site = reading(selectPlace(db).where(and(eq(sites.domain, domain), visibleTo(actor))), ([row]) => {
    if (!row) throw new AppError('sitio_no_existe')
    return row
  })
  const names = reading(selectNames(db, domain), (rows) => rows.map(({ name }) => name))
  const [row, named] = await readNow(db, both(site, names))
  // This node is known from its configuration, since its row may be older than that.
  const here = row.node === config.node ? config : row
  const [addresses, nameServers, copies] = [here.addresses ?? [], here.nameServers ?? [], row.mirrors ?? []]
  const servers =
    row.zone === null ? [] : expectedServers({ zone: { name: row.zone }, nameServers, mirrors: copies })
  return { names: named, addresses, zone: row.zone, servers }
}

/** Where a site lives, and the zone that its domain is in. */
function selectPlace(db: Db) {
  const zone = sql`(select ${zones.id} from ${zones} where ${zones.clientId} = ${sites.clientId}
    and (${sites.domain} = ${zones.name} or ${sites.domain} like '%.' || ${zones.name})
    order by length(${zones.name}) desc limit 1)`
  const { addresses, nameServers } = nodes
  return db
    .select({ node: clients.node, addresses, nameServers, zone: zones.name, mirrors: mirrors.servers })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(nodes, eq(nodes.name, clients.node))
    .leftJoin(zones, eq(zones.id, zone))
    .leftJoin(mirrors, eq(mirrors.zoneId, zones.id))
}

/** Its domain and then its aliases. */
const selectNames = (db: Db, domain: string) =>
  db
    .select({ name: siteNames.name })
    .from(siteNames)
    .innerJoin(sites, eq(sites.id, siteNames.siteId))
    .where(eq(sites.domain, domain))
    .orderBy(siteNames.alias, siteNames.position)

/** Where each name leads: A and AAAA by every resolver, each question once. Never throws. */
export function seenNames(
  resolvers: readonly Resolver[],
  names: readonly string[],
  ours: readonly string[],
): Promise<SeenName[]> {
  const askers = resolvers.map((resolver) => askerOf(resolver))
  return Promise.all(
    names.map(async (name) => {
      const told = await Promise.all(askers.map((ask) => Promise.all([ask(name, 'A'), ask(name, 'AAAA')])))
      return { name, ...judgeName(told, ours) }
    }),
  )
}

/**
 * Where the resolvers that answered say that a name leads. They disagree while a change is on its way, since some
 * still keep what was there before.
 */
export function judgeName(
  told: readonly (readonly ResolverAnswer[])[],
  ours: readonly string[],
): Omit<SeenName, 'name'> {
  const expected = ours.map(plainAddress)
  const places = new Set(told.map((answers) => placeOf(answers, expected)))
  places.delete('sin_respuesta')
  const [first = 'sin_respuesta', ...others] = places
  const seen = [...new Set(told.flatMap(addressesIn))].sort().slice(0, MOST_SHOWN)
  return { place: others.length > 0 ? 'cambiando' : first, seen }
}

function placeOf(answers: readonly ResolverAnswer[], expected: readonly string[]): Place {
  const seen = addressesIn(answers)
  const here = seen.filter((address) => expected.includes(plainAddress(address)))
  if (here.length > 0) return here.length === seen.length ? 'aqui' : 'parcial'
  if (seen.length > 0) return 'fuera'
  return answers.some(({ kind }) => kind === 'failure') ? 'sin_respuesta' : 'sin_registros'
}

const addressesIn = (answers: readonly ResolverAnswer[]) =>
  answers.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))

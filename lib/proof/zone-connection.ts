import { and, eq } from 'drizzle-orm'
import type { DS_STATES } from '../../schema/states.ts'
import { clients, mirrors, nodes, zones } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Ctx, Resolver, ResolverAnswer, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { askerOf } from './ask.ts'
import { chargeLook, STEP_MS } from './connection.ts'
import { delegationOf } from './delegation.ts'
import { expectedServers } from './view.ts'

const MOST_DS = 16

/** What resolvers say now of a zone's name servers and DS records, both of which its parent has. */
export async function zoneConnectionOf(services: Services, ctx: Pick<Ctx, 'actor' | 'config'>, name: string) {
  chargeLook(services, ctx.actor)
  const { addresses, nameServers } = nodes
  const row = await services.db.read
    .select({ zone: zones, addresses, nameServers, mirrors: mirrors.servers })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .leftJoin(nodes, eq(nodes.name, zones.node))
    .leftJoin(mirrors, eq(mirrors.zoneId, zones.id))
    .where(and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(ctx.actor)))
    .get()
  if (!row) throw new AppError('zona_no_existe')
  // This node is known from its configuration, since its row may be older than that.
  const here = row.zone.node === ctx.config.node ? ctx.config : row
  const ours = { addresses: here.addresses ?? [], nameServers: here.nameServers ?? [] }
  const expected = expectedServers({
    zone: { name },
    nameServers: ours.nameServers,
    mirrors: row.mirrors ?? [],
  })
  const about = { zone: name, expected, ours: ours.addresses, timeoutMs: STEP_MS }
  const wanted = row.zone.dnssec ? row.zone.ds.map(plainDs) : []
  const [delegation, ds] = await Promise.all([
    delegationOf(services.resolvers, about),
    dsOf(services.resolvers, name, wanted),
  ])
  return { delegation, expected, ds: { ...ds, wanted } }
}

async function dsOf(resolvers: readonly Resolver[], zone: string, wanted: string[]) {
  const answers = await Promise.all(resolvers.map((resolver) => askerOf(resolver, STEP_MS)(zone, 'DS')))
  return judgeDs(answers, wanted)
}

/**
 * Compares the DS records that the parent has with those of the zone's keys. `distinto` and `sobra` are the bad ones:
 * whoever validates then refuses every answer for the zone (RFC 4035 section 5).
 */
export function judgeDs(
  answers: readonly ResolverAnswer[],
  wanted: readonly string[],
): { state: (typeof DS_STATES)[number]; seen: string[] } {
  const heard = answers.filter(({ kind }) => kind !== 'failure')
  if (heard.length === 0) return { state: 'sin_respuesta', seen: [] }
  const all = heard.flatMap((answer) => (answer.kind === 'answer' ? answer.values.map(plainDs) : []))
  const seen = [...new Set(all)].sort().slice(0, MOST_DS)
  const expected = new Set(wanted.map(plainDs))
  if (seen.length === 0) return { state: expected.size === 0 ? 'sin_firmar' : 'ausente', seen }
  if (expected.size === 0) return { state: 'sobra', seen }
  const known = seen.filter((ds) => expected.has(ds))
  if (known.length === 0) return { state: 'distinto', seen }
  return { state: known.length === seen.length ? 'correcto' : 'de_mas', seen }
}

/** One spelling: the digest may be written in parts and in either case. */
function plainDs(ds: string): string {
  const [tag, algorithm, kind, ...digest] = ds.trim().toLowerCase().split(/\s+/)
  return `${tag} ${algorithm} ${kind} ${digest.join('')}`
}

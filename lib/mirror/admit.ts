import { eq, inArray } from 'drizzle-orm'
import { clients, dnsAccounts, mirrors, nodes, plans, zones } from '../../schema/tables.ts'
import type { ReadCtx, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { ProviderFault, type Quota } from '../providers/types.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, reading, readNow } from '../store/reading.ts'
import { openProvider, pauseOf } from './account.ts'
import { decideAdmission, decideHere, requireRoom } from './decide-admission.ts'
import { type Observation, observe } from './eligibility.ts'
import type { AccountRow } from './states.ts'
import { type MirrorableZone, mirrorableZone, requireOwnNode } from './zones.ts'

/** The answers of resolvers and provider before a zone is mirrored. */
export type Admission =
  | { kind: 'mirrored' }
  | {
      kind: 'new'
      zone: MirrorableZone
      account: AccountRow
      observations: Observation[]
      quota: Quota
    }
  /** Somebody did not answer in time: the worker asks again later. */
  | { kind: 'unknown'; zone: MirrorableZone; account: AccountRow; observations: Observation[] }

const DEADLINE_MS = 5_000

/**
 * Whether a zone may be mirrored (specification 1.2): its plan allows it, it resolves to this server by
 * recursive resolvers, the account has room and does not hold the name. Asks resolvers and provider, with a
 * deadline, and changes nothing. Throws AppError for a refusal.
 */
export async function admitZone(services: Services, ctx: ReadCtx, name: string): Promise<Admission> {
  const startedMs = services.now().getTime()
  const remainingMs = () => startedMs + DEADLINE_MS - services.now().getTime()
  const db = services.db.read
  const [zone, facts] = await readNow(db, both(mirrorableZone(db, ctx.actor, name), aboutZone(db, name)))
  requireOwnNode(ctx, zone)
  const account = decideAdmission({ zone, ...facts })
  if (account === null) return { kind: 'mirrored' }
  const expected = zone.node === services.config.node ? services.config.addresses : facts.addresses
  const observations = await observe(services.resolvers, zone.name, expected)
  const unknown = { kind: 'unknown' as const, zone, account, observations }
  if (!decideHere(observations, expected)) return unknown
  const quota = await askProvider(services, account, zone.name, remainingMs)
  return quota === 'late' ? unknown : { ...unknown, kind: 'new', quota }
}

/** A zone's plan, account and mirror, and its node's addresses, as the panel knows them. */
function aboutZone(db: Db, name: string) {
  const owner = db
    .select({ plan: clients.planId })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(eq(zones.name, name))
  const node = db.select({ node: zones.node }).from(zones).where(eq(zones.name, name))
  const plan = db.select().from(plans).where(inArray(plans.id, owner))
  const account = db.select().from(dnsAccounts).where(inArray(dnsAccounts.node, node))
  const mirror = db.select().from(mirrors).where(eq(mirrors.zone, name))
  const addresses = db.select({ addresses: nodes.addresses }).from(nodes).where(inArray(nodes.name, node))
  const firstOf = <R>(rows: R[]) => rows[0]
  const whole = both(
    both(reading(plan, firstOf), reading(account, firstOf)),
    both(reading(mirror, firstOf), reading(addresses, firstOf)),
  )
  return mapped(whole, ([[ofPlan, ofAccount], [ofMirror, ofNode]]) => ({
    plan: ofPlan ?? null,
    account: ofAccount,
    mirror: ofMirror,
    addresses: ofNode?.addresses ?? [],
  }))
}

/** Asks whether the account has room and lacks the name; not where the account's credential was refused. */
async function askProvider(
  services: Services,
  account: AccountRow,
  name: string,
  remainingMs: () => number,
): Promise<Quota | 'late'> {
  if (account.refusedAt !== null) throw new AppError('proveedor_fallo', { motivo: 'credencial_rechazada' })
  if (pauseOf(account, services.now()) !== null) return 'late'
  try {
    const provider = await openProvider(services, account, remainingMs)
    const [found, quota] = await Promise.all([provider.findZone(name), provider.quota()])
    requireRoom(account, found !== null, quota)
    return quota
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    if (['timeout', 'deadline', 'throttled'].includes(error.kind)) return 'late'
    throw new AppError('proveedor_fallo', { motivo: error.kind }, { cause: error })
  }
}

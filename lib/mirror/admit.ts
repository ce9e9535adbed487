import { eq, inArray } from 'drizzle-orm'
import { clients, dnsAccounts, mirrors, nodes, plans, zones } from '../../schema/tables.ts'
import type { ReadCtx, Services } from '../context.ts'
import type { Db } from '../database.ts'
import { AppError } from '../errors.ts'
import { requireFunction } from '../plans.ts'
import { ProviderFault, type Quota } from '../providers/types.ts'
import { both, mapped, reading, readNow } from '../reading.ts'
import { openProvider } from './account.ts'
import { decide, type Observation, observe } from './eligibility.ts'
import { levelOf, quotaOf } from './quota.ts'
import type { AccountRow, MirrorRow } from './states.ts'
import { type MirrorableZone, mirrorableZone, requireOwnNode } from './zones.ts'

/** What the world said before a zone is taken into the mirror. */
export type Admission =
  | { kind: 'mirrored' }
  | {
      kind: 'new'
      zone: MirrorableZone
      account: AccountRow
      observations: Observation[]
      quota: Quota | null
    }
  /** Somebody did not answer in time: the worker asks again. */
  | { kind: 'unknown'; zone: MirrorableZone; account: AccountRow; observations: Observation[] }

const DEADLINE_MS = 5_000
/** A mirror that is over, or stands still until an admin acts, may be begun anew. */
const RESTING: readonly MirrorRow['state'][] = ['conflicto', 'perdida', 'retirada', 'sin_cuota']

/**
 * Whether a zone may be mirrored (specification 1.2): its plan allows it, it resolves to this server by
 * recursive resolvers, the account has room and does not hold the name. Asks resolvers and provider, with a
 * deadline, and changes nothing. Throws AppError for a refusal.
 */
export async function admitZone(services: Services, ctx: ReadCtx, name: string): Promise<Admission> {
  const startedMs = services.now().getTime()
  const remainingMs = () => startedMs + DEADLINE_MS - services.now().getTime()
  const db = services.db.read
  const [zone, [plan, account, row, own]] = await readNow(
    db,
    both(mirrorableZone(db, ctx.actor, name), aboutZone(db, name)),
  )
  requireOwnNode(ctx, zone)
  const expected = zone.node === services.config.node ? services.config.addresses : own
  requireFunction(plan ?? null, 'espejo_dns')
  if (account === undefined || account.removing) throw new AppError('sin_proveedor')
  if (row !== undefined && row.zoneId !== zone.id) throw new AppError('espejo_no_activo')
  if (row?.state === 'retirando') throw new AppError('espejo_no_activo')
  if (row !== undefined && !RESTING.includes(row.state)) return { kind: 'mirrored' }

  const observations = await observe(services.resolvers, zone.name, expected)
  const verdict = decide(observations)
  if (verdict !== 'aqui') {
    if (verdict === 'no_concluyente' && observations.some(({ late }) => late)) {
      return { kind: 'unknown', zone, account, observations }
    }
    throw new AppError('zona_no_resuelve_aqui', refusalOf(observations, expected))
  }
  const quota = await askProvider(services, account, zone.name, remainingMs)
  return quota === 'late'
    ? { kind: 'unknown', zone, account, observations }
    : { kind: 'new', zone, account, observations, quota }
}

/** What the panel knows of a zone's plan, account and mirror, and its node's addresses. */
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
  return mapped(
    whole,
    ([[ofPlan, ofAccount], [ofMirror, ofNode]]) =>
      [ofPlan, ofAccount, ofMirror, ofNode?.addresses ?? []] as const,
  )
}

function refusalOf(observations: readonly Observation[], expected: readonly string[]) {
  return {
    visto: [...new Set(observations.flatMap(({ visto }) => visto))],
    esperado: [...expected],
    respuestas: observations.map(({ resolver, resultado, visto }) => ({ resolver, resultado, visto })),
  }
}

/** Room and absence in the account; nothing is asked of one that refused the credential. */
async function askProvider(
  services: Services,
  account: AccountRow,
  name: string,
  remainingMs: () => number,
): Promise<Quota | null | 'late'> {
  if (account.refusedAt !== null) throw new AppError('proveedor_fallo', { motivo: 'credencial_rechazada' })
  if (account.pausedUntil !== null && account.pausedUntil > services.now()) return 'late'
  try {
    const provider = await openProvider(services, account, remainingMs)
    const [found, quota] = await Promise.all([provider.findZone(name), provider.quota()])
    if (found !== null) throw new AppError('zona_ya_en_proveedor')
    const known = quotaOf({ ...account, used: quota.used, apiLimit: quota.limit })
    if (levelOf(known.used, known.limit) === 'lleno') {
      throw new AppError('cuota_de_zonas', { usadas: known.used, limite: known.limit })
    }
    return quota
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    if (['timeout', 'deadline', 'throttled'].includes(error.kind)) return 'late'
    throw new AppError('proveedor_fallo', { motivo: error.kind }, { cause: error })
  }
}

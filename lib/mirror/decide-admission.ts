import { AppError } from '../endpoint/errors.ts'
import { type Plan, requireFunction } from '../plans/decide.ts'
import type { Quota } from '../providers/types.ts'
import { decide, type Observation } from './eligibility.ts'
import { accountFull, notHere } from './errors.ts'
import { levelOf, quotaOf } from './quota.ts'
import type { AccountRow, MirrorRow } from './states.ts'

/** What the panel knows of a zone that is to be mirrored. */
export type AdmissionFacts = {
  zone: { id: number }
  plan: Plan | null
  account: AccountRow | undefined
  mirror: Pick<MirrorRow, 'zoneId' | 'state'> | undefined
}

/** States of a mirror that has ended or waits for an admin; it may be started again. */
const RESTING: readonly MirrorRow['state'][] = ['conflicto', 'perdida', 'retirada', 'sin_cuota']

/** The account to mirror a zone to, if its plan allows it; null where it is mirrored already. */
export function decideAdmission({ zone, plan, account, mirror }: AdmissionFacts): AccountRow | null {
  requireFunction(plan, 'espejo_dns')
  if (account === undefined || account.removing) throw new AppError('sin_proveedor')
  if (mirror === undefined) return account
  if (mirror.zoneId !== zone.id || mirror.state === 'retirando') throw new AppError('espejo_no_activo')
  return RESTING.includes(mirror.state) ? account : null
}

/** Whether the resolvers say that a zone leads here; false if some answer is missing, so that they are asked again. */
export function decideHere(observations: readonly Observation[], expected: readonly string[]): boolean {
  const verdict = decide(observations)
  if (verdict === 'aqui') return true
  if (verdict === 'no_concluyente' && observations.some(({ late }) => late)) return false
  throw notHere(observations, expected)
}

/** Refuses a name that the account holds already, and any in a full one. */
export function requireRoom(account: AccountRow, held: boolean, quota: Quota): void {
  if (held) throw new AppError('zona_ya_en_proveedor')
  const { used, limit } = quotaOf({ ...account, used: quota.used, apiLimit: quota.limit })
  if (levelOf(used, limit) === 'lleno') throw accountFull(used, limit)
}

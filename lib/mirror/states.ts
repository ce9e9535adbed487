import type { dnsAccounts, mirrors } from '../../schema/mirror.ts'
import { URGENCY } from '../../schema/states.ts'
import type { ProviderFault } from '../providers/types.ts'
import { storedFault } from '../text/stored-faults.ts'
import { backoffMs, dailyMs } from './backoff.ts'
import type { Outcome } from './run.ts'

export type MirrorRow = typeof mirrors.$inferSelect
export type AccountRow = typeof dnsAccounts.$inferSelect
export type MirrorPatch = Partial<MirrorRow>
export type AccountPatch = Partial<AccountRow>

/** What admins are told by mail. */
export type Notice =
  | { kind: 'credencial_rechazada'; provider: string }
  | { kind: 'cuota'; provider: string; percent: 80 | 95; used: number; limit: number }

/** What a finished run changes: the zone's row, the account's, and whom to tell. */
export type Settlement = { mirror: MirrorPatch; account: AccountPatch; notices: Notice[] }

const REST_AFTER_FAILURES = 5
const REST_MS = 15 * 60_000
const FULL_RETRY_MS = 24 * 60 * 60_000
const THROTTLE_DEFAULT_SECONDS = 60

/** The state machine of a mirrored zone: the row that follows from what a run came to. Pure. */
export function settle(row: MirrorRow, account: AccountRow, outcome: Outcome, now: Date): Settlement {
  const quiet = (mirror: MirrorPatch, change: AccountPatch = { failures: 0 }): Settlement => ({
    mirror: { ...mirror, updatedAt: now },
    account: change,
    notices: [],
  })
  switch (outcome.kind) {
    case 'synced':
      return quiet(syncedPatch(row, outcome, now))
    case 'partial':
      return quiet({ state: waiting(row), nextAt: now, error: null })
    case 'conflict':
      return quiet({ state: 'conflicto', reason: outcome.reason, nextAt: null, error: null, attempts: 0 })
    case 'lost':
      return quiet({
        state: 'perdida',
        reason: 'ausente_en_proveedor',
        nextAt: null,
        error: null,
        attempts: 0,
      })
    case 'removed':
      return quiet(REMOVED)
    case 'source':
      return quiet({ ...failed(row, now), reason: outcome.reason, error: null }, {})
    case 'diverged':
      return quiet({ ...failed(row, now), reason: 'no_converge', error: null })
    case 'fault':
      return faulted(row, account, outcome.fault, now)
    case 'stale':
      return { mirror: {}, account: {}, notices: [] }
  }
}

const REMOVED: MirrorPatch = {
  state: 'retirada',
  nextAt: null,
  nextCheckAt: null,
  negativeAt: null,
  error: null,
  attempts: 0,
  remoteId: null,
  nonce: null,
  intentAt: null,
}

function syncedPatch(row: MirrorRow, outcome: Extract<Outcome, { kind: 'synced' }>, now: Date): MirrorPatch {
  const { created, changed, deleted } = outcome.change
  return {
    state: 'al_dia',
    reason: warningOf(outcome.zone) ?? (row.reason === 'no_verificable' ? row.reason : null),
    error: null,
    servers: outcome.zone.servers,
    serial: outcome.serial,
    syncedAt: now,
    ...(created + changed + deleted > 0 || row.lastChange === null ? { lastChange: outcome.change } : {}),
    omitted: outcome.omitted,
    attempts: 0,
    nextAt: new Date(now.getTime() + dailyMs(row.zone)),
    urgency: URGENCY.daily,
  }
}

/** The provider's own word for a zone that it may soon drop, as a reason. */
function warningOf({ warning }: { warning: string | null }): string | null {
  return warning === null ? null : `proveedor_${warning.replaceAll(' ', '_')}`
}

/** A fault leaves a removal and the first check in their state; any other state becomes `error`. */
function waiting(row: MirrorRow): MirrorRow['state'] {
  return row.state === 'retirando' || row.state === 'comprobando' ? row.state : 'en_cola'
}

function failed(row: MirrorRow, now: Date): MirrorPatch {
  const attempts = row.attempts + 1
  return {
    state: waiting(row) === 'en_cola' ? 'error' : row.state,
    attempts,
    nextAt: new Date(now.getTime() + backoffMs(attempts, row.zone)),
  }
}

function faulted(row: MirrorRow, account: AccountRow, fault: ProviderFault, now: Date): Settlement {
  const mirror: MirrorPatch = { updatedAt: now, error: storedFault(fault.told) }
  switch (fault.kind) {
    case 'credential':
      return {
        mirror: { ...mirror, state: waiting(row), nextAt: now },
        account: { refusedAt: now },
        notices: account.refusedAt === null ? [{ kind: 'credencial_rechazada', provider: account.kind }] : [],
      }
    case 'throttled': {
      const seconds = fault.retryAfterSeconds ?? THROTTLE_DEFAULT_SECONDS
      const pausedUntil = new Date(now.getTime() + seconds * 1000)
      return {
        mirror: { ...mirror, state: waiting(row), nextAt: pausedUntil },
        account: { pausedUntil },
        notices: [],
      }
    }
    case 'quota': {
      const nextAt = new Date(now.getTime() + FULL_RETRY_MS)
      const full: MirrorPatch = {
        state: 'sin_cuota',
        reason: 'cuota_de_zonas',
        attempts: row.attempts + 1,
        nextAt,
      }
      return {
        mirror: { ...mirror, ...full },
        account: { learnedLimit: account.used, failures: 0 },
        notices: [],
      }
    }
    case 'server':
    case 'timeout':
    case 'unreachable':
      return { mirror: { ...mirror, ...failed(row, now) }, account: rested(account, now), notices: [] }
    default: {
      const reason = fault.kind === 'record' ? { reason: 'registro_rechazado' } : {}
      return { mirror: { ...mirror, ...failed(row, now), ...reason }, account: {}, notices: [] }
    }
  }
}

/** Several failures in a row of the provider itself make the whole account rest (architecture 6.5). */
function rested(account: AccountRow, now: Date): AccountPatch {
  const failures = account.failures + 1
  if (failures < REST_AFTER_FAILURES) return { failures }
  return { failures: 0, pausedUntil: new Date(now.getTime() + REST_MS) }
}

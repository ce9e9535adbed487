import { URGENCY } from '../../schema/states.ts'
import { CHECK_AT_LATEST_MS, DOUBT_AT_LATEST_MS } from './backoff.ts'
import { confirmAfterSeconds, decide, type Observation } from './eligibility.ts'

import type { MirrorPatch, MirrorRow } from './states.ts'

const UNVERIFIABLE = 'no_verificable'
/** After this long without a conclusive answer the zone shows as unverifiable (architecture 6.1). */
const UNVERIFIABLE_MS = 14 * 24 * 60 * 60_000

export type Rechecked = {
  patch: MirrorPatch
  /** `doubt`: a first negative, to be confirmed; `drop`: confirmed, the copy is to be removed. */
  event: 'none' | 'doubt' | 'drop'
}

/**
 * What a daily check changes (architecture 6.1). A conclusive negative is confirmed by a second one after the
 * answer's TTL; a conclusive positive ends the doubt; anything else changes nothing. A first negative dated in the
 * future, from a clock since set back, does not count: its age is unknown.
 */
export function recheck(row: MirrorRow, observations: readonly Observation[], now: Date): Rechecked {
  const verdict = decide(observations)
  const seen: MirrorPatch = {
    answers: observations.map(({ resolver, resultado, visto }) => ({ resolver, resultado, visto })),
    checkedAt: now,
    updatedAt: now,
  }
  const at = (ms: number) => new Date(now.getTime() + ms)
  if (verdict === 'aqui') {
    const heard = row.reason === UNVERIFIABLE ? { reason: null } : {}
    const nextCheckAt = at(CHECK_AT_LATEST_MS)
    const patch = { ...seen, ...heard, negativeAt: null, inconclusiveSince: null, nextCheckAt }
    return { patch, event: 'none' }
  }
  if (verdict === 'no_concluyente') {
    const nextCheckAt = at(row.negativeAt === null ? CHECK_AT_LATEST_MS : DOUBT_AT_LATEST_MS)
    const inconclusiveSince = past(row.inconclusiveSince, now) ?? now
    const unheard = now.getTime() - inconclusiveSince.getTime() >= UNVERIFIABLE_MS
    const patch = { ...seen, ...(unheard ? { reason: UNVERIFIABLE } : {}), inconclusiveSince, nextCheckAt }
    return { patch, event: 'none' }
  }
  if (past(row.negativeAt, now) === null) {
    const nextCheckAt = at(confirmAfterSeconds(observations) * 1000)
    return { patch: { ...seen, negativeAt: now, inconclusiveSince: null, nextCheckAt }, event: 'doubt' }
  }
  const patch: MirrorPatch = {
    ...seen,
    state: 'retirando',
    reason: 'no_resuelve_aqui',
    negativeAt: null,
    inconclusiveSince: null,
    nextCheckAt: null,
    nextAt: now,
    urgency: URGENCY.dropped,
    attempts: 0,
    generation: row.generation + 1,
  }
  return { patch, event: 'drop' }
}

const past = (at: Date | null, now: Date) => (at !== null && at <= now ? at : null)

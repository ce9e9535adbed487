import type { Resolver } from '../endpoint/context.ts'
import { type Provider, ProviderFault } from '../providers/types.ts'
import type { Database, Tx } from '../store/database.ts'
import { LEASE_MARGIN_MS } from './backoff.ts'
import { quotaPatch } from './decide-account.ts'
import { decide, observe } from './eligibility.ts'
import { removeZone, syncZone } from './engine.ts'
import { type Claim, claimNext, finish, jobStore } from './queue.ts'
import { recheck } from './recheck.ts'
import type { Outcome, Run } from './run.ts'
import { type MirrorPatch, type MirrorRow, type Settlement, settle } from './states.ts'

export type WorkerDeps = {
  db: Database
  now: () => Date
  random: (bytes: number) => Uint8Array
  resolvers: readonly Resolver[]
  /** Addresses that a zone must resolve to on the given node. */
  addressesOf: (node: string) => Promise<readonly string[]>
  /** Opens the account's credential; `remainingMs` bounds every call. Throws when it cannot be opened. */
  open: (account: Claim['account'], remainingMs: () => number) => Promise<Provider>
  /** How long one run may take; the lease lasts a little longer. */
  budgetMs: number
  /** Audit rows and mails of a finished run, in its transaction. */
  tell: (tx: Tx, settlement: Settlement, before: MirrorRow, after: MirrorRow) => Promise<void>
  step: Run['step']
}

/**
 * Runs the next due zone of one account: answers the zone and the outcome, or null when nothing is due. Any number of
 * workers may run this at once.
 */
export async function runNext(deps: WorkerDeps): Promise<Done | null> {
  const claim = await claimNext(deps.db, deps.now(), deps.budgetMs + LEASE_MARGIN_MS)
  return claim === null ? null : runClaim(deps, claim)
}

/** Does the next due zone of every account, all accounts at once, since one may be slow. */
export async function runAll(deps: WorkerDeps): Promise<Done[]> {
  const running: Promise<Done>[] = []
  for (;;) {
    const claim = await claimNext(deps.db, deps.now(), deps.budgetMs + LEASE_MARGIN_MS)
    if (claim === null) break
    running.push(runClaim(deps, claim))
  }
  // All runs finish before an error of one is thrown.
  await Promise.allSettled(running)
  return Promise.all(running)
}

export type Done = { zone: string; outcome: Outcome['kind'] }

async function runClaim(deps: WorkerDeps, claim: Claim): Promise<Done> {
  const endsMs = deps.now().getTime() + deps.budgetMs
  const { outcome, settlement } = await work(deps, claim, () => endsMs - deps.now().getTime())
  await finish(deps.db, claim, settlement, deps.now(), (tx, after) =>
    deps.tell(tx, settlement, claim.row, after),
  )
  return { zone: claim.row.zone, outcome: outcome.kind }
}

type Worked = { outcome: Outcome; settlement: Settlement }

async function work(deps: WorkerDeps, claim: Claim, remainingMs: () => number): Promise<Worked> {
  let seen: MirrorPatch = {}
  const settled = (outcome: Outcome, account = claim.account): Worked => {
    const settlement = settle(claim.row, account, outcome, deps.now())
    return { outcome, settlement: { ...settlement, mirror: { ...seen, ...settlement.mirror } } }
  }
  let provider: Provider
  try {
    provider = await deps.open(claim.account, remainingMs)
  } catch {
    // A credential that cannot be opened (moved, or its key is gone) counts as refused.
    return settled({ kind: 'fault', fault: new ProviderFault('credential', 'open') })
  }
  if (claim.row.state === 'comprobando') {
    const checked = await check(deps, claim)
    if ('outcome' in checked) return checked
    seen = checked
    claim.row = { ...claim.row, ...checked }
  }
  const outcome = await judged(provider, await attempt(deps, claim, provider))
  if (!countsZones(claim, outcome)) return settled(outcome)
  const quota = await provider.quota().catch(() => null)
  if (quota === null) return settled(outcome)
  const { patch, notices } = quotaPatch(claim.account, quota)
  const worked = settled(outcome, { ...claim.account, ...patch })
  const account = { ...patch, ...worked.settlement.account }
  return {
    outcome,
    settlement: { ...worked.settlement, account, notices: [...worked.settlement.notices, ...notices] },
  }
}

/** Whether the number of zones in the account may have changed, or is needed to learn its limit. */
function countsZones(claim: Claim, outcome: Outcome): boolean {
  if (outcome.kind === 'fault') return outcome.fault.kind === 'quota'
  return outcome.kind === 'removed' || (outcome.kind === 'synced' && claim.row.remoteId === null)
}

async function attempt(deps: WorkerDeps, claim: Claim, provider: Provider): Promise<Outcome> {
  const { zone, nonce, intentAt, remoteId, state } = claim.row
  const run: Run = {
    zone,
    proof: { nonce, intentAtMs: intentAt?.getTime() ?? null, remoteId },
    provider,
    store: jobStore(deps.db, claim, deps.now),
    nowMs: () => deps.now().getTime(),
    random: deps.random,
    step: deps.step,
  }
  return state === 'retirando' ? removeZone(run) : syncZone(run)
}

/** A 403 may concern this zone only: the credential counts as refused if it does not verify either. */
async function judged(provider: Provider, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'fault' || outcome.fault.kind !== 'credential' || outcome.fault.status !== 403)
    return outcome
  try {
    await provider.verify()
  } catch (error) {
    return { kind: 'fault', fault: error instanceof ProviderFault ? error : outcome.fault }
  }
  return { kind: 'fault', fault: new ProviderFault('forbidden', 'permission', { status: 403 }) }
}

/** The first check, where the request that asked for the mirror could not wait for it. */
async function check(deps: WorkerDeps, claim: Claim): Promise<Worked | MirrorPatch> {
  const now = deps.now()
  const observations = await observe(deps.resolvers, claim.row.zone, await deps.addressesOf(claim.row.node))
  const verdict = decide(observations)
  const { patch } = recheck({ ...claim.row, negativeAt: null }, observations, now)
  if (verdict === 'aqui') return { ...patch, state: 'sincronizando' }
  const seen = { answers: patch.answers ?? [], checkedAt: now, updatedAt: now }
  if (verdict === 'fuera') {
    const mirror = {
      ...seen,
      state: 'retirada' as const,
      reason: 'no_resuelve_aqui',
      nextAt: null,
      nextCheckAt: null,
    }
    return { outcome: { kind: 'removed' }, settlement: { mirror, account: {}, notices: [] } }
  }
  const retry = settle(claim.row, claim.account, { kind: 'source', reason: 'origen_ausente' }, now)
  const mirror = { ...retry.mirror, ...seen, reason: 'no_concluyente' }
  return { outcome: { kind: 'source', reason: 'origen_ausente' }, settlement: { ...retry, mirror } }
}

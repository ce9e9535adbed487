import type { RRset } from '../endpoint/node-port.ts'
import type { Omission, Provider, ProviderFault, RemoteZone } from '../providers/types.ts'
import type { countChanges } from './difference.ts'

/** The panel's own zone as read for one run, in one transaction. */
export type Source = { serial: number; signed: boolean; rrsets: RRset[]; nameservers: string[] }

/**
 * What a run may do to its own row. Every method is bound to the run's fence and returns false once another worker
 * owns the zone; the run then ends without a further call.
 */
export interface JobStore {
  readSource(): Promise<Source | null>
  /** Records that a zone is about to be created; null records that it certainly was not. */
  saveIntent(intent: { nonce: string; atMs: number } | null): Promise<boolean>
  saveRemote(zone: RemoteZone): Promise<boolean>
  /** Prolongs the lease. */
  renew(): Promise<boolean>
}

/** What the row knows about our zone at the provider, as a proof which zone there is ours. */
export type Proof = {
  /** Written into the zone where the provider keeps a marker; the same for all attempts. */
  nonce: string | null
  /** When the name was last seen absent and a creation was recorded; null when none may be under way. */
  intentAtMs: number | null
  remoteId: string | null
}

export type Run = {
  zone: string
  proof: Proof
  provider: Provider
  store: JobStore
  nowMs: () => number
  random: (bytes: number) => Uint8Array
  /** Runs one named step; the fault tests kill the process before and after each. */
  step: <T>(name: Step, run: () => Promise<T>) => Promise<T>
}

export type Step = 'intent' | 'create' | 'store_id' | 'apply' | 'read_back' | 'delete_records' | 'delete_zone'
export const STEPS: readonly Step[] = [
  'intent',
  'create',
  'store_id',
  'apply',
  'read_back',
  'delete_records',
  'delete_zone',
]

export type Outcome =
  | { kind: 'synced'; zone: RemoteZone; serial: number; change: Counts; omitted: Omission[] }
  /** The time ran out after part of the work; the next run begins by reading again. */
  | { kind: 'partial' }
  | { kind: 'conflict'; reason: 'ya_existe' | 'sustituida' }
  | { kind: 'lost' }
  | { kind: 'removed' }
  | { kind: 'source'; reason: 'origen_ausente' | 'origen_vacio' }
  | { kind: 'diverged' }
  | { kind: 'fault'; fault: ProviderFault }
  | { kind: 'stale' }

export type Counts = ReturnType<typeof countChanges>

/** Thrown inside a run when its fence is old. */
export class StaleRun extends Error {}

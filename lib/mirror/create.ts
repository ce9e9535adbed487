import { ProviderFault, type RemoteZone } from '../providers/types.ts'
import { type Outcome, type Proof, type Run, StaleRun } from './run.ts'

const NONCE_BYTES = 10
/** A zone without a marker counts as made by our attempt only within this time of it. */
const SKEW_MS = 5 * 60_000
const ATTEMPT_MS = 15 * 60_000

/**
 * Our zone at the provider, created if it never was. A zone that exists is ours only by its stored id (and marker)
 * or, after a crash, by the proof of architecture 6.2.
 */
export async function ensureZone(run: Run, nameservers: string[]): Promise<{ zone: RemoteZone } | Outcome> {
  if (run.proof.remoteId !== null) return storedZone(run, run.proof.remoteId)
  const found = await run.provider.findZone(run.zone)
  if (found !== null) return adopted(run, found)
  return created(run, nameservers)
}

/** Our zone if it is provably ours; null if there is none. Creates nothing. */
export async function provenZone(run: Run): Promise<RemoteZone | null> {
  if (run.proof.remoteId !== null) {
    const stored = await storedZone(run, run.proof.remoteId)
    return 'zone' in stored ? stored.zone : null
  }
  if (run.proof.intentAtMs === null) return null
  const found = await run.provider.findZone(run.zone)
  return found !== null && (await isOurs(run, found)) ? found : null
}

async function storedZone(run: Run, id: string): Promise<{ zone: RemoteZone } | Outcome> {
  const zone = await run.provider.getZone(id, run.zone)
  if (zone === null) {
    const other = await run.provider.findZone(run.zone)
    return other === null ? { kind: 'lost' } : { kind: 'conflict', reason: 'sustituida' }
  }
  const marked = !run.provider.limits.marker || zone.marker === run.proof.nonce
  return marked && zone.name === run.zone ? { zone } : { kind: 'conflict', reason: 'sustituida' }
}

async function adopted(run: Run, found: RemoteZone): Promise<{ zone: RemoteZone } | Outcome> {
  if (!(await isOurs(run, found))) return { kind: 'conflict', reason: 'ya_existe' }
  return stored(run, found)
}

/** Whether a zone of our name was created by an earlier attempt of ours whose answer was lost. */
async function isOurs(run: Run, found: RemoteZone): Promise<boolean> {
  const { nonce, intentAtMs } = run.proof
  if (nonce === null || intentAtMs === null) return false
  if (run.provider.limits.marker) return found.marker === nonce
  if (found.createdMs === null) return false
  if (found.createdMs < intentAtMs - SKEW_MS || found.createdMs > intentAtMs + ATTEMPT_MS) return false
  return (await run.provider.readZone(found)).length === 0
}

async function created(run: Run, nameservers: string[]): Promise<{ zone: RemoteZone } | Outcome> {
  const attempted = run.proof.intentAtMs !== null
  const nonce = run.proof.nonce ?? `cp-${hex(run.random(NONCE_BYTES))}`
  const intent = { nonce, atMs: run.nowMs() }
  await run.step('intent', async () => own(await run.store.saveIntent(intent)))
  try {
    const zone = await run.step('create', () =>
      run.provider.createZone(run.zone, { marker: nonce, nameservers }),
    )
    return await stored(run, zone)
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.outcomeUnknown) throw error
    if (error.kind !== 'exists') {
      // The first attempt was clearly refused, so nothing was created, and a zone that appears later is not ours.
      if (!attempted) own(await run.store.saveIntent(null))
      throw error
    }
    const found = attempted ? await run.provider.findZone(run.zone) : null
    const ours =
      found !== null && (await isOurs({ ...run, proof: { ...run.proof, ...proofOf(intent) } }, found))
    if (ours) return stored(run, found)
    own(await run.store.saveIntent(null))
    return { kind: 'conflict', reason: 'ya_existe' }
  }
}

function proofOf(intent: { nonce: string; atMs: number }): Pick<Proof, 'nonce' | 'intentAtMs'> {
  return { nonce: intent.nonce, intentAtMs: intent.atMs }
}

async function stored(run: Run, zone: RemoteZone): Promise<{ zone: RemoteZone }> {
  await run.step('store_id', async () => own(await run.store.saveRemote(zone)))
  return { zone }
}

function own(current: boolean): void {
  if (!current) throw new StaleRun()
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

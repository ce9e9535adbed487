import { type Change, type Omission, ProviderFault, type RemoteZone } from '../providers/types.ts'
import { planBatches } from './batches.ts'
import { ensureZone, provenZone } from './create.ts'
import { countChanges, desiredRRsets, difference } from './difference.ts'
import { type Counts, type Outcome, type Run, type Source, StaleRun } from './run.ts'

/** Passes of writing and reading back; more would mean fighting another writer. */
const MAX_PASSES = 3

/**
 * Makes the provider's copy equal to the panel's zone (architecture 6.3): guards, creation with proof,
 * difference, batches, read-back. Never throws for what the provider does.
 */
export async function syncZone(run: Run): Promise<Outcome> {
  return settled(async () => {
    const source = await run.store.readSource()
    if (source === null) return { kind: 'source', reason: 'origen_ausente' }
    // An empty zone is far more likely a fault of ours than intended, and would delete everything at the provider.
    if (!source.rrsets.some((set) => set.name !== '@' || (set.type !== 'NS' && set.type !== 'SOA'))) {
      return { kind: 'source', reason: 'origen_vacio' }
    }
    const found = await ensureZone(run, source.nameservers)
    return 'kind' in found ? found : converge(run, source, found.zone)
  })
}

/**
 * Removes our zone from the provider: first its records, since some providers keep answering for a deleted zone, then
 * the zone by its stored id. A zone that is not provably ours is left alone.
 */
export async function removeZone(run: Run): Promise<Outcome> {
  return settled(async () => {
    const zone = await provenZone(run)
    if (zone === null) return { kind: 'removed' }
    const held = await run.provider.readZone(zone)
    const changes = held.map(
      (before): Change => ({ name: before.name, type: before.type, before, after: null }),
    )
    for (const batch of planBatches(changes, run.provider)) {
      await alive(run)
      await run.step('delete_records', () => run.provider.apply(zone, batch))
    }
    await alive(run)
    await run.step('delete_zone', () => run.provider.deleteZone(zone))
    return { kind: 'removed' }
  })
}

async function settled(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StaleRun) return { kind: 'stale' }
    if (error instanceof ProviderFault) return { kind: 'fault', fault: error }
    throw error
  }
}

async function alive(run: Run): Promise<void> {
  if (!(await run.store.renew())) throw new StaleRun()
}

async function converge(run: Run, source: Source, zone: RemoteZone): Promise<Outcome> {
  const { provider } = run
  const desired = desiredRRsets(source.rrsets, provider, zone)
  const about = { zone: run.zone, txtBounds: provider.limits.txtBounds }
  let change: Counts | null = null
  let doubted: ProviderFault | null = null
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const read = () => provider.readZone(zone)
    const changes = difference(
      desired.rrsets,
      pass === 0 ? await read() : await run.step('read_back', read),
      about,
    )
    change ??= countChanges(changes)
    if (changes.length === 0) {
      const omitted = [...signatures(source), ...desired.omitted]
      return { kind: 'synced', zone, serial: source.serial, change, omitted }
    }
    if (doubted !== null) throw doubted
    const ended = await applyAll(run, zone, changes)
    if (ended === 'partial') return { kind: 'partial' }
    if (ended instanceof ProviderFault) doubted = ended
  }
  return { kind: 'diverged' }
}

/** The panel signs where it serves, so the copy of a signed zone has no signatures. */
function signatures({ signed }: Source): Omission[] {
  return signed ? [{ name: '@', type: 'RRSIG', reason: 'firma_no_copiada' }] : []
}

/**
 * Applies a difference call by call. A write with an unknown outcome ends the round: it is read back and never
 * repeated blindly. If the time runs out after at least one call, the rest is left to the next run.
 */
async function applyAll(
  run: Run,
  zone: RemoteZone,
  changes: Change[],
): Promise<'done' | 'partial' | ProviderFault> {
  let applied = 0
  for (const batch of planBatches(changes, run.provider)) {
    await alive(run)
    try {
      await run.step('apply', () => run.provider.apply(zone, batch))
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      if (error.kind === 'deadline' && applied > 0) return 'partial'
      if (error.outcomeUnknown) return error
      throw error
    }
    applied++
  }
  return 'done'
}

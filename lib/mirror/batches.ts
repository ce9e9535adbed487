import type { Change, Provider } from '../providers/types.ts'

/** Bytes that names, TTL and braces of one change take in a body. */
const OVERHEAD_BYTES = 160

/**
 * Splits a difference into calls. Changes at one name stay together, since a half-changed name may be wrong in a way
 * that no change asked for (a CNAME gone, its successor missing); only a name that exceeds a whole call is split.
 * Within a call, deletions come first.
 */
export function planBatches(
  changes: readonly Change[],
  provider: Pick<Provider, 'limits' | 'cost'>,
): Change[][] {
  const limit = provider.limits.batch
  const batches: Change[][] = []
  let open: Change[] = []
  let room = { ...limit }
  const close = () => {
    if (open.length > 0) batches.push(open)
    open = []
    room = { ...limit }
  }
  const add = (group: Change[], size: Size) => {
    open.push(...group)
    room = { changes: room.changes - size.changes, bytes: room.bytes - size.bytes }
  }
  for (const group of byName(changes)) {
    const size = sizeOf(group, provider)
    if (!fits(size, room)) close()
    if (fits(size, limit)) {
      add(group, size)
      continue
    }
    for (const change of group) {
      const own = sizeOf([change], provider)
      if (!fits(own, room)) close()
      add([change], own)
    }
  }
  close()
  return batches
}

type Size = { changes: number; bytes: number }

function fits(size: Size, room: Size): boolean {
  return size.changes <= room.changes && size.bytes <= room.bytes
}

function sizeOf(group: readonly Change[], provider: Pick<Provider, 'cost'>): Size {
  const size = { changes: 0, bytes: 0 }
  for (const change of group) {
    size.changes += provider.cost(change)
    size.bytes += OVERHEAD_BYTES + change.name.length
    for (const value of change.after?.values ?? []) size.bytes += value.length + OVERHEAD_BYTES
  }
  return size
}

function byName(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.name)
    if (group) group.push(change)
    else groups.set(change.name, [change])
  }
  return [...groups.values()].map((group) =>
    group.sort((left, right) => Number(left.after !== null) - Number(right.after !== null)),
  )
}

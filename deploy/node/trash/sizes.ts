import { withinDeadline } from '../../../lib/endpoint/deadline.ts'
import type { BinPort } from '../../../lib/endpoint/ports/bin.ts'
import { walkDirectories } from '../usage/walker.ts'

const LONGEST_WALK_MS = 600_000

/**
 * Measures deleted files in a process of its own, and remembers what it measured: nothing changes in the bin. A large
 * tree goes on being measured after whoever asked was answered.
 */
export function createSizes(filesOf: (id: string) => string | null): BinPort['sizes'] {
  const known = new Map<string, number>()
  let walking: Promise<void> | null = null

  return async (entries, withinMs) => {
    const keyed = entries.map((entry) => ({ id: entry.id, key: `${entry.id} ${entry.deletedAt.getTime()}` }))
    const unknown = keyed.flatMap(({ id, key }) => {
      const path = known.has(key) ? null : filesOf(id)
      return path === null ? [] : [{ key, path }]
    })
    if (unknown.length > 0) {
      walking ??= walkDirectories(
        unknown.map(({ path }) => path),
        {
          deadlineMs: LONGEST_WALK_MS,
          found: (index, walked) => known.set(unknown[index]?.key ?? '', walked?.diskBytes ?? 0),
        },
      )
        // What could not be measured now is measured when it is asked for again.
        .catch(() => {})
        .finally(() => {
          walking = null
        })
      // A command ends with its answer: no timer may be left.
      await withinDeadline(walking, withinMs, () => {})
    }
    return new Map(
      keyed.flatMap(({ id, key }) => {
        const bytes = known.get(key)
        return bytes === undefined ? [] : [[id, bytes] as const]
      }),
    )
  }
}

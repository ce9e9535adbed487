import { withinDeadline } from '../../../lib/endpoint/deadline.ts'
import type { BinEntry, BinPort } from '../../../lib/endpoint/ports/bin.ts'
import { walkDirectories } from '../usage/walker.ts'

const LONGEST_WALK_MS = 600_000
const AGAIN_MS = 6 * 3_600_000

type Unknown = { key: string; path: string }

/**
 * Measures deleted files in a process of its own, and remembers what it measured: nothing changes in the bin. A large
 * tree goes on being measured after whoever asked was answered; one that takes too long is left alone for some hours,
 * so that the others are known.
 */
export function createSizes(
  filesOf: (entry: BinEntry) => string | null,
  walk: typeof walkDirectories = walkDirectories,
): BinPort['sizes'] {
  const known = new Map<string, number>()
  const tooLarge = new Set<string>()
  let walking: Promise<void> | null = null

  const giveUp = ({ key }: Unknown) => {
    tooLarge.add(key)
    setTimeout(() => tooLarge.delete(key), AGAIN_MS).unref()
  }

  const found = ({ key }: Unknown, bytes: number) => void known.set(key, bytes)

  return async (entries, withinMs) => {
    const keyed = entries.map((entry) => ({ entry, key: `${entry.id} ${entry.deletedAt.getTime()}` }))
    const unknown = keyed.flatMap(({ entry, key }) => {
      const path = known.has(key) || tooLarge.has(key) ? null : filesOf(entry)
      return path === null ? [] : [{ key, path }]
    })
    if (unknown.length > 0) {
      walking ??= measure(unknown, { walk, found, giveUp })
        // What could not be measured now is measured when it is asked for again.
        .catch(() => {})
        .finally(() => {
          walking = null
        })
      // A command ends with its answer: no timer may be left.
      await withinDeadline(walking, withinMs, () => {})
    }
    return new Map(
      keyed.flatMap(({ entry, key }) => {
        const bytes = known.get(key)
        return bytes === undefined ? [] : [[entry.id, bytes] as const]
      }),
    )
  }
}

type Measuring = {
  walk: typeof walkDirectories
  found: (one: Unknown, bytes: number) => void
  giveUp: (one: Unknown) => void
}

/** Measures all of them in order; where one takes all of the time, the walk goes on behind it. */
async function measure(unknown: Unknown[], { walk, found, giveUp }: Measuring): Promise<void> {
  for (let left = unknown; left.length > 0; ) {
    let done = 0
    await walk(
      left.map(({ path }) => path),
      {
        deadlineMs: LONGEST_WALK_MS,
        found: (index, walked) => {
          const one = left[index]
          if (one !== undefined) found(one, walked?.diskBytes ?? 0)
          done = index + 1
        },
      },
    )
    left.slice(done, done + 1).forEach(giveUp)
    left = left.slice(done + 1)
  }
}

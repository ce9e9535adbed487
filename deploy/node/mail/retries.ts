import { type BackOff, longestMs, nextTry } from '../../../lib/work/back-off.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'

const BACK_OFF: BackOff = { waitsMs: [60_000, 300_000, 900_000, 3_600_000], spread: 0 }
/** The first, those soon after it, and hourly ones for a day. */
const TRIES = BACK_OFF.waitsMs.length + 24

type Try = { count: number; at: Date; later: string[]; refused: number }

/** When what failed is tried again, and for whom. */
export function createRetries() {
  const tries = new Map<number, Map<string, Try>>()
  const of = (clientId: number, name: string) => tries.get(clientId)?.get(name)
  return {
    of,
    isDue: (clientId: number, name: string, now: Date) =>
      waitsUntil(of(clientId, name)?.at ?? null, now, longestMs(BACK_OFF)) === null,
    /** False where that was the last try. */
    again(
      clientId: number,
      { name, later, refused }: { name: string } & Omit<Try, 'count' | 'at'>,
      now: Date,
    ) {
      const before = of(clientId, name)
      const count = (before?.count ?? 0) + 1
      if (count >= TRIES) return false
      const known = tries.get(clientId) ?? new Map<string, Try>()
      const at = nextTry(now, BACK_OFF, count)
      tries.set(clientId, known.set(name, { count, at, later, refused: refused + (before?.refused ?? 0) }))
      return true
    },
    forget: (clientId: number, name: string) => void tries.get(clientId)?.delete(name),
    /** Forgets what is not there any more: a client could fill the memory with names. */
    keep(clientId: number, names: string[]) {
      const known = tries.get(clientId)
      if (!known) return
      const there = new Set(names)
      for (const name of known.keys()) if (!there.has(name)) known.delete(name)
      if (known.size === 0) tries.delete(clientId)
    },
  }
}

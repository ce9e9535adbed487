import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Breaches, MEASURES } from './measures.ts'

/** What broke each rule when it was written down. It may only shrink. */
const PATH = join(import.meta.dir, 'baseline.json')

export const baseline = JSON.parse(readFileSync(PATH, 'utf8')) as Record<string, Breaches>

/** What breaks a rule more than the baseline allows, and what the baseline allows in vain. */
export function compared(allowed: Breaches, found: Breaches): { grown: Breaches; shrunk: Breaches } {
  const of = (place: string, breaches: Breaches) => breaches[place] ?? 0
  const places = [...new Set([...Object.keys(allowed), ...Object.keys(found)])].sort()
  const differing = (is: (place: string) => boolean) =>
    Object.fromEntries(places.filter(is).map((place) => [place, of(place, found)]))
  return {
    grown: differing((place) => of(place, found) > of(place, allowed)),
    shrunk: differing((place) => of(place, found) < of(place, allowed)),
  }
}

/** `bun run baseline`: lowers what may be lowered, and raises nothing. */
if (import.meta.main) {
  const lowered = Object.entries(MEASURES).map(([rule, measure]) => {
    const allowed = baseline[rule] ?? {}
    const found = { ...allowed, ...compared(allowed, measure()).shrunk }
    return [rule, Object.fromEntries(Object.entries(found).filter(([, breaches]) => breaches > 0))]
  })
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`)
}

import { readFileSync } from 'node:fs'
import { type Check, partsOf } from '../services/check-view.ts'

/** A version, which an upgrade changes, ends the name of a service; a port, which has no dot, stays. */
const VERSION = / v?\d+\.[\w.+~-]+$/

type Fault = { told: string; check: Check }

/** What each fault of a look is known by in another one. */
const faultsOf = (checks: Check[]): Map<string, Fault> =>
  new Map(
    checks
      .filter(({ bien }) => !bien)
      .flatMap((check) =>
        partsOf(check).map(({ part, told }) => [
          `${check.comprobacion.replace(VERSION, '')} ${part}`,
          { told: `${check.comprobacion}: ${told}`, check },
        ]),
      ),
  )

function newOnes(before: Check[], after: Check[][]): Fault[] {
  const known = faultsOf(before)
  const [last = new Map<string, Fault>(), ...earlier] = after.map(faultsOf).reverse()
  const isNew = (key: string) => !known.has(key) && earlier.every((look) => look.has(key))
  return [...last].flatMap(([key, fault]) => (isNew(key) ? [fault] : []))
}

/** The faults that were none before and that all of these looks have found: a site that fails now and then is none. */
export const newFaults = (before: Check[], ...after: Check[][]): string[] =>
  newOnes(before, after).map(({ told }) => told)

/** How much of all is new at fault, by the status that tells it. */
const SHARES = { none: 0, much: 1, few: 2, least: 3 } as const

/**
 * What share of all is at fault that was not before: `few` is only some sites of many, less than half of those that
 * were asked, `least` only one or a twentieth of them, which a customer alone can bring about.
 */
export function shareOf(before: Check[], ...after: Check[][]): keyof typeof SHARES {
  const faults = newOnes(before, after)
  if (faults.length === 0) return 'none'
  const asked = Math.min(...faults.map(({ check }) => check.preguntados ?? 0))
  // A site fails over HTTP, over HTTPS and by its zone.
  const sites = new Set(faults.map(({ told }) => told.replace(/^.*[/ ]/, ''))).size
  if (sites >= asked / 2) return 'much'
  return sites <= Math.max(1, asked / 20) ? 'least' : 'few'
}

/** Answers of `doctor --json` before and after, as files; says what is new, with the status of its share. */
function compareFiles([before, ...after]: string[]): void {
  const checksIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Check[]
  const [known, looks] = [checksIn(before ?? ''), after.map(checksIn)]
  for (const fault of newFaults(known, ...looks)) process.stdout.write(`${fault}\n`)
  process.exitCode = SHARES[shareOf(known, ...looks)]
}

if (import.meta.main) compareFiles(process.argv.slice(2))

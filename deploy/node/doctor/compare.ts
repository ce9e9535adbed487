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

/** Whether what is new is only that some of many sites do not answer, less than half of those that were asked. */
export function areFew(before: Check[], ...after: Check[][]): boolean {
  const faults = newOnes(before, after)
  const most = Math.min(...faults.map(({ check }) => (check.preguntados ?? 0) / 2))
  // A site fails over HTTP, over HTTPS and by its zone.
  const names = new Set(faults.map(({ told }) => told.replace(/^.*[/ ]/, '')))
  return names.size < most
}

/** Answers of `doctor --json` before and after, as files; says what is new, with status 1, or 2 where that is little. */
function compareFiles([before, ...after]: string[]): void {
  const checksIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Check[]
  const [known, looks] = [checksIn(before ?? ''), after.map(checksIn)]
  const faults = newFaults(known, ...looks)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : areFew(known, ...looks) ? 2 : 1
}

if (import.meta.main) compareFiles(process.argv.slice(2))

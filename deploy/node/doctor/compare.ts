import { readFileSync } from 'node:fs'
import { type Check, partsOf } from '../services/check-view.ts'

/** What each fault of a look is known by in another one: without the versions, which an upgrade changes. */
const faultsOf = (checks: Check[]): Map<string, string> =>
  new Map(
    checks
      .filter(({ bien }) => !bien)
      .flatMap((check) =>
        partsOf(check).map(({ part, told }) => [
          `${check.comprobacion.replace(/ v?\d+(?:\.[\w.+~-]+)?$/, '')} ${part}`,
          `${check.comprobacion}: ${told}`,
        ]),
      ),
  )

/** The faults that were none before and that all of these looks have found: a site that fails now and then is none. */
export function newFaults(before: Check[], ...after: Check[][]): string[] {
  const known = faultsOf(before)
  const [last = new Map<string, string>(), ...earlier] = after.map(faultsOf).reverse()
  const isNew = (key: string) => !known.has(key) && earlier.every((look) => look.has(key))
  return [...last].flatMap(([key, told]) => (isNew(key) ? [told] : []))
}

/** Answers of `doctor --json` before and after, as files; says what is new, with status 1. */
function compareFiles([before, ...after]: string[]): void {
  const checksIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Check[]
  const faults = newFaults(checksIn(before ?? ''), ...after.map(checksIn))
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

if (import.meta.main) compareFiles(process.argv.slice(2))

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

/** The faults that were none before. */
export function newFaults(before: Check[], after: Check[]): string[] {
  const known = faultsOf(before)
  return [...faultsOf(after)].flatMap(([key, told]) => (known.has(key) ? [] : [told]))
}

/** Two answers of `doctor --json`, as files; says what is new, with status 1. */
function compareFiles(before: string, after: string): void {
  const [known, found] = [before, after].map((path) => JSON.parse(readFileSync(path, 'utf8')) as Check[])
  const faults = newFaults(known ?? [], found ?? [])
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

if (import.meta.main) compareFiles(process.argv[2] ?? '', process.argv[3] ?? '')

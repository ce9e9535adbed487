import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDirectory, ROOT, writeWhole } from '../../host/files.ts'

/**
 * What is left to do once a dump has been loaded as a whole; a load that was cut short is brought to its end by it.
 * `job` is the load's, `isDone` that nothing is left.
 */
export type Plan = {
  job: string
  isDone: boolean
  /** SQL: what the base had as triggers before, and all that it defines afterwards. */
  triggers: string
  definitions: string
}

const homeOf = (directory: string) => join(directory, 'loads')

/** The directory of a base's load, which is root's alone. */
export const loadDirectory = (directory: string, databaseId: number): string =>
  join(homeOf(directory), String(databaseId))

const planPath = (directory: string, databaseId: number) =>
  join(loadDirectory(directory, databaseId), 'plan.json')

/** An empty one, whatever was left there. */
export function makeLoadDirectory(directory: string, databaseId: number): void {
  removeLoadDirectory(directory, databaseId)
  ensureDirectory(homeOf(directory), { mode: 0o700, owner: ROOT })
  ensureDirectory(loadDirectory(directory, databaseId), { mode: 0o700, owner: ROOT })
}

export function removeLoadDirectory(directory: string, databaseId: number): void {
  rmSync(loadDirectory(directory, databaseId), { recursive: true, force: true })
}

/** The plan of the latest load of a base, done or not; null where it came to none. */
export function readPlan(directory: string, databaseId: number): Plan | null {
  const path = planPath(directory, databaseId)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null // As `writePlan` wrote it.
}

/** From here on the load is brought to its end. */
export function writePlan(directory: string, databaseId: number, plan: Plan): void {
  writeWhole({ path: planPath(directory, databaseId), content: JSON.stringify(plan), mode: 0o600 })
}

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { exists } from '../host/files.ts'
import type { SiteFolder } from './helpers.ts'
import { stagingOf } from './places.ts'
import { LONG_MS, runToEnd, type StartProgram } from './programs.ts'

/** What an argument list holds at once. */
const AT_ONCE = 500
/** The names that the panel gives, all of them text. */
const OURS = /^[A-Za-z0-9_.-]{1,100}$/

/** Names in a staging folder that nothing has changed since; they are only looked at, never followed. */
export function leftIn(staging: string, before: Date): string[] {
  if (!exists(staging)) return []
  return readdirSync(staging)
    .filter((name) => OURS.test(name) && (modifiedAt(join(staging, name)) ?? Infinity) < before.getTime())
    .slice(0, AT_ONCE)
}

/** Removes them as the client, whose they are. */
export async function removeLeft(
  folder: SiteFolder,
  { names, program }: { names: string[]; program: StartProgram },
): Promise<void> {
  const paths = names.map((name) => `${stagingOf(folder)}/${name}`)
  const argv = ['/usr/bin/rm', '-rf', '--one-file-system', '--', ...paths] as const
  await runToEnd((one) => program(folder, one), { argv, deadlineMs: LONG_MS })
}

function modifiedAt(path: string): number | null {
  try {
    return lstatSync(path).mtimeMs
  } catch {
    return null
  }
}

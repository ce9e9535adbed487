import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { GoneRepository } from '../../../lib/endpoint/ports/backups.ts'

/** As a client's repository is named. */
const NAME = /^c\d+-[0-9a-f]{10}$/
/** What restic makes in each. */
const PARTS = ['config', 'data', 'index', 'keys', 'snapshots']
/** A copy that was under way when its client went may have written a little longer. */
const LATE_MS = 86_400_000

/**
 * Removes a repository that nobody has written to since its client went, as a copy of this panel beside it would; answers
 * whether it is gone. Only folders of this machine are cleared: restic removes nothing that it has no key of.
 */
export function removeRepository({ destination, name, goneAt }: GoneRepository): boolean {
  if (destination.kind !== 'carpeta' || !NAME.test(name) || !existsSync(destination.url)) return false
  const path = join(destination.url, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isDirectory() || !PARTS.every((part) => existsSync(join(path, part)))) return false
  const newest = ['index', 'keys', 'snapshots'].flatMap((part) => timesIn(join(path, part)))
  if (newest.some((at) => at > goneAt.getTime() + LATE_MS)) throw new Error('somebody goes on writing to it')
  rmSync(path, { recursive: true })
  return true
}

const timesIn = (folder: string): number[] =>
  [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => lstatSync(path).mtimeMs)

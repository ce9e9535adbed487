import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredClient } from '../../../lib/endpoint/node-port.ts'
import { id, type Layout, phpVersion } from '../files/layout.ts'
import { exists, type Owner, removeFile, writeWhole } from '../host/files.ts'

export type Limits = DesiredClient['limits']

/** A client whose PHP waits for requests, as the keeper finds it whenever it starts. */
export type Wanted = { owner: Owner | null; versions: string[]; limits: Limits }

export const NO_LIMITS: Limits = { cpuPercent: null, memoryBytes: null, processes: null }

const pathOf = (layout: Layout, clientId: number) => join(layout.fpmWanted, id(clientId))

/** Where the web server passes the requests for a client's PHP. */
export const socketOf = (layout: Layout, version: string, clientId: number): string =>
  join(layout.fpmVersion(version), `${id(clientId)}.s`)

/** Numbers and versions alone: nothing of a customer's text reaches the keeper. */
export function writeWanted(layout: Layout, clientId: number, { owner, versions, limits }: Wanted): void {
  const limit = (value: number | null) => (value === null ? '-' : whole(value))
  const lines = [
    ...(owner === null ? [] : [`user ${whole(owner.uid)} ${whole(owner.gid)}`]),
    ...versions.map((version) => `php ${phpVersion(version)}`),
    `cpu ${limit(limits.cpuPercent)}`,
    `memory ${limit(limits.memoryBytes)}`,
    `processes ${limit(limits.processes)}`,
  ]
  const content = `${lines.join('\n')}\n`
  const path = pathOf(layout, clientId)
  if (exists(path) && readFileSync(path, 'utf8') === content) return
  writeWhole({ path, content, mode: 0o600 }, layout.temporary)
}

/** What was written last; null where the client has no PHP. */
export function readWanted(layout: Layout, clientId: number): Pick<Wanted, 'versions' | 'limits'> | null {
  const path = pathOf(layout, clientId)
  if (!exists(path)) return null
  const text = readFileSync(path, 'utf8')
  const limit = (name: string) => {
    const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
    return found === undefined ? null : Number(found)
  }
  return {
    versions: [...text.matchAll(/^php (\S+)$/gm)].map(([, version = '']) => version),
    limits: { cpuPercent: limit('cpu'), memoryBytes: limit('memory'), processes: limit('processes') },
  }
}

/** Whether there was anything to remove. */
export function removeWanted(layout: Layout, clientId: number): boolean {
  return removeFile(pathOf(layout, clientId))
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError('not a whole number')
  return String(value)
}

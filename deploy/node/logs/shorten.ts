import { createReadStream, createWriteStream, lstatSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { shortenAddress } from '../../../lib/text/shorten.ts'
import { idsIn } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { hasCode, putInPlace, removeFile, writeWhole } from '../host/files.ts'
import { unfinishedIn } from '../host/unfinished.ts'
import { logsIn } from '../web/logs.ts'
import { filesOf } from './names.ts'

/** Where the web server's rows, its errors and OpenSSH have an address. What visitors send stands escaped in a row. */
const ADDRESS = /("direccion":"|"address":"|\bclient: |\bfrom )([0-9a-fA-F:.]{2,45})(?=["\s,])/g
const ROTATED = /\.(?:log|out)\.\d{1,3}$/
const COMPRESSED = /\.(?:log|out)\.\d{1,3}\.gz$/

/** `sites`: the last file of each that is done; `compressed`: rotated files that are, by inode and length. */
type Done = { sites: Record<string, string>; compressed: string[] }

/**
 * Shortens the addresses in logs older than a moment, in files that nobody writes to any more. A row of a site keeps its
 * length, so that places in its log stay what they are. What a kill cut short is done again, to the same result.
 */
export async function shortenLogs(
  layout: Pick<Layout, 'siteLogs' | 'logsOf' | 'logs' | 'temporary'>,
  { before, report }: { before: Date; report(message: string): void },
): Promise<number> {
  const path = join(layout.siteLogs, 'acortadas.json')
  const done = readDone(path)
  const next: Done = { sites: {}, compressed: [] }
  let changed = 0
  for (const site of idsIn(layout.siteLogs)) {
    const last = done.sites[site] ?? ''
    const through = await shortenSite(layout.logsOf(site), { before, last, temporary: layout.temporary })
    changed += through.files
    if (through.last !== '') next.sites[site] = through.last
  }
  for (const file of rotatedIn(layout.logs, COMPRESSED, before)) {
    const isDone = done.compressed.includes(markOf(file))
    const shortened =
      !isDone && (await shortenCompressed(file, layout.temporary).catch(damaged(file, report)))
    if (shortened) changed++
    if (isDone || shortened) next.compressed.push(markOf(file))
  }
  writeWhole({ path, content: JSON.stringify(next), mode: 0o600 })
  return changed
}

/** Removes the logs that were put aside, not compressed, and not written to since a moment. */
export function removeRotated(directory: string, before: Date): number {
  const old = rotatedIn(directory, ROTATED, before)
  for (const path of old) removeFile(path)
  return old.length
}

const rotatedIn = (directory: string, pattern: RegExp, before: Date): string[] =>
  logsIn(directory, pattern, ({ mtimeMs }) => mtimeMs < before.getTime())

function readDone(path: string): Done {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Done
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return { sites: {}, compressed: [] }
    throw error
  }
}

type Asked = { before: Date; last: string; temporary: string }

async function shortenSite(directory: string, { before, last, temporary }: Asked) {
  const lastDay = before.toISOString().slice(0, 10)
  const files = filesOf(directory, 'acceso')
  const from = files.findIndex(({ name }) => name === last) + 1
  const due = files.slice(from).filter(({ day }) => day < lastDay)
  let reached = last
  for (const { name } of due) {
    const path = join(directory, name)
    if (!(await rewrite(path, { made: unfinishedIn(temporary), through: [linesOf(sameLength)] }))) break
    reached = name
  }
  return { files: due.length, last: reached }
}

const shortenCompressed = (path: string, temporary: string): Promise<boolean> =>
  rewrite(path, {
    made: unfinishedIn(temporary),
    through: [createGunzip(), linesOf(shorter), createGzip()],
  })

const damaged = (path: string, report: (message: string) => void) => (error: unknown) => {
  report(`addresses in ${path}: ${rootMessage(error)}`)
  return false
}

type Rewriting = { made: string; through: Transform[] }

/** Whether the file could be replaced by what comes through: not if it was written to or moved meanwhile. */
async function rewrite(path: string, { made, through }: Rewriting): Promise<boolean> {
  const before = lstatSync(path, { throwIfNoEntry: false })
  if (!before?.isFile()) return false
  try {
    await pipeline([
      createReadStream(path),
      ...through,
      createWriteStream(made, { mode: before.mode & 0o777 }),
    ])
    utimesSync(made, before.atime, before.mtime)
    const now = lstatSync(path, { throwIfNoEntry: false })
    if (now?.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs) return false
    putInPlace(made, path)
    return true
  } finally {
    removeFile(made)
  }
}

const markOf = (path: string): string => {
  const { ino, size } = statSync(path)
  return `${ino} ${size}`
}

const shorter = (line: string) =>
  line.replace(ADDRESS, (_, head: string, address: string) => `${head}${shortenAddress(address)}`)

/** Blanks after a row's value mean nothing in JSON. */
const sameLength = (line: string) =>
  line.replace(/("direccion":")([0-9a-fA-F:.]{2,45})"/, (whole, head: string, address: string) =>
    `${head}${shortenAddress(address)}"`.padEnd(whole.length, ' '),
  )

/** Bytes of lines as one letter each, whatever they mean. */
function linesOf(change: (line: string) => string): Transform {
  let rest = ''
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      const lines = (rest + part.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      done(null, Buffer.from(lines.map((line) => `${change(line)}\n`).join(''), 'latin1'))
    },
    flush(done) {
      done(null, Buffer.from(change(rest), 'latin1'))
    },
  })
}

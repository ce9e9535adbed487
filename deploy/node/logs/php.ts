import { randomInt } from 'node:crypto'
import { lstatSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { Layout } from '../files/layout.ts'
import { hasCode, removeFile } from '../host/files.ts'

/** A site's log as PHP writes it, in its client's directory, and once it was taken from there. */
const WRITTEN = /^php-([1-9]\d{0,15})\.log$/
const TAKEN = /^php-([1-9]\d{0,15})\.log\.(\d{20})$/

/** PHP opens the file anew for each line; one that had it open writes on this long at most. */
const SETTLE_MS = 50
const READ_MS = 3_000
/** No more than this is taken of a log at once. */
const MOST_BYTES = 16 * 1024 * 1024
const SHOWN_AT = '/var/log/php'

export type TakenLog = { siteId: number; name: string }

const directoryOf = (layout: Layout, clientId: number) => join(layout.client(clientId), 'logs')

/** Whether PHP of one of the client's sites has written anything that was not taken yet. */
export const hasWritten = (layout: Layout, clientId: number): boolean =>
  namesIn(directoryOf(layout, clientId)).some((name) => WRITTEN.test(name) || TAKEN.test(name))

/**
 * Gives each log that PHP has written a name of its own, so that PHP begins another one; answers those and what an
 * earlier taking left. The directory is the customer's own, so nothing in it is opened, emptied or followed here.
 */
export async function takeLogs(layout: Layout, clientId: number): Promise<TakenLog[]> {
  const directory = directoryOf(layout, clientId)
  let renamed = false
  for (const name of namesIn(directory)) {
    const path = join(directory, name)
    if (!WRITTEN.test(name) || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue
    renameSync(path, `${path}.${ownNumber()}`)
    renamed = true
  }
  if (renamed) await Bun.sleep(SETTLE_MS)
  return namesIn(directory)
    .flatMap((name) => {
      const [, site, number] = TAKEN.exec(name) ?? []
      return number === undefined ? [] : { siteId: Number(site), number, name }
    })
    .sort((a, b) => (a.number < b.number ? -1 : 1))
}

/** Later ones are higher, and none comes twice. */
const ownNumber = () =>
  `${String(Date.now()).padStart(14, '0')}${String(randomInt(1_000_000)).padStart(6, '0')}`

/** What stands in such a log, read as its client. An error if it could not be read to its end, so that none is lost. */
export async function readTaken(
  run: NodeDriver['runCaged'],
  layout: Layout,
  { clientId, name }: { clientId: number; name: string },
): Promise<string> {
  const caged = await run({
    client: { clientId, sites: [] },
    sees: 'client',
    argv: ['head', '-c', String(MOST_BYTES), '--', `${SHOWN_AT}/${name}`],
    directory: '/',
    deadlineMs: READ_MS,
    readOnly: true,
    shows: [{ from: directoryOf(layout, clientId), at: SHOWN_AT }],
  })
  const text = await new Response(caged.stdout).text()
  const end = await caged.ended
  if (end.code !== 0) throw new Error(`${name} was not read: ${end.reason}: ${end.stderr}`)
  return text
}

/** Removes a log that was read. */
export const forgetTaken = (layout: Layout, clientId: number, name: string): void =>
  void removeFile(join(directoryOf(layout, clientId), name))

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

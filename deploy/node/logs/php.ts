import { randomInt } from 'node:crypto'
import { lstatSync, renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import { siteIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { exists, hasCode, removeFile } from '../host/files.ts'

/** A site's log as PHP writes it, in its client's directory, and once it was taken from there. */
const WRITTEN = /^php-([1-9]\d{0,15})\.log$/
const TAKEN = /^php-([1-9]\d{0,15})\.log\.(\d{20})$/

/** PHP opens the file anew for each line; one that had it open writes on this long at most. */
const SETTLE_MS = 50
const READ_MS = 3_000
/** No more than this is taken of a log at once: the panel answers nobody while it takes it apart. */
const MOST_BYTES = 2 * 1024 * 1024
/** Some thousand names: whoever follows a log asks twice a second, and the panel does nothing else meanwhile. */
const OFTEN_LISTED_BYTES = 64 * 1024
/** Some hundred thousand, beside other work. */
const LISTED_BYTES = 4 * 1024 * 1024
/** At once: others' logs wait for these, and anybody can make names that look as if they were taken. */
const TAKEN_OF_A_SITE = 4
const SHOWN_AT = '/var/log/php'

export type TakenLog = { siteId: number; name: string }

const directoryOf = (layout: Layout, clientId: number) => join(layout.client(clientId), 'logs')

/**
 * Whether PHP of one of the client's sites has written anything that was not taken yet. In a directory that its client
 * has filled, what an earlier taking left counts only once more was written.
 */
export async function hasWritten(layout: Layout, clientId: number): Promise<boolean> {
  const names = await namesIn(layout, clientId, OFTEN_LISTED_BYTES)
  return names.some((name) => WRITTEN.test(name) || TAKEN.test(name))
}

/**
 * Gives each log that PHP has written a name of its own, so that PHP begins another one; answers those and what an
 * earlier taking left. The directory is the customer's own, so nothing in it is opened, emptied or followed here.
 */
export async function takeLogs(layout: Layout, clientId: number): Promise<TakenLog[]> {
  const directory = directoryOf(layout, clientId)
  const names = await namesIn(layout, clientId, LISTED_BYTES)
  const renamed: string[] = []
  for (const name of names) {
    const path = join(directory, name)
    if (!WRITTEN.test(name) || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue
    const taken = `${name}.${ownNumber()}`
    renameSync(path, join(directory, taken))
    renamed.push(taken)
  }
  if (renamed.length > 0) await Bun.sleep(SETTLE_MS)
  return [...names, ...renamed]
    .flatMap((name) => {
      const [, site, number] = TAKEN.exec(name) ?? []
      return number === undefined ? [] : { siteId: Number(site), number, name }
    })
    .sort((a, b) => (a.number < b.number ? -1 : 1))
    .slice(0, TAKEN_OF_A_SITE * (1 + siteIdsOf(layout, clientId).length))
}

/** Later ones are higher, and none comes twice. */
const ownNumber = () =>
  `${String(Date.now()).padStart(14, '0')}${String(randomInt(1_000_000)).padStart(6, '0')}`

/**
 * What stands in such a log, read as its client. An error if it could not be read to its end, so that none is lost: 503
 * where that is its client's doing, who may hold it with a lease or put a FIFO there.
 */
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
  if (end.reason === 'refused') throw new Error(`${name} was not read: ${end.stderr}`)
  if (end.code !== 0) throw new AppError('no_disponible', { retryAfterSeconds: 5 })
  return text
}

/** Removes a log that was read. */
export const forgetTaken = (layout: Layout, clientId: number, name: string): void =>
  void removeFile(join(directoryOf(layout, clientId), name))

/** The names in a client's directory; of one that is larger, only those of the logs of its sites. */
async function namesIn(layout: Layout, clientId: number, mostBytes: number): Promise<string[]> {
  const directory = directoryOf(layout, clientId)
  try {
    if (lstatSync(directory).size <= mostBytes) return await readdir(directory)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
  const logs = siteIdsOf(layout, clientId).map((id) => `php-${id}.log`)
  return logs.filter((name) => exists(join(directory, name)))
}

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLayout, type Layout } from '../../deploy/node/files/layout.ts'
import { createBin } from '../../deploy/node/trash/bin.ts'
import { createSizes } from '../../deploy/node/trash/sizes.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { BinEntry, BinPort } from '../../lib/endpoint/ports/bin.ts'
import { purgeDeletedJob, restoreDeletedJob } from '../../lib/trash/job.ts'
import type { RunningJob } from '../../lib/work/running.ts'
import { partly } from '../support/partly.ts'

const AT = new Date('2026-11-20T10:00:00Z')
const END_OF_TIME = new Date(8.64e15)

let layout: Layout
let bin: ReturnType<typeof createBin>
let ended: number[]
/** What ending a client's processes waits for. */
let ending: Promise<void>

beforeEach(() => {
  layout = createLayout(mkdtempSync(join(tmpdir(), 'bin-')))
  for (const path of [layout.bin, layout.clients, layout.restored]) mkdirSync(path)
  ended = []
  ending = Promise.resolve()
  bin = createBin({
    layout,
    identity: { root: null, web: null, customer: () => null, accessLists: null },
    now: () => AT,
    endProcesses: (clientId) => {
      ended.push(clientId)
      return ending
    },
  })
})
afterEach(() => rmSync(layout.base, { recursive: true }))

/** A deleted site with these document roots, each with one file. */
function deleted({ home = layout.bin, siteId = 9, clientId = 4, roots = ['public'] } = {}): string {
  const entry = join(home, `sitio-${siteId}`)
  for (const root of roots) {
    mkdirSync(join(entry, 'files', root), { recursive: true })
    writeFileSync(join(entry, 'files', root, 'de.txt'), root)
  }
  const note = { kind: 'site', clientId, siteId, domain: `s${siteId}.es`, deletedAt: AT.toISOString() }
  writeFileSync(join(entry, 'entry.json'), JSON.stringify(note))
  return `sitio-${siteId}`
}

const ids = (entries: BinEntry[]) => entries.map(({ id }) => id).sort()

test('what was a client’s is looked for in the common bin and in its own, not in those of others', () => {
  deleted({ siteId: 1 })
  for (const clientId of [4, 5]) {
    const home = join(layout.client(clientId), '.bin')
    mkdirSync(home, { recursive: true })
    deleted({ home, clientId, siteId: 10 * clientId })
  }
  expect(ids(bin.list())).toEqual(['sitio-1', 'sitio-40', 'sitio-50'])
  expect(ids(bin.list(4))).toEqual(['sitio-1', 'sitio-40'])
  expect(ids(bin.list(0))).toEqual(['sitio-1'])
  expect([bin.find('sitio-50', 4), bin.find('sitio-50')?.clientId]).toEqual([null, 5])
})

test('an entry that is being removed is neither found nor restored, and what a killed purge left goes with the next', async () => {
  const id = deleted()
  const purging = bin.purge({ id })
  expect([bin.list(), bin.find(id), await bin.restore(id)]).toEqual([[], null, null])
  expect(await purging).toEqual([id])
  mkdirSync(join(layout.bin, 'sitio-8.purga-0a', 'files', 'public'), { recursive: true })
  expect([bin.list(), await bin.purge({ id: 'sitio-7' })]).toEqual([[], []])
  expect(await bin.purge({ before: new Date(0) })).toEqual(['sitio-8'])
  expect([readdirSync(layout.bin), readdirSync(layout.restored)]).toEqual([[], []])
})

test('an entry that is being restored is not purged', async () => {
  const id = deleted()
  const { promise, resolve } = Promise.withResolvers<void>()
  ending = promise
  const restoring = bin.restore(id)
  expect(await bin.purge({ before: END_OF_TIME })).toEqual([])
  resolve()
  const path = (await restoring) ?? ''
  expect(readFileSync(join(path, 'public/de.txt'), 'utf8')).toBe('public')
})

test('a restore whose entry another process takes away meanwhile fails', async () => {
  const id = deleted()
  const { promise, resolve } = Promise.withResolvers<void>()
  ending = promise
  const restoring = [bin.restore(id), bin.restore(id, { clientId: 4, siteId: 12 })]
  rmSync(join(layout.bin, id), { recursive: true })
  resolve()
  const reasons = (await Promise.allSettled(restoring)).map((one) => one.status === 'rejected' && one.reason)
  expect(reasons).toMatchObject([{ codigo: 'entrada_no_existe' }, { codigo: 'entrada_no_existe' }])
})

test('a site that has something at any of the places gets nothing at all', async () => {
  const id = deleted({ roots: ['a', 'b', 'public'] })
  const to = { clientId: 4, siteId: 12 }
  for (const root of ['a', 'b', 'public']) mkdirSync(join(layout.site(4, 12), root), { recursive: true })
  expect(bin.isBare(to, id)).toBe(true)
  writeFileSync(join(layout.site(4, 12), 'b', 'suyo.txt'), '')
  expect(bin.isBare(to, id)).toBe(false)
  await expect(bin.restore(id, to)).rejects.toMatchObject({ codigo: 'sitio_no_vacio' })
  expect(readdirSync(join(layout.bin, id, 'files')).sort()).toEqual(['a', 'b', 'public'])
  rmSync(join(layout.site(4, 12), 'b', 'suyo.txt'))
  expect(await bin.restore(id, to)).toBe(layout.publicOf(4, 12))
  expect(readFileSync(join(layout.site(4, 12), 'b', 'de.txt'), 'utf8')).toBe('b')
  expect(bin.find(id)).toBe(null)
})

test('the processes of a client that only has the number now go on', async () => {
  await bin.restore(deleted(), undefined, { endsProcesses: false })
  expect(ended).toEqual([])
  await bin.restore(deleted({ siteId: 10 }), undefined, { endsProcesses: true })
  expect(ended).toEqual([4])
})

test('a tree that takes all of the time keeps no other from being measured', async () => {
  const walked: string[][] = []
  const sizes = createSizes(
    ({ id }) => id,
    async (paths, { found }) => {
      walked.push(paths)
      for (const [index, path] of paths.entries()) {
        if (path === 'large') return
        found(index, { diskBytes: 5, nestedBytes: 0, inodes: 1, complete: true })
      }
    },
  )
  const entries = ['one', 'large', 'two'].map(
    (id): BinEntry => ({ id, kind: 'client', clientId: 4, name: id, deletedAt: AT }),
  )
  const known = new Map([
    ['one', 5],
    ['two', 5],
  ])
  expect(await sizes(entries, 10_000)).toEqual(known)
  expect(await sizes(entries, 10_000)).toEqual(known)
  expect(walked).toEqual([['one', 'large', 'two'], ['two']])
})

/** Runs a job on an entry of this bin; answers its result. */
async function run(kind: typeof restoreDeletedJob, payload: Record<string, unknown>): Promise<unknown> {
  let result: unknown = null
  const job = partly<RunningJob>({
    ...{ id: 'job_1', target: 'sitio-9', attempts: 2, error: null, step: null },
    payload: { deletedAt: AT.getTime(), site: null, database: null, ...payload },
    signal: new AbortController().signal,
    answers: (given: unknown) => {
      result = given
    },
  })
  // All that these need on an entry that has left the bin.
  const services = partly<Services>({ driver: { bin: bin satisfies BinPort } })
  await kind.run(services, job, async (_, step) => void (await step()))
  return result
}

test('a killed restore whose entry is gone has ended only if it had come to taking it', async () => {
  await expect(run(restoreDeletedJob, {})).rejects.toMatchObject({ codigo: 'entrada_no_existe' })
  await expect(run(restoreDeletedJob, { taking: false })).rejects.toMatchObject({
    codigo: 'entrada_no_existe',
  })
  expect(await run(restoreDeletedJob, { taking: true })).toEqual({
    ruta: join(layout.restored, `sitio-9-${AT.getTime()}`),
  })
})

test('removing for good takes a slot of slow work, and leaves alone what was given the id later', async () => {
  const id = deleted()
  await run(purgeDeletedJob, { deletedAt: AT.getTime() - 1 })
  expect(bin.find(id)).not.toBe(null)
  await run(purgeDeletedJob, {})
  expect([existsSync(join(layout.bin, id)), purgeDeletedJob.slow]).toEqual([false, true])
})

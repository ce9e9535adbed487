import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sizeOf } from '../../deploy/node/databases/sizes.ts'
import { watchGrowth } from '../../deploy/node/databases/watching/growth.ts'

const MUCH = 10 * 1024 * 1024
const data = mkdtempSync(join(tmpdir(), 'growth-'))
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** A base of so many tables, the first of which grows when told. */
function baseOf(name: string, tables: number): () => void {
  mkdirSync(join(data, name), { recursive: true })
  for (let at = 0; at < tables; at += 1) {
    for (const kind of ['ibd', 'frm']) writeFileSync(join(data, name, `t${at}.${kind}`), '')
  }
  writeFileSync(join(data, name, 'db.opt'), 'counts for nothing')
  return () => truncateSync(join(data, name, 't0.ibd'), MUCH)
}

const session = (owner: string, isBusy = true) => ({
  ...{ id: 1, owner, isBusy, isKilled: false, thread: 1, ms: 60_000, bytes: 0 },
})

/** Watches the bases of these names, which are those of their accounts too. */
const watched = (...accounts: string[]) =>
  watchGrowth({
    administration: {
      run: async (question) =>
        question.includes('mysql.proc') ? [] : accounts.map((account) => ({ account, base: account })),
    },
    ...{ data, everyMs: 1_000, clientOf: (account) => accounts.indexOf(account) + 1 },
  })

test('a base is as large as its files and its programs, and one that is not there holds nothing', async () => {
  baseOf('ana', 3)()
  writeFileSync(join(data, 'ana', 'v.frm'), 'a view')
  writeFileSync(join(data, 'ana', 't0.TRG'), 'triggers')
  const rows = [
    { base: 'ana', bytes: '40' },
    { base: 'ana', bytes: '2' },
  ]
  const server = { run: async (question: string) => (question.includes("'ana'") ? rows : []) }
  const bytes = MUCH + 'a view'.length + 'triggers'.length + 42
  expect(await sizeOf(server, data, ['ana'])).toEqual({ bytes, files: 8 })
  expect(await sizeOf(server, data, ['nobody'])).toEqual({ bytes: 0, files: 0 })
  expect(await sizeOf(server, data, ['ana', 'nobody'])).toEqual({ bytes, files: 8 })
})

test('a base of few files is looked at each time, and told of once', async () => {
  const grow = baseOf('ana', 3)
  const growth = watched('ana')
  await growth.look([session('ana')])
  expect(growth.take()).toEqual([])
  grow()
  await growth.look([session('ana')])
  expect(growth.hasGrown()).toBe(true)
  expect(growth.take()).toEqual([1])
  await growth.look([session('ana')])
  expect(growth.take()).toEqual([])
})

test('a base of many files is looked at less often, also when its client has done nothing since', async () => {
  const grow = baseOf('ana', 1_200)
  const growth = watched('ana')
  await growth.look([session('ana')])
  grow()
  const told = []
  for (const isBusy of [true, false, false]) {
    await growth.look([session('ana', isBusy)])
    told.push(growth.take())
  }
  expect(told).toEqual([[], [], [1]])
})

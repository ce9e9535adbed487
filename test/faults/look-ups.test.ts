import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@libsql/client'
import { embeddedClient } from '../../deploy/node/database/embedded.ts'
import { LookUps } from '../../deploy/node/database/look-ups.ts'

let folder: string
let path: string
let client: Client
const statement = {}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'look-ups-'))
  path = join(folder, 'panel.db')
  client = embeddedClient(path)
  await client.execute('CREATE TABLE bearers (id TEXT PRIMARY KEY, revoked INTEGER NOT NULL)')
  await client.execute("INSERT INTO bearers VALUES ('a', 0), ('b', 0)")
})
afterEach(async () => {
  client.close()
  await rm(folder, { recursive: true, force: true })
})

/** Whether a bearer is revoked, as the panel asks; null when there is none. */
async function revoked(id: string): Promise<unknown> {
  const sql = 'SELECT revoked FROM bearers WHERE id = ? limit ?'
  const { rows } = await client.execute({ sql, args: [id, 1] })
  return rows[0]?.[0] ?? null
}

/** Changes the database in a process of its own. */
async function elsewhere(sql: string): Promise<void> {
  const code = `const Driver = require('libsql'); const db = new Driver(process.argv[1]); db.exec(process.argv[2]); db.close()`
  const child = Bun.spawn([process.execPath, '-e', code, path, sql], { cwd: import.meta.dir })
  expect(await child.exited).toBe(0)
}

test('a row that was looked up is kept until the next commit', () => {
  const lookUps = LookUps.of(path)
  let looks = 0
  const look = () => [++looks]
  for (let i = 0; i < 3; i++) expect(lookUps?.row(statement, 'a', look)).toEqual([1])
  expect(lookUps?.row(statement, 'b', look)).toEqual([2])
  expect(lookUps?.row({}, 'a', look)).toEqual([3])
})

test('what is not there is looked up again', () => {
  const lookUps = LookUps.of(path)
  let looks = 0
  for (let i = 0; i < 3; i++) lookUps?.row(statement, 'none', () => void looks++)
  expect(looks).toBe(3)
})

test('a commit is seen by the very next look-up, whoever made it', async () => {
  for (let value = 1; value <= 20; value++) {
    await client.execute({ sql: 'UPDATE bearers SET revoked = ?', args: [value] })
    expect([await revoked('a'), await revoked('b')]).toEqual([value, value])
  }
  const transaction = await client.transaction('write')
  await transaction.execute("UPDATE bearers SET revoked = 50 WHERE id = 'a'")
  expect(await revoked('a')).toBe(20)
  await transaction.commit()
  expect(await revoked('a')).toBe(50)
  await elsewhere('UPDATE bearers SET revoked = 60')
  expect(await revoked('a')).toBe(60)
  await elsewhere('UPDATE bearers SET revoked = 70; PRAGMA wal_checkpoint(TRUNCATE)')
  expect(await revoked('a')).toBe(70)
  await elsewhere("DELETE FROM bearers WHERE id = 'a'")
  expect(await revoked('a')).toBeNull()
})

test('what was rolled back never happened', async () => {
  expect(await revoked('a')).toBe(0)
  const transaction = await client.transaction('write')
  await transaction.execute('UPDATE bearers SET revoked = 1')
  await transaction.rollback()
  expect(await revoked('a')).toBe(0)
})

test('a commit during the look-up is not missed', async () => {
  const lookUps = LookUps.of(path)
  const row = lookUps?.row(statement, 'a', () => {
    Bun.spawnSync(
      [
        process.execPath,
        '-e',
        "const D = require('libsql'); new D(process.argv[1]).exec('UPDATE bearers SET revoked = 9')",
        path,
      ],
      { cwd: import.meta.dir },
    )
    return ['old']
  })
  expect(row).toEqual(['old'])
  expect(lookUps?.row(statement, 'a', () => ['new'])).toEqual(['new'])
})

test('so many keys that they would fill the memory are not kept', () => {
  const lookUps = LookUps.of(path)
  let looks = 0
  const look = () => [++looks]
  for (let key = 0; key < 2_500; key++) lookUps?.row(statement, `k${key}`, look)
  expect(lookUps?.row(statement, 'k2499', look)).toEqual([2_500])
  lookUps?.row(statement, 'k0', look)
  expect(looks).toBe(2_501)
})

test('a database without a WAL index is looked at each time', () => {
  expect(LookUps.of(join(folder, 'none.db'))).toBeNull()
})

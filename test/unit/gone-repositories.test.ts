import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeRepository } from '../../deploy/node/backups/remove-repository.ts'

const NAME = 'c4-0123456789'
const GONE = new Date('2026-01-01T00:00:00Z')
const store = mkdtempSync(join(tmpdir(), 'gone-'))
const path = join(store, NAME)
afterAll(() => rmSync(store, { recursive: true }))

beforeEach(() => {
  rmSync(path, { recursive: true, force: true })
  for (const part of ['data', 'index', 'keys', 'snapshots']) mkdirSync(join(path, part), { recursive: true })
  writeFileSync(join(path, 'config'), 'x')
  for (const part of ['index', 'keys', 'snapshots']) utimesSync(join(path, part), GONE, GONE)
})

const remove = (name = NAME, kind: 'carpeta' | 's3' = 'carpeta') =>
  removeRepository({ destination: { kind, url: store, credential: null, hostKey: null }, name, goneAt: GONE })

test('a repository of a deleted client is removed, and one that is gone already counts as that', () => {
  expect([remove(), existsSync(path), remove()]).toEqual([true, false, true])
})

test('one that somebody has written to since stays, and that is told', () => {
  writeFileSync(join(path, 'snapshots', 'later'), 'x')
  expect(() => remove()).toThrow('goes on writing')
  expect(existsSync(path)).toBe(true)
})

test.each(['nodo', '../nodo', '', 'c4', 'c4-0123456789/data'])('%p is no name of a client’s', (name) => {
  expect([remove(name), existsSync(path)]).toEqual([false, true])
})

test('what is no repository, lies behind a link, or is kept elsewhere, stays', () => {
  expect(remove(NAME, 's3')).toBe(false)
  renameSync(path, join(store, 'real'))
  symlinkSync(join(store, 'real'), path)
  expect([remove(), existsSync(join(store, 'real', 'config'))]).toEqual([false, true])
  rmSync(path)
  renameSync(join(store, 'real'), path)
  rmSync(join(path, 'config'))
  expect([remove(), existsSync(path)]).toEqual([false, true])
})

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { faultsOf } from '../../.ci/commits.ts'

const SCRIPT = resolve(import.meta.dir, '../../.ci/commits.ts')
const folder = mkdtempSync(join(tmpdir(), 'commits-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  'Refuse bearers while the database is unreadable',
  'Embed the fonts',
  'Pass on what a program prints',
  'Feed the meter from the node',
  'Bring the mirror back after a clock that was set back: it stalled',
  'Give HTTP/2 its own limit\n\nA body of two\nlines.\n',
  `Name the source\n\nhttps://example.org/${'a'.repeat(120)}`,
  `${'Say it in seventy-one letters '.padEnd(70, 'x')}y`,
])('a message by the rules passes: %j', (message) => {
  expect(faultsOf(message)).toEqual([])
})

test.each([
  [`${'Say it in seventy-two letters '.padEnd(71, 'x')}y`, 'longer than 71'],
  ['Refuse bearers.', 'full stop'],
  ['feat: Refuse bearers', 'prefix'],
  ['Fix(api): refuse bearers', 'prefix'],
  ['test/unit: refuse bearers', 'prefix'],
  ['refuse bearers', 'capital'],
  ['Refuse bearers (#12)', 'number'],
  ['Refuse bearers, issue 12', 'number'],
  ['Refused bearers', 'imperative'],
  ['Refusing bearers', 'imperative'],
  ['Refuses bearers', 'imperative'],
  ['The bearers are refused', 'imperative'],
  ['Refuse bearers\nwhile nobody looks', 'blank line'],
  [`Refuse bearers\n\n${'a word '.repeat(15)}`, 'longer than 100'],
])('a message is refused, and its fault named: %j', (message, fault) => {
  expect(faultsOf(message)).toContainEqual(expect.stringContaining(fault))
})

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org']
  const ran = Bun.spawnSync(['git', '-C', folder, ...identity, ...args])
  expect(ran.exitCode).toBe(0)
  return ran.stdout.toString().trim()
}

const check = (...args: string[]) => {
  const ran = Bun.spawnSync(['bun', SCRIPT, ...args])
  return { status: ran.exitCode, output: ran.stdout.toString(), error: ran.stderr.toString() }
}

test('only what is newer than the base is checked, and a folder without history passes', () => {
  expect(check('HEAD', folder)).toEqual({
    status: 0,
    output: expect.stringContaining('no history'),
    error: '',
  })
  git('init', '--quiet')
  const commit = (message: string) => git('commit', '--quiet', '--allow-empty', '-m', message)
  commit('fixed.')
  const base = git('rev-parse', 'HEAD')
  commit('Say what is wrong')
  expect(check(base, folder)).toEqual({ status: 0, output: '', error: '' })
  commit('wip')
  const { status, error } = check(base, folder)
  expect([status, error.trim().split('\n')]).toEqual([1, [expect.stringContaining('wip: the subject does')]])
})

test('the commits of this checkout keep the rules', () => {
  expect(check()).toEqual({ status: 0, output: expect.any(String), error: '' })
})

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A panel numbers its clients from above all users that there are: those made here are made in a copy. */
const APART = 'cp -a /etc "$1" && mount --bind "$1" /etc && shift && exec "$@"'
const CHILD = resolve(import.meta.dir, 'bulk-users-child.ts')

test('many users are made at once as useradd makes them, and nobody else loses one', () => {
  const copy = mkdtempSync(join(tmpdir(), 'etc-'))
  const tests = ['bun', 'test', '--timeout', '60000', CHILD]
  const own = ['--mount', '--propagation', 'private', 'sh', '-c', APART, 'sh', join(copy, 'etc')]
  const { status, stdout, stderr } = spawnSync('/usr/bin/unshare', [...own, ...tests], { encoding: 'utf8' })
  rmSync(copy, { recursive: true })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  expect(stderr).toMatch(/^ 3 pass$/m)
}, 120_000)

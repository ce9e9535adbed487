import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitUser, userQuotas } from '../../deploy/node/usage/user-quota.ts'
import type { Seen } from './kernel/guest.ts'

const MIB = 1024 * 1024
const KERNEL = '/usr/bin/linux.uml'
const OVER = 'Disk quota exceeded'

let directory = ''
let seen: Map<string, Seen>

/** A kernel of its own that has the quota formats, whatever this machine's has: Debian's user-mode Linux. */
beforeAll(async () => {
  if (!existsSync(KERNEL))
    throw new Error('Debian’s user-mode-linux is not installed, or not there for this processor')
  directory = mkdtempSync(join(tmpdir(), 'quota-'))
  disk('ext4', 64, ['mkfs.ext4', '-q', '-F', '-O', 'quota', '-E', 'quotatype=usrquota'])
  disk('xfs', 400, ['mkfs.xfs', '-q', '-f'])
  disk('none', 64, ['mkfs.ext4', '-q', '-F'])
  const kernel = Bun.spawn(
    [
      KERNEL,
      'mem=1G',
      'root=none',
      'rootfstype=hostfs',
      'rootflags=/',
      'ro',
      ...['ext4', 'xfs', 'none'].map((name, index) => `ubd${index + 1}=${join(directory, name)}`),
      `uml_dir=${directory}`,
      'con=null',
      'con0=null,fd:1',
      'quiet',
      `cp_bun=${process.execPath}`,
      `cp_guest=${join(import.meta.dir, 'kernel/guest.ts')}`,
      'init=/bin/sh',
      '--',
      join(import.meta.dir, 'kernel/init.sh'),
    ],
    {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { TMPDIR: directory, PATH: '/usr/bin:/bin' },
      timeout: 50_000,
      killSignal: 'SIGKILL',
    },
  )
  const output = await new Response(kernel.stdout).text()
  seen = new Map([...output.matchAll(/^SEEN (.*?)\r?$/gm)].map(([, line = '']) => JSON.parse(line)))
  if (seen.size !== 3) throw new Error(`the kernel ended early: ${output.slice(-2000)}`)
}, 60_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function disk(name: string, mebibytes: number, make: string[]): void {
  const path = join(directory, name)
  writeFileSync(path, '')
  truncateSync(path, mebibytes * MIB)
  const { exitCode, stderr } = Bun.spawnSync([...make, path])
  if (exitCode !== 0) throw new Error(`${make[0]}: ${stderr}`)
}

test.each(['ext4', 'xfs'])(
  '%s with user quota counts each client and holds it to its plan, and nobody else',
  (name) => {
    expect(seen.get(name)).toMatchObject({
      kept: true,
      held: true,
      wrote: expect.stringContaining(OVER),
      made: expect.stringContaining(OVER),
      other: '',
      source: 'cuota cuota',
      inodes: 12,
      lifted: '',
      nothing: expect.stringContaining(OVER),
    })
    expect(seen.get(name)?.bytes).toBeWithin(1.8 * MIB, 2 * MIB + 1)
    expect(seen.get(name)?.otherBytes).toBeWithin(4 * MIB, 4.1 * MIB)
  },
)

test('ext4 without quota is walked, and says that it holds nobody', () => {
  expect(seen.get('none')).toMatchObject({
    kept: false,
    held: false,
    wrote: '',
    made: '',
    source: 'recorrido recorrido',
    nothing: '',
  })
  expect(seen.get('none')?.otherBytes).toBeWithin(4 * MIB, 4.1 * MIB)
})

test('a file system that can have no quota is no fault', async () => {
  expect(await userQuotas('/proc')).toBeNull()
  expect(await limitUser(20_001, { diskBytes: MIB, inodes: 1 }, '/proc')).toBe(false)
})

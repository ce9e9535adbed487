import { beforeAll, expect, test } from 'bun:test'
import { limitUser, userQuotas } from '../../deploy/node/usage/user-quota.ts'
import { runInMachine } from '../support/machine/machine.ts'
import type { Seen } from './quota-guest.ts'

const MIB = 1024 * 1024
const BOOT_DEADLINE_MS = 300_000
const OVER = 'Disk quota exceeded'
const DISKS = [
  { mebibytes: 64, format: ['/sbin/mkfs.ext4', '-q', '-F', '-O', 'quota', '-E', 'quotatype=usrquota'] },
  { mebibytes: 400, format: ['/sbin/mkfs.xfs', '-q', '-f'] },
  { mebibytes: 64, format: ['/sbin/mkfs.ext4', '-q', '-F'] },
]

let seen: Map<string, Seen>

/** A machine of its own, whose kernel has the quota formats whatever this one's has. */
beforeAll(async () => {
  const { said, console } = await runInMachine('test/usage/quota-guest.ts', {
    disks: DISKS,
    deadlineMs: BOOT_DEADLINE_MS,
  })
  seen = new Map([...said.matchAll(/^(\[.*\])$/gm)].map(([, line = '']) => JSON.parse(line)))
  if (seen.size !== DISKS.length)
    throw new Error(`the machine ended early: ${said.slice(-4000)}\n${console.slice(-4000)}`)
}, BOOT_DEADLINE_MS + 60_000)

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

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitUser, userQuotas } from '../../deploy/node/usage/user-quota.ts'
import type { Seen } from './kernel/guest.ts'

const MIB = 1024 * 1024
const QEMU = 'qemu-system-x86_64'
const KERNEL = join(import.meta.dir, '../../.tools/kernel')
const DISKS = ['ext4', 'xfs', 'none']
const BOOT_DEADLINE_MS = 150_000
const OVER = 'Disk quota exceeded'

let directory = ''
let seen: Map<string, Seen>

/** A machine of its own, whose kernel has the quota formats whatever this one's has. */
beforeAll(async () => {
  if (Bun.which(QEMU) === null || !existsSync(KERNEL))
    throw new Error('QEMU or its kernel is missing: `sh test/run` brings them, on amd64 alone')
  directory = mkdtempSync(join(tmpdir(), 'quota-'))
  make('sh', join(import.meta.dir, 'kernel/pack.sh'), directory, KERNEL, process.execPath)
  disk('ext4', 64, ['/sbin/mkfs.ext4', '-q', '-F', '-O', 'quota', '-E', 'quotatype=usrquota'])
  disk('xfs', 400, ['/sbin/mkfs.xfs', '-q', '-f'])
  disk('none', 64, ['/sbin/mkfs.ext4', '-q', '-F'])
  writeFileSync(join(directory, 'seen'), '')
  const output = await boot()
  const lines = readFileSync(join(directory, 'seen'), 'utf8').matchAll(/^(\[.*\])\r?$/gm)
  seen = new Map([...lines].map(([, line = '']) => JSON.parse(line)))
  if (seen.size !== DISKS.length) throw new Error(`the machine ended early: ${output.slice(-4000)}`)
}, BOOT_DEADLINE_MS + 10_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs the machine to its end; answers what it and QEMU have said. */
async function boot(): Promise<string> {
  const machine = Bun.spawn(
    [
      QEMU,
      // Emulated in full: /dev/kvm brings this machine's processor with it, and may open and yet run no kernel.
      ...['-accel', 'tcg', '-cpu', 'max', '-m', '1G', '-no-reboot'],
      ...['-nodefaults', '-no-user-config', '-display', 'none', '-serial', 'stdio', '-serial', 'file:seen'],
      ...['-kernel', 'vmlinuz', '-initrd', 'files', '-append', 'console=ttyS0 panic=-1'],
      ...DISKS.flatMap((name) => ['-drive', `file=${name},format=raw,if=virtio,cache=unsafe`]),
    ],
    {
      cwd: directory,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: BOOT_DEADLINE_MS,
      killSignal: 'SIGKILL',
    },
  )
  const streams = [machine.stdout, machine.stderr].map((stream) => new Response(stream).text())
  const [said, complaints] = await Promise.all(streams)
  await machine.exited
  return `${complaints}${said}\n${QEMU}: ${machine.signalCode ?? machine.exitCode}`
}

function disk(name: string, mebibytes: number, program: string[]): void {
  const path = join(directory, name)
  writeFileSync(path, '')
  truncateSync(path, mebibytes * MIB)
  make(...program, path)
}

function make(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
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

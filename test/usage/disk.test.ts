import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSubvolume } from '../../deploy/node/usage/btrfs.ts'
import { type DiskMeterOptions, diskMeter } from '../../deploy/node/usage/disk.ts'
import { fileSystemOf } from '../../deploy/node/usage/filesystem.ts'
import { parseReport } from '../../deploy/node/usage/user-quota.ts'

const MIB = 1_048_576
let directory: string
/** A loop btrfs whose mount point has a blank, as /proc/self/mountinfo escapes it. */
let base: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'disk-'))
  await chmod(directory, 0o755)
  const image = join(directory, 'image')
  base = join(directory, 'the mount')
  await mkdir(base)
  await run('truncate', '-s', '300M', image)
  await run('mkfs.btrfs', '-q', image)
  await run('mount', '-o', 'loop', image, base)
})
afterAll(async () => {
  await run('umount', base)
  await rm(directory, { recursive: true })
})

async function run(...argv: string[]): Promise<void> {
  const child = Bun.spawn(argv, { stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
}

const options = (at: string): DiskMeterOptions => ({
  base: at,
  clientDirectory: (id) => join(at, String(id)),
  userOf: () => null,
  onIncomplete: (id) => {
    throw new Error(`client ${id} was not read in full`)
  },
})
const meter = (at: string) => diskMeter(options(at))

test('where no quota is kept, a walk measures, and a client without a directory is left out', async () => {
  const plain = join(directory, 'plain')
  await mkdir(join(plain, '1'), { recursive: true })
  await writeFile(join(plain, '1/file'), Buffer.alloc(2 * MIB, 1))
  const [use, ...rest] = await meter(plain).measure([1, 2])
  expect(rest).toEqual([])
  expect(use).toMatchObject({ clientId: 1, inodes: 2, source: 'recorrido' })
  expect(use?.diskBytes).toBeWithin(2 * MIB, 2.1 * MIB)
  expect(await meter(plain).applyLimits({ clientId: 1, diskBytes: MIB, inodes: 5 })).toBe(false)
})

test('what a client has in the bin is walked with its own, and nobody else’s', async () => {
  const plain = join(directory, 'with-bin')
  for (const folder of ['1', '2', 'bin/one', 'bin/two']) await mkdir(join(plain, folder), { recursive: true })
  await writeFile(join(plain, '1/file'), Buffer.alloc(MIB, 1))
  await writeFile(join(plain, 'bin/one/file'), Buffer.alloc(2 * MIB, 1))
  await writeFile(join(plain, 'bin/two/file'), Buffer.alloc(MIB, 1))
  const deleted = () =>
    new Map([
      [1, ['one', 'two', 'gone'].map((name) => join(plain, 'bin', name))],
      [3, [join(plain, 'bin/one')]],
    ])
  const [own, other, ...rest] = await diskMeter({ ...options(plain), deleted }).measure([1, 2, 3])
  expect(rest).toEqual([])
  expect(own).toMatchObject({ clientId: 1, inodes: 6 })
  expect(own?.diskBytes).toBeWithin(4 * MIB, 4.2 * MIB)
  expect(other).toMatchObject({ clientId: 2, inodes: 1 })
})

/** Has two deleted files open, one of them twice, the other by a mapping alone; and one that is not deleted. */
const HOLDER = `import mmap, os, sys, time
os.chdir(sys.argv[1])
def file(name):
    fd = os.open(name, os.O_CREAT | os.O_RDWR)
    os.write(fd, bytes(1 << 20))
    os.fsync(fd)
    return fd
twice = file('twice')
os.dup(twice)
os.unlink('twice')
mapped = file('mapped')
held = mmap.mmap(mapped, 1 << 20)
os.close(mapped)
os.unlink('mapped')
file('stays')
print('there', flush=True)
time.sleep(60)`

test('deleted files that a program of the client’s has open count as its own', async () => {
  const plain = join(directory, 'held')
  const group = join(directory, 'group')
  for (const folder of [join(plain, '1'), join(plain, '2'), group]) await mkdir(folder, { recursive: true })
  const holder = Bun.spawn(['python3', '-c', HOLDER, join(plain, '1')], { stdout: 'pipe' })
  await holder.stdout.getReader().read()
  for (const list of ['cgroup.procs', 'tasks']) await writeFile(join(group, list), `${holder.pid}\n`)
  const groupOf = (id: number) => (id === 1 ? group : null)
  const [use, other] = await diskMeter({ ...options(plain), groupOf }).measure([1, 2])
  holder.kill()
  expect(use).toMatchObject({ clientId: 1, inodes: 4, source: 'recorrido', partial: false })
  expect(use?.diskBytes).toBeWithin(3 * MIB, 3.1 * MIB)
  expect(other).toMatchObject({ clientId: 2, inodes: 1 })
  await holder.exited
  expect((await diskMeter({ ...options(plain), groupOf }).measure([1]))[0]).toMatchObject({ inodes: 2 })
})

test('btrfs without quota is walked; with it, the kernel’s own count and limit hold', async () => {
  const fileSystem = await fileSystemOf(base)
  expect(fileSystem).toEqual({ type: 'btrfs', mountPoint: base })
  // Without quotas a subvolume would only be left out of the operator's snapshots.
  expect(await makeSubvolume(base, join(base, '1'))).toBe(false)
  await run('btrfs', 'subvolume', 'create', join(base, '1'))
  await writeFile(join(base, '1/file'), Buffer.alloc(3 * MIB, 1))
  expect(await meter(base).measure([1])).toMatchObject([{ source: 'recorrido', inodes: 2 }])
  expect(await meter(base).applyLimits({ clientId: 1, diskBytes: MIB, inodes: null })).toBe(false)

  await run('btrfs', 'quota', 'enable', base)
  await run('btrfs', 'quota', 'rescan', '-w', base)
  const [use] = await meter(base).measure([1])
  expect(use).toMatchObject({ clientId: 1, source: 'cuota', inodes: 2 })
  expect(use?.diskBytes).toBeWithin(3 * MIB, 3.2 * MIB)

  expect(await meter(base).applyLimits({ clientId: 1, diskBytes: 5 * MIB, inodes: null })).toBe(true)
  // btrfs-progs 6.2 crashes on the JSON form of a table with a limit in it.
  expect(await meter(base).measure([1])).toMatchObject([{ source: 'cuota' }])
  const write = (name: string) => writeFile(join(base, '1', name), Buffer.alloc(8 * MIB, 1))
  await expect(write('too-much')).rejects.toMatchObject({ code: 'EDQUOT' })
  expect(await meter(base).applyLimits({ clientId: 1, diskBytes: null, inodes: null })).toBe(true)
  await rm(join(base, '1/too-much'))
  await write('enough')
})

test('one client’s files are never another’s, by name or by subvolumes of its own making', async () => {
  for (const id of ['2', '22']) expect(await makeSubvolume(base, join(base, id))).toBe(true)
  expect(await makeSubvolume(base, join(base, '2'))).toBe(false)
  await chown(join(base, '2'), 65534, 65534)
  await writeFile(join(base, '22/file'), Buffer.alloc(4 * MIB, 1))
  // A customer may make subvolumes below its directory, and name them as it likes.
  const asCustomer = ['setpriv', '--reuid', '65534', '--clear-groups']
  const forged = join(base, '2', 'x\n0/258 1 1 22')
  await run(...asCustomer, 'mkdir', '-p', join(forged, '..'))
  await run(...asCustomer, 'btrfs', 'subvolume', 'create', forged)
  const hostile = join(base, '2', '","path": "22')
  await run(...asCustomer, 'btrfs', 'subvolume', 'create', hostile)
  await writeFile(join(hostile, 'hidden'), Buffer.alloc(6 * MIB, 1))
  const uses = new Map((await meter(base).measure([2, 22])).map((use) => [use.clientId, use]))
  expect(uses.get(2)).toMatchObject({ source: 'cuota', inodes: 5 })
  expect(uses.get(2)?.diskBytes).toBeWithin(6 * MIB, 6.2 * MIB)
  expect(uses.get(22)?.diskBytes).toBeWithin(4 * MIB, 4.2 * MIB)
})

test('a plain directory on btrfs is walked, and a moved subvolume goes with its files', async () => {
  await mkdir(join(base, '3'))
  await writeFile(join(base, '3/file'), Buffer.alloc(MIB, 1))
  expect(await meter(base).measure([3])).toMatchObject([{ source: 'recorrido', inodes: 2 }])
  await makeSubvolume(base, join(base, '4'))
  await mkdir(join(base, 'bin'))
  await rename(join(base, '4'), join(base, 'bin/4'))
  expect(await meter(base).measure([4])).toEqual([])
  await rm(join(base, 'bin/4'), { recursive: true })
})

test('a user quota report is read by its heading; ids alone name users', () => {
  const report = [
    '*** Report for user quotas on device /dev/vda',
    'User,BlockStatus,FileStatus,BlockUsed,BlockSoftLimit,BlockHardLimit,BlockGrace,FileUsed,FileSoftLimit,FileHardLimit,FileGrace',
    '#0,ok,ok,20,0,0,,2,0,0,',
    '#20001,ok,ok,1500,0,2048,,17,0,100,',
    'mallory,ok,ok,1,0,0,,1,0,0,',
    '',
  ].join('\n')
  expect(parseReport(report)?.get(20_001)).toEqual({ diskBytes: 1500 * 1024, inodes: 17 })
  expect(parseReport(report)?.size).toBe(2)
  expect(parseReport('repquota: no quota enabled')).toBeNull()
})

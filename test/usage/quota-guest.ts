import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { diskMeter } from '../../deploy/node/usage/disk.ts'
import { limitUser, userQuotas } from '../../deploy/node/usage/user-quota.ts'

/** What is seen on one file system, for user-quota.test.ts to judge. */
export type Seen = {
  kept: boolean
  held: boolean
  wrote: string
  made: string
  other: string
  source: string
  bytes: number
  otherBytes: number
  inodes: number
  lifted: string
  nothing: string
}

const MIB = 1024 * 1024
const UID = 20_000

// What has these is read by programs there; this machine's is not to be changed.
rmSync('/etc/mtab', { force: true })
symlinkSync('/proc/self/mounts', '/etc/mtab')
for (const [name, device, options] of [
  ['ext4', 'vda', 'usrquota'],
  ['xfs', 'vdb', 'uquota'],
  ['none', 'vdc', 'rw'],
] as const) {
  const type = name === 'none' ? 'ext4' : name
  mkdirSync(join('/mnt', name), { recursive: true })
  Bun.spawnSync(['mount', '-t', type, '-o', options, `/dev/${device}`, join('/mnt', name)])
  const seen = await look(join('/mnt', name)).catch((error: Error) => ({ error: error.message }))
  console.log(JSON.stringify([name, seen]))
}

async function look(mount: string): Promise<Seen> {
  const base = join(mount, 'c')
  mkdirSync(base)
  for (const id of [1, 2]) {
    mkdirSync(join(base, String(id)))
    chownSync(join(base, String(id)), UID + id, UID + id)
    chmodSync(join(base, String(id)), 0o700)
  }
  const meter = diskMeter({
    base,
    clientDirectory: (id) => join(base, String(id)),
    userOf: (id) => UID + id,
    onIncomplete: () => undefined,
  })
  const limit = (diskBytes: number | null, inodes: number | null) =>
    meter.applyLimits({ clientId: 1, diskBytes, inodes })
  const kept = (await userQuotas(mount)) !== null
  const held = await limit(2 * MIB, 12)
  const wrote = write(base, 1, 'much', 4)
  const other = write(base, 2, 'much', 4)
  const [full, two] = await meter.measure([1, 2])
  as(1, 'rm', join(base, '1', 'much'))
  const made = as(1, 'touch', ...Array.from({ length: 20 }, (_, i) => join(base, '1', `f${i}`)))
  const [crowded] = await meter.measure([1])
  await limit(null, null)
  const lifted = write(base, 1, 'more', 4)
  as(1, 'rm', join(base, '1', 'more'))
  await limitUser(UID + 3, { diskBytes: 0, inodes: 0 }, mount)
  mkdirSync(join(base, '3'), { mode: 0o700 })
  // The smallest limit: one inode, which its own directory takes.
  chownSync(join(base, '3'), UID + 3, UID + 3)
  const nothing = as(3, 'touch', join(base, '3', 'f'))
  return {
    kept,
    held,
    wrote,
    made,
    other,
    source: `${full?.source} ${two?.source}`,
    bytes: full?.diskBytes ?? -1,
    otherBytes: two?.diskBytes ?? -1,
    inodes: crowded?.inodes ?? -1,
    lifted,
    nothing,
  }
}

/** Writes this many MiB as a client; answers what went wrong. */
function write(base: string, id: number, name: string, mebibytes: number): string {
  const path = join(base, String(id), name)
  return as(
    id,
    'dd',
    'if=/dev/zero',
    `of=${path}`,
    'bs=64k',
    `count=${16 * mebibytes}`,
    'conv=fsync',
    'status=none',
  )
}

function as(id: number, ...argv: string[]): string {
  const user = ['setpriv', `--reuid=${UID + id}`, `--regid=${UID + id}`, '--clear-groups', ...argv]
  return Bun.spawnSync(user, { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }).stderr.toString()
}

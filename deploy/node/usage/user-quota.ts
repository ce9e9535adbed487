import { outputOf } from './program.ts'

const KIB = 1024

/** Bytes and inodes of each user on a file system, by user id. */
export type UserQuotas = Map<number, { diskBytes: number; inodes: number }>

/** What the kernel counts for each user of a mounted ext4 or xfs; null where it keeps no user quota. */
export async function userQuotas(mountPoint: string): Promise<UserQuotas | null> {
  const output = await outputOf(['/usr/sbin/repquota', '-u', '-n', '-O', 'csv', mountPoint])
  return output === null ? null : parseReport(output)
}

/** Sets a user's hard limits, null for none; false where there is no quota. Disk rounds up to KiB. */
export async function limitUser(
  uid: number,
  limits: { diskBytes: number | null; inodes: number | null },
  mountPoint: string,
): Promise<boolean> {
  // Zero means unlimited to the kernel, so a limit of zero becomes the smallest possible one.
  const blocks = limits.diskBytes === null ? 0 : Math.max(1, Math.ceil(limits.diskBytes / KIB))
  const inodes = limits.inodes === null ? 0 : Math.max(1, limits.inodes)
  const argv = ['-u', String(uid), '0', String(blocks), '0', String(inodes), mountPoint]
  return (await outputOf(['/usr/sbin/setquota', ...argv])) !== null
}

/** Reads repquota's CSV by its heading, so that another version's further columns do no harm. */
export function parseReport(csv: string): UserQuotas | null {
  const rows = csv.split('\n').map((line) => line.split(','))
  const heading = rows.findIndex((row) => row[0] === 'User')
  const names = rows[heading] ?? []
  const blocks = names.findIndex((name) => name === 'BlockUsed' || name === 'SpaceUsed')
  const files = names.indexOf('FileUsed')
  if (heading < 0 || blocks < 0 || files < 0) return null
  const quotas: UserQuotas = new Map()
  for (const row of rows.slice(heading + 1)) {
    const uid = /^#(\d+)$/.exec(row[0] ?? '')?.[1]
    const [used, inodes] = [Number(row[blocks]), Number(row[files])]
    if (uid === undefined || !Number.isSafeInteger(used) || !Number.isSafeInteger(inodes)) continue
    quotas.set(Number(uid), { diskBytes: used * KIB, inodes })
  }
  return quotas
}

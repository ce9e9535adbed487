import { existsSync } from 'node:fs'
import type { DiskUse } from '../../../lib/endpoint/node-port.ts'
import { hasSubvolumeQuota, limitSubvolume, makeSubvolume, settleCounts, subvolumeBytes } from './btrfs.ts'
import { fileSystemOf } from './filesystem.ts'
import { limitUser, userQuotas } from './user-quota.ts'
import type { Walked } from './walk.ts'
import { walkDirectories } from './walker.ts'

const WALK_DEADLINE_MS = 3_600_000

/** Whether the file system of a directory counts and limits each client's use. */
export async function hasQuota(base: string): Promise<boolean> {
  const { type, mountPoint } = await fileSystemOf(base)
  if (type === 'btrfs') return hasSubvolumeQuota(base)
  return (type === 'ext4' || type === 'xfs') && (await userQuotas(mountPoint)) !== null
}

export type DiskMeterOptions = {
  /** A directory above all clients', on their file system. */
  base: string
  clientDirectory: (clientId: number) => string
  /** The client's own Unix user; null where all share the panel's. */
  userOf: (clientId: number) => number | null
  /**
   * Where each client's deleted sites lie, while they are in the bin. They are its own files still, which quotas count; and
   * what has one of their folders open goes on writing there.
   */
  deleted?: () => Map<number, string[]>
  /** The control group of what the client runs, which may hold deleted files open; null where it has none. */
  groupOf?: (clientId: number) => string | null
  /** Called for clients whose directories could not be read completely. */
  onIncomplete: (clientId: number) => void
  walkDeadlineMs?: number
}

/**
 * Measures disk and inodes of clients: by the kernel's quota where the file system keeps one (`cuota`), else
 * by a walk (`recorrido`). The kind is found anew at each call, since quotas may be switched on or off. A
 * client without a directory, or not reached in time, is left out: its last measurement stays, with its age.
 */
export function diskMeter(options: DiskMeterOptions) {
  return {
    async measure(clientIds: number[]): Promise<DiskUse[]> {
      if (clientIds.length === 0) return []
      const { type, mountPoint } = await fileSystemOf(options.base)
      if (type === 'btrfs') return measureSubvolumes(options, clientIds)
      const users = type === 'ext4' || type === 'xfs' ? await userQuotas(mountPoint) : null
      return users === null ? walk(options, clientIds) : measureUsers(options, clientIds, users)
    },

    /** Makes a new client's directory one that the file system counts by itself, if it can. */
    async prepare(clientId: number): Promise<void> {
      const path = options.clientDirectory(clientId)
      if (!existsSync(path)) await makeSubvolume(options.base, path)
    },

    /**
     * Sets a client's limits in the file system itself; null lifts a limit. Returns false if there is no quota, and
     * then only the panel's own check (507) applies.
     */
    async applyLimits(client: {
      clientId: number
      diskBytes: number | null
      inodes: number | null
    }): Promise<boolean> {
      const { type, mountPoint } = await fileSystemOf(options.base)
      if (type === 'btrfs') return limitSubvolume(options.clientDirectory(client.clientId), client.diskBytes)
      const uid = options.userOf(client.clientId)
      if (uid === null || (type !== 'ext4' && type !== 'xfs')) return false
      return limitUser(uid, client, mountPoint)
    },
  }
}

/**
 * Quota groups count only bytes, so inodes come from a walk. So do the bytes of subvolumes that a customer made
 * inside its own: these have groups of their own, and nothing can be hidden in them.
 */
async function measureSubvolumes(options: DiskMeterOptions, clientIds: number[]): Promise<DiskUse[]> {
  const uses = await walk(options, clientIds)
  await settleCounts(options.base)
  const measured: DiskUse[] = []
  for (const { nestedBytes, ...use } of uses) {
    const bytes = await subvolumeBytes(options.clientDirectory(use.clientId))
    measured.push(bytes === null ? use : { ...use, diskBytes: bytes + nestedBytes, source: 'cuota' })
  }
  return measured
}

async function measureUsers(
  options: DiskMeterOptions,
  clientIds: number[],
  users: Map<number, { diskBytes: number; inodes: number }>,
): Promise<DiskUse[]> {
  const own: DiskUse[] = []
  const shared: number[] = []
  for (const clientId of clientIds) {
    const uid = options.userOf(clientId)
    // A user that the report leaves out owns nothing.
    const use = uid === null ? null : (users.get(uid) ?? { diskBytes: 0, inodes: 0 })
    if (use === null) shared.push(clientId)
    else own.push({ clientId, ...use, source: 'cuota' })
  }
  return [...own, ...(await walk(options, shared))]
}

type WalkedUse = DiskUse & { nestedBytes: number }

async function walk(options: DiskMeterOptions, clientIds: number[]): Promise<WalkedUse[]> {
  const deleted = options.deleted?.() ?? new Map<number, string[]>()
  const places = clientIds.flatMap((clientId) => {
    const own = {
      clientId,
      path: options.clientDirectory(clientId),
      group: options.groupOf?.(clientId) ?? null,
    }
    return [own, ...(deleted.get(clientId) ?? []).map((path) => ({ clientId, path, group: null }))]
  })
  const uses = new Map<number, WalkedUse>()
  const found = (index: number, walked: Walked | null) => {
    const clientId = places[index]?.clientId
    if (clientId === undefined || walked === null) return
    const before = uses.get(clientId)
    // Its own directory comes first: whoever has none is left out.
    if (before === undefined && places[index]?.path !== options.clientDirectory(clientId)) return
    if (!walked.complete) options.onIncomplete(clientId)
    uses.set(clientId, {
      clientId,
      diskBytes: (before?.diskBytes ?? 0) + walked.diskBytes,
      inodes: (before?.inodes ?? 0) + walked.inodes,
      nestedBytes: (before?.nestedBytes ?? 0) + walked.nestedBytes,
      source: 'recorrido',
      partial: !walked.complete || before?.partial === true,
    })
  }
  const deadlineMs = options.walkDeadlineMs ?? WALK_DEADLINE_MS
  const paths = places.map(({ path }) => path)
  const groups = places.map(({ group }) => group)
  await walkDirectories(paths, { deadlineMs, found, groups })
  return [...uses.values()]
}

import { rmSync } from 'node:fs'
import type { Repository } from '../../../../lib/endpoint/ports/backups.ts'
import { UsageError } from '../../commands/output.ts'
import { ensureDirectory } from '../../host/files.ts'
import { PROGRAM_ENVIRONMENT } from '../../services/program.ts'
import { identityOf, readSnapshot, type Snapshot, snapshotsIn } from '../restic.ts'
import type { Places } from '../target.ts'
import { askedTime } from './asked-time.ts'

const TAR = '/usr/bin/tar'
/** What tar says of a disk that is full: of a block that was written in part it tells no reason. */
const NO_ROOM = /Wrote only \d+ of|No space left|Disk quota exceeded/

type Wanted = {
  repository: Repository
  /** An empty directory of root's. */
  staging: string
  /** The day of the copy that is wanted, or a moment at which it was the last; null takes the latest that can be read. */
  of: string | null
}

/** The copies of a node in the order in which they are tried; for one that is asked for by a moment, no other. */
export function decideTried(
  all: Pick<Snapshot, 'id' | 'time'>[],
  of: string | null,
): Pick<Snapshot, 'id' | 'time'>[] {
  const latestFirst = all.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
  if (latestFirst.length === 0) throw new UsageError('the destination has no copy of a node yet')
  if (of === null) return latestFirst
  const { from, to, lastAlone } = askedTime(of)
  const found = latestFirst.filter(({ time }) => from <= Date.parse(time) && Date.parse(time) <= to)
  if (found.length > 0) return lastAlone ? found.slice(0, 1) : found
  const times = latestFirst.map(({ time }) => time).join(', ')
  const which = lastAlone ? `as old as ${of}` : `of ${of}`
  throw new UsageError(`no copy of the node is ${which}; there are those of ${times}`)
}

/**
 * Unpacks the latest copy of the node that is whole: where a store has lost a part of one, the one before it is nearly
 * as good. Answers of when it is, the moments of those that could not be read, and what the store is known by.
 */
export async function fetchCopy(places: Places, { repository, staging, of }: Wanted) {
  const { signal } = new AbortController()
  const all = await snapshotsIn(places, repository, signal)
  const store = await identityOf(places, repository, signal)
  const unreadable: string[] = []
  for (const { id, time } of decideTried(all, of)) {
    if (await unpack(readSnapshot(places, repository, id), staging)) return { when: time, unreadable, store }
    // Restic tries again and again to read what is lost, as if its store were away: only one that answers has lost it.
    await identityOf(places, repository, signal)
    process.stderr.write(
      `The copy of ${time} cannot be read: the destination has lost or changed a part of it.\n`,
    )
    unreadable.push(time)
  }
  throw new UsageError(`no copy of the node can be read: ${unreadable.join(', ')}`)
}

/** Whether a copy could be read to its end; throws where it was, and there is no room for it here. */
async function unpack(content: ReadableStream<Uint8Array>, staging: string): Promise<boolean> {
  rmSync(staging, { recursive: true, force: true })
  ensureDirectory(staging, { mode: 0o700, owner: null })
  const { stdin, stderr, exited } = Bun.spawn([TAR, '--extract', '--file=-', '-C', staging], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'pipe',
    env: PROGRAM_ENVIRONMENT,
  })
  const said = new Response(stderr).text()
  const whole = await fed(content, async (part) => {
    stdin.write(part)
    await stdin.flush()
  })
  await Promise.resolve(stdin.end()).catch(() => {})
  const code = await exited
  if (!whole) return false
  if (code === 0) return true
  // Restic checks what it reads: what was read is as it was kept, and an older copy would need as much room.
  const [why = ''] = (await said).split('\n')
  if (NO_ROOM.test(why)) throw new UsageError(`there is no room for the copy in ${staging}`)
  throw new UsageError(`the copy cannot be unpacked in ${staging}: ${why}`)
}

/** Whether all of a content could be read. Tar may stop listening at the end of its archive. */
async function fed(
  content: ReadableStream<Uint8Array>,
  write: (part: Uint8Array) => Promise<void>,
): Promise<boolean> {
  try {
    for await (const part of content) await write(part).catch(() => {})
    return true
  } catch {
    return false
  }
}

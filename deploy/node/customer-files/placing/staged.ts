import { roomFor } from '../faults.ts'
import { found } from '../places.ts'
import { LONG_MS, runToEnd } from '../programs.ts'
import type { Work } from '../work.ts'
import { merge, requireWay } from './merge.ts'

/** Where what is whole lies until all of it is in its place. */
const readyOf = ({ staging }: Pick<Work, 'staging'>) => `${staging}-listo`

type Making = {
  /** Makes it in the staging folder, which is there. */
  make: () => Promise<void>
  /** What of the staging folder goes where; the folder itself is the empty name. */
  targets: { name: string; to: string }[]
}

/**
 * Makes something beside its place and puts it among what is there. Once it is whole and has its way, it has another
 * name: an attempt that finds it goes on from there, with what is not in its place yet.
 */
export async function mergeStaged(work: Work, { make, targets }: Making): Promise<void> {
  const { session, staging, operation } = work
  const ready = readyOf(work)
  const pairsIn = (folder: string) =>
    targets.map(({ name, to }) => ({ from: name === '' ? folder : `${folder}/${name}`, to }))
  if (!(operation.again && (await found(session.lstat(ready))) !== null)) {
    await roomFor(session.mkdir(staging))
    await make()
    await requireWay(work, pairsIn(staging))
    await roomFor(session.rename(staging, ready))
  }
  try {
    await merge(work, pairsIn(ready))
  } finally {
    await removeTree(work, ready)
  }
}

/** Removes what an attempt made, also of an operation that was cancelled. */
export async function removeTree({ session, clearing }: Work, folder: string): Promise<void> {
  if ((await found(session.lstat(folder))) === null) return
  const argv = ['/usr/bin/rm', '-rf', '--one-file-system', '--', folder] as const
  await runToEnd(clearing, { argv, deadlineMs: LONG_MS })
}

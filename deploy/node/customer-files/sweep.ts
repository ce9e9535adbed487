import { opendirSync } from 'node:fs'
import { exists } from '../host/files.ts'
import type { SiteFolder } from './helpers.ts'
import { stagingOf } from './places.ts'
import { LONG_MS, requireSuccess, type StartProgram } from './programs.ts'

/** Whether anything lies in a staging folder, which its client may have filled with as much as it likes. */
export function holdsAny(staging: string): boolean {
  if (!exists(staging)) return false
  const folder = opendirSync(staging, { bufferSize: 1 })
  try {
    return folder.readSync() !== null
  } finally {
    folder.closeSync()
  }
}

/** Removes what lies there unchanged since then, as the client, whose it is; answers how many things. */
export async function removeLeft(folder: SiteFolder, before: Date, program: StartProgram): Promise<number> {
  const old = ['-mindepth', '1', '-maxdepth', '1', '!', '-newermt', before.toISOString()] as const
  const removing = [
    '-printf',
    '.',
    '-exec',
    '/usr/bin/rm',
    '-rf',
    '--one-file-system',
    '--',
    '{}',
    '+',
  ] as const
  const argv = ['/usr/bin/find', stagingOf(folder), ...old, ...removing] as const
  const running = await program(folder, { argv, deadlineMs: LONG_MS })
  let removed = 0
  for await (const chunk of running.stdout) removed += chunk.length
  await requireSuccess(running)
  return removed
}

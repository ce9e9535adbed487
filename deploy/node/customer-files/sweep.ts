import { opendirSync } from 'node:fs'
import { BIN } from '../files/layout.ts'
import { exists } from '../host/files.ts'
import { binOf } from './bin/entries.ts'
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

/**
 * Removes what lies there unchanged since `before`, and entries of the bin that are older than `binBefore`, as the
 * client, whose they are; returns how many things.
 */
export async function removeLeft(
  folder: SiteFolder,
  { before, binBefore }: { before: Date; binBefore: Date },
  program: StartProgram,
): Promise<number> {
  const left = [...at(1), '!', '-name', BIN, ...older(before), ...REMOVING]
  const binned = [...at(2), '-path', `${binOf(folder)}/*`, ...older(binBefore), ...REMOVING]
  const emptyBin = [...at(1), '-name', BIN, '-empty', '-delete']
  let removed = 0
  for (const which of [left, binned, emptyBin]) {
    const argv = ['/usr/bin/find', stagingOf(folder), ...which] as const
    const running = await program(folder, { argv, deadlineMs: LONG_MS })
    for await (const chunk of running.stdout) removed += chunk.length
    await requireSuccess(running)
  }
  return removed
}

const at = (depth: number) => ['-mindepth', `${depth}`, '-maxdepth', `${depth}`]
const older = (than: Date) => ['!', '-newermt', than.toISOString()]
const REMOVING = [
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

import { ensureDirectory, type Owner } from '../host/files.ts'
import { PROGRAM_ENVIRONMENT } from '../services/program.ts'

const TAR = '/usr/bin/tar'
const PRESERVING = ['--numeric-owner', '--acls', '--sparse']

/**
 * Copies a tree with its owners and modes to where nothing is yet. tar(1) goes from open directories to names and
 * follows no link, while cp(1) names whole paths: a process that swaps names meanwhile cannot lead the copy
 * elsewhere. Throws where such a process keeps it from reading everything.
 */
export async function copyTree(from: string, to: string, root: Owner | null): Promise<void> {
  ensureDirectory(to, { mode: 0o700, owner: root })
  const surroundings = { env: PROGRAM_ENVIRONMENT, cwd: '/', stderr: 'ignore' } as const
  const reader = Bun.spawn([TAR, '-C', from, ...PRESERVING, '--one-file-system', '-cf', '-', '.'], {
    ...surroundings,
    stdout: 'pipe',
  })
  const writer = Bun.spawn([TAR, '-C', to, ...PRESERVING, '-xpf', '-'], {
    ...surroundings,
    stdin: reader.stdout,
    stdout: 'ignore',
  })
  const codes = await Promise.all([reader.exited, writer.exited])
  // 1: a file changed while it was read.
  if (codes[0] > 1 || codes[1] !== 0)
    throw new Error(`deleted files could not be copied: tar ended with ${codes}`)
}

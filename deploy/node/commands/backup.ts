import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isNull } from 'drizzle-orm'
import { createDatabase } from '../../../lib/database.ts'
import { migrate, schemaVersion } from '../../../lib/migrate.ts'
import { sessions, signInSteps, tokens } from '../../../schema/tables.ts'
import { standingOn } from '../../config.ts'
import { clock } from '../clock.ts'
import { embeddedClient } from '../database/embedded.ts'
import { backupInto, databasePath, isShared } from '../database/open.ts'
import { servingFrom } from '../presence.ts'
import { createRuntime, nodeConfiguration } from '../runtime.ts'
import { type Output, typed, UsageError } from './output.ts'

/** `panel backup FILE`: a consistent copy, also while the panel serves. Keys are not in it. */
export async function backup(args: string[], output: Output): Promise<void> {
  const file = namedFile(args)
  if (!file) throw new UsageError(`usage: ${typed('backup FILE')}`)
  if (existsSync(file)) throw new UsageError(`${file} exists already`)
  if (isShared(nodeConfiguration(process.env).node))
    throw new UsageError('a database server is backed up with its own tools')
  const runtime = await createRuntime(process.env)
  await backupInto(runtime.client, file)
  await chmod(file, 0o600)
  await runtime.close()
  output.line({ copia: file }, [`Backup written to ${file}`])
}

/**
 * `panel restore FILE`: puts a backup in the place of the database. Its tokens and sessions are revoked,
 * since a copy may live beside its original, unless `--misma-identidad` says that it is the same panel.
 */
export async function restore(args: string[], output: Output): Promise<void> {
  const file = namedFile(args)
  if (!file || !existsSync(file)) throw new UsageError(`usage: ${typed('restore FILE [--misma-identidad]')}`)
  const { node: config } = nodeConfiguration(process.env)
  const target = databasePath(config)
  if (isShared(config)) {
    throw new UsageError('a database server is restored with its own tools')
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
  // One that serves holds the database open, and would go on writing into a file that is gone.
  if (servingFrom(config.dataDir).length > 0) throw new UsageError('stop the panel before restoring')
  const staged = `${target}.restoring`
  await copyFile(file, staged)
  await chmod(staged, 0o600)
  const now = clock(config.testClock)()
  const keep = args.includes('--misma-identidad')
  const revoked = await standingOn(file, () => prepareCopy(staged, now, keep)).catch(async (error) => {
    for (const ending of ['', '-wal', '-shm']) await rm(staged + ending, { force: true })
    throw error
  })
  for (const ending of ['-wal', '-shm']) await rm(target + ending, { force: true })
  await rename(staged, target)
  for (const ending of ['-wal', '-shm']) await rm(staged + ending, { force: true })
  output.line({ restaurado: target, tokens_revocados: revoked }, [
    `Restored ${file}`,
    keep ? 'Tokens and sessions work as before.' : `${revoked} tokens and all sessions were revoked.`,
  ])
}

/** The file that the arguments name, from where the command was given: deploy/panel works in the checkout. */
function namedFile(args: string[]): string | null {
  const file = args.find((arg) => !arg.startsWith('--'))
  return file ? resolve(process.env.PANEL_CWD ?? '.', file) : null
}

async function prepareCopy(path: string, now: Date, keep: boolean): Promise<number> {
  const client = embeddedClient(path)
  try {
    if ((await schemaVersion(client)) === 0) throw new UsageError('the file is no backup of a panel')
    await migrate(client, now, async () => {})
    if (keep) return 0
    return await createDatabase(client).write(async (tx) => {
      const dead = await tx
        .update(tokens)
        .set({ revokedAt: now, revokedWhy: 'restaurado' })
        .where(isNull(tokens.revokedAt))
        .returning({ id: tokens.id })
      tx.later(
        tx.update(sessions).set({ endedAt: now }).where(isNull(sessions.endedAt)),
        tx.delete(signInSteps),
      )
      return dead.length
    })
  } finally {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {})
    client.close()
  }
}

import { existsSync, statSync } from 'node:fs'
import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createDatabase } from '../../../lib/database.ts'
import { migrate, schemaVersion } from '../../../lib/migrate.ts'
import { type Revoked, revokeRestored } from '../../../lib/restored.ts'
import { type NodeConfig, standingOn } from '../../config.ts'
import { clock } from '../clock.ts'
import { embeddedClient } from '../database/embedded.ts'
import { backupInto, databasePath, isShared, makeDataDirectory } from '../database/open.ts'
import { clientsNames, keepName, namesIn, restoredName } from '../node-name.ts'
import { servingFrom } from '../presence.ts'
import { createRuntime, nodeConfiguration } from '../runtime.ts'
import { keysAdvice, keysMissingFrom } from './missing-keys.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel backup FILE`: a consistent copy, also while the panel serves. Keys are not in it. */
export async function backup(given: Given, output: Output): Promise<void> {
  const file = namedFile(given)
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
 * `panel restore FILE`: puts a backup in the place of the database. What it would bring back to life is revoked,
 * since a copy may be old or live beside its original, unless `--misma-identidad` says that it is the same panel.
 */
export async function restore(given: Given, output: Output): Promise<void> {
  const file = namedFile(given)
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`)
  if (!statSync(file).isFile()) throw new UsageError(`${file} is no file`)
  const { node: config, name } = nodeConfiguration(process.env)
  const target = databasePath(config)
  if (isShared(config)) {
    throw new UsageError('a database server is restored with its own tools')
  }
  await makeDataDirectory(config.dataDir)
  // One that serves holds the database open, and would go on writing into a file that is gone.
  if (servingFrom(config.dataDir).length > 0) throw new UsageError('stop the panel before restoring')
  const staged = `${target}.restoring`
  await copyFile(file, staged)
  await chmod(staged, 0o600)
  const now = clock(config.testClock)()
  const keep = given.has('--misma-identidad')
  const prepare = async () => {
    const copy = await prepareCopy(staged, now, keep)
    return { ...copy, node: restoredName(name, copy.names, await namesOf(target)) }
  }
  const { revoked, node } = await standingOn(file, prepare).catch(async (error) => {
    for (const ending of ['', '-wal', '-shm']) await rm(staged + ending, { force: true })
    throw error
  })
  for (const ending of ['-wal', '-shm']) await rm(target + ending, { force: true })
  await rename(staged, target)
  for (const ending of ['-wal', '-shm']) await rm(staged + ending, { force: true })
  if (node !== null) await keepName(config.dataDir, node)
  const lacking = await lackingIn(target, config)
  output.line(
    {
      restaurado: target,
      nodo: node,
      tokens_revocados: revoked?.tokens ?? 0,
      enlaces_anulados: revoked?.links ?? 0,
      correos_anulados: revoked?.mails ?? 0,
      codigos_anulados: revoked?.codes ?? 0,
      administradores: revoked?.admins ?? [],
      claves_ausentes: lacking,
    },
    [
      `Restored ${file}`,
      ...(node === null ? [] : [`The node's name is ${node}.`]),
      ...(revoked === null ? SAME_PANEL : aftermath(revoked)),
      ...(lacking.length > 0 ? [`Attention: ${keysAdvice(lacking, config)}`] : []),
    ],
  )
}

const SAME_PANEL = [
  'Tokens, sessions and links work as at the backup; mails that waited then are sent, some for a second time.',
]

/** What an operator has to know, and to look at, after a copy of some age has taken over. */
function aftermath({ tokens, links, mails, codes, admins }: Revoked): string[] {
  return [
    `${tokens} tokens and all sessions were revoked: make new tokens, and give them to what calls the panel.`,
    `${links} links that were open are dead: send anew those that are still wanted.`,
    `${mails} mails that waited are not sent, since they may have gone out after the backup.`,
    `${codes} recovery codes are void, since some may have been used: each person makes new ones.`,
    'Passwords and second factors are those of the backup, and whoever was shut out after it may sign in again.',
    `These admins may sign in; disable who should not: ${admins.join(', ') || 'nobody'}`,
  ]
}

type Prepared = { revoked: Revoked | null; names: string[] }

async function prepareCopy(path: string, now: Date, keep: boolean): Promise<Prepared> {
  const client = embeddedClient(path)
  try {
    if ((await schemaVersion(client)) === 0) throw new UsageError('the file is no backup of a panel')
    await migrate(client, now, async () => {})
    const db = createDatabase(client)
    const revoked = keep ? null : await db.write((tx) => revokeRestored(tx, now))
    return { revoked, names: await namesIn(db) }
  } finally {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {})
    client.close()
  }
}

/** The keys that the restored database needs and this panel lacks. */
async function lackingIn(path: string, config: NodeConfig): Promise<string[]> {
  const client = embeddedClient(path)
  try {
    return await keysMissingFrom(config, createDatabase(client).read)
  } finally {
    client.close()
  }
}

/** The names that the clients of the database that is replaced stand under. */
async function namesOf(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  const client = embeddedClient(path)
  try {
    return await clientsNames(createDatabase(client))
  } catch {
    // It is replaced because it cannot be read any more.
    return []
  } finally {
    client.close()
  }
}

/** The file that the arguments name, from where the command was given: deploy/panel works in the checkout. */
function namedFile(given: Given): string {
  return resolve(process.env.PANEL_CWD ?? '.', given.get('FILE') ?? '')
}

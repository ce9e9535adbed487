import { existsSync, statSync } from 'node:fs'
import { chmod, copyFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Client } from '@libsql/client'
import { type Revoked, revokeRestored } from '../../../lib/sign-in/restored.ts'
import { createDatabase, type Database } from '../../../lib/store/database.ts'
import { migrate, schemaVersion } from '../../../lib/store/migrate.ts'
import { counted } from '../../../lib/text/words.ts'
import { blaming } from '../../config.ts'
import { embeddedClient } from '../../database/embedded/database.ts'
import { backupInto, databasePath, isShared, makeDataDirectory } from '../database/open.ts'
import { clock } from '../host/clock.ts'
import { putInPlace } from '../host/files.ts'
import { stepHook } from '../host/test-hook.ts'
import { removeUnfinished, unfinishedIn } from '../host/unfinished.ts'
import { createRuntime, nodeConfiguration } from '../runtime.ts'
import { servingFrom } from '../services/presence.ts'
import { clientsNames, keepName, namesIn, restoredName } from '../settings/node-name.ts'
import { refuseOpen } from '../settings/secret-files.ts'
import { keysAdvice, keysMissingFrom } from './missing-keys.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel backup FILE`: a consistent copy, also while the panel serves. Keys are not in it. */
export async function backup(given: Given, output: Output): Promise<void> {
  const file = namedFile(given)
  if (existsSync(file)) throw new UsageError(`${file} exists already`)
  if (!existsSync(dirname(file))) throw new UsageError(`there is no folder ${dirname(file)}`)
  if (isShared(nodeConfiguration(process.env).node))
    throw new UsageError('a database server is backed up with its own tools')
  // Also of a copy that was ended before.
  removeUnfinished([dirname(file)])
  const runtime = await createRuntime(process.env)
  await backupInto(runtime.client, file)
  await runtime.close()
  output.line({ copia: file }, [`Backup written to ${file}`])
}

/**
 * `panel restore FILE`: puts a backup in the place of the database. Sessions, tokens and links that the backup would
 * bring back are revoked, since a copy may be old or its original may live on, unless `--misma-identidad` says that
 * it is the same panel.
 */
export async function restore(given: Given, output: Output): Promise<void> {
  const file = namedFile(given)
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`)
  if (!statSync(file).isFile()) throw new UsageError(`${file} is no file`)
  refuseOpen(file)
  const { node: config, name } = nodeConfiguration(process.env)
  const target = databasePath(config)
  if (isShared(config)) {
    throw new UsageError('a database server is restored with its own tools')
  }
  await makeDataDirectory(config.dataDir)
  // One that serves holds the database open, and would go on writing into a file that is gone.
  if (servingFrom(config.dataDir).length > 0) throw new UsageError('stop the panel before restoring')
  removeUnfinished([dirname(target)])
  const staged = unfinishedIn(dirname(target))
  const now = clock(config.testClock)()
  const keep = given.has('--misma-identidad')
  const prepare = async () => {
    await copyFile(file, staged)
    await chmod(staged, 0o600)
    const copy = await prepareCopy(staged, now, keep)
    return { ...copy, node: restoredName(name, copy.names, await namesOf(target)) }
  }
  const { revoked, node } = await blaming(file, prepare).catch(async (error) => {
    await rm(staged, { force: true })
    await removeJournal(staged)
    throw error
  })
  // The journal of the replaced database, already taken into its copy: SQLite would apply it to the new one.
  await removeJournal(target)
  putInPlace(staged, target)
  await removeJournal(staged)
  if (node !== null) await keepName(config.dataDir, node)
  const lacking = await inDatabase(target, (db) => keysMissingFrom(config, db.read))
  output.line(
    {
      restaurado: target,
      nodo: node,
      tokens_revocados: revoked?.tokens ?? 0,
      enlaces_anulados: revoked?.links ?? 0,
      correos_anulados: revoked?.mails ?? 0,
      codigos_anulados: revoked?.codes ?? 0,
      passkeys_quitadas: revoked?.passkeys ?? 0,
      webhooks_apagados: revoked?.webhooks ?? 0,
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

/** `panel recuperar`: this machine becomes the node that a destination has copies of. */
export async function recover(given: Given, output: Output): Promise<void> {
  const { recoverNode } = await import('../backups/recovery/recover.ts')
  const hook = stepHook(process.env)
  const passed = async (what: string) => hook?.({ kind: 'recuperar', clientName: null }, what, 'after')
  await recoverNode({ ...nodeConfiguration(process.env), passed }, given, output)
}

const SAME_PANEL = [
  'Tokens, sessions and links work as at the backup; mails that waited then are sent, some for a second time.',
]

/** What an operator has to know and to check after an older copy has taken over. */
function aftermath({ tokens, links, mails, codes, passkeys, webhooks, admins }: Revoked): string[] {
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  return [
    `${counted(tokens, 'token')} and all sessions were revoked: make new tokens, and give them to what calls the panel.`,
    `${counted(links, 'link')} that ${were(links)} open ${are(links)} dead: send anew what is still wanted.`,
    `${counted(mails, 'mail')} that waited ${are(mails)} not sent: what waited may have gone out after the backup.`,
    `${counted(codes, 'recovery code')} ${are(codes)} void, since some may have been used: each person makes new ones.`,
    `${counted(passkeys, 'passkey')} ${are(passkeys)} gone, since some may have been removed: each person adds new ones.`,
    `${counted(webhooks, 'webhook')} ${were(webhooks)} switched off: switch them on again if this copy takes over.`,
    'Passwords and second factors are those of the backup, and whoever was shut out after it may sign in again.',
    `These admins may sign in; disable who should not: ${admins.join(', ') || 'nobody'}`,
  ]
}

type Prepared = { revoked: Revoked | null; names: string[] }

async function prepareCopy(path: string, now: Date, keep: boolean): Promise<Prepared> {
  return inDatabase(path, async (db, client) => {
    if ((await schemaVersion(client)) === 0) throw new UsageError('the file is no backup of a panel')
    await migrate(client, now, async () => {})
    const revoked = keep ? null : await db.write((tx) => revokeRestored(tx, now))
    return { revoked, names: await namesIn(db) }
  })
}

/** The names that the clients of the database that is replaced stand under; none where it cannot be read any more. */
async function namesOf(path: string): Promise<string[]> {
  return existsSync(path) ? inDatabase(path, clientsNames).catch(() => []) : []
}

/** Opens a database, and leaves all of it in its one file. */
async function inDatabase<Found>(
  path: string,
  run: (db: Database, client: Client) => Promise<Found>,
): Promise<Found> {
  const client = embeddedClient(path)
  try {
    return await run(createDatabase(client), client)
  } finally {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {})
    client.close()
  }
}

async function removeJournal(path: string): Promise<void> {
  for (const ending of ['-wal', '-shm']) await rm(path + ending, { force: true })
}

/** The file that the arguments name, from where the command was given: deploy/panel works in the checkout. */
function namedFile(given: Given): string {
  return resolve(process.env.PANEL_CWD ?? '.', given.get('FILE') ?? '')
}

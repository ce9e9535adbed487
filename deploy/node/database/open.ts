import { existsSync } from 'node:fs'
import { chmod, mkdir, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '@libsql/client'
import { createDatabase, type Database, type Renewable } from '../../../lib/database.ts'
import { migrate } from '../../../lib/migrate.ts'
import { type NodeConfig, standingOn } from '../../config.ts'
import { createReserve } from '../space/reserve.ts'
import { embeddedClient } from './embedded.ts'

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(
  config: NodeConfig,
  now: () => Date,
): Promise<{ db: Database; client: Client }> {
  const client = await connect(config)
  await migrate(client, now(), async () => {
    if (!isShared(config)) {
      await backupInto(client, `${databasePath(config)}.before-${now().toISOString().replace(/[:.]/g, '-')}`)
    }
  })
  return { db: createDatabase(client), client }
}

/** Whether the database is a server's, which other hosts may use too. */
export function isShared(config: NodeConfig): config is NodeConfig & { databaseUrl: string } {
  return config.databaseUrl !== null && !config.databaseUrl.startsWith('file:')
}

/** The embedded database's file. */
export function databasePath(config: NodeConfig): string {
  return config.databaseUrl?.startsWith('file:')
    ? config.databaseUrl.slice(5)
    : join(config.dataDir, 'panel.db')
}

/** A consistent copy of the whole database in a new file, also while it is written to. */
export async function backupInto(client: Client, path: string): Promise<void> {
  await client.execute({ sql: 'VACUUM INTO ?', args: [path] })
}

/** Others may pass the data directory, whatever this process's umask says; one that is there keeps its mode. */
export async function makeDataDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o711 })
  if (made === undefined) return
  for (let at = path; at.startsWith(made); at = dirname(at)) await chmod(at, 0o711)
}

async function connect(config: NodeConfig): Promise<Renewable> {
  if (isShared(config)) {
    const { remoteClient } = await import('../../remote/database.ts')
    return remoteClient({ url: config.databaseUrl, token: config.databaseToken?.reveal() ?? null })
  }
  // Others may pass (the web server's files lie below), and read nothing: every file here has its own mode.
  await standingOn('PANEL_DATA', () => makeDataDirectory(config.dataDir))
  const path = databasePath(config)
  return standingOn(`the database ${path}`, async () => {
    // SQLite gives its journal the mode of the file that it finds.
    await (await open(path, 'a', 0o600)).close()
    // On a full disk its index of the journal needs a little room, and the fault that it tells has many names.
    const reserve = [config.dataDir, dirname(await realpath(path))].map((at) => join(at, 'reserva'))
    return createReserve(reserve.find(existsSync) ?? '').lend(async () => embeddedClient(path), false)
  })
}

import { existsSync } from 'node:fs'
import { chmod, mkdir, open, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '@libsql/client'
import { createDatabase, type Database, type Renewable } from '../../../lib/store/database.ts'
import { migrate } from '../../../lib/store/migrate.ts'
import { blaming, type NodeConfig } from '../../config.ts'
import { embeddedClient } from '../../database/embedded/database.ts'
import { putInPlace } from '../host/files.ts'
import { unfinishedIn } from '../host/unfinished.ts'
import { createReserve, WHATEVER } from '../space/reserve.ts'

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

/**
 * Makes a consistent copy of the whole database in a new file, even while it is written to. SQLite does not sync such
 * a copy and leaves half of it when killed, so the copy gets its name only once it is complete.
 */
export async function backupInto(client: Client, path: string): Promise<void> {
  const made = unfinishedIn(dirname(path))
  try {
    // SQLite writes into an empty file and leaves its mode: the copy is never readable by others.
    await (await open(made, 'wx', 0o600)).close()
    await client.execute({ sql: 'VACUUM INTO ?', args: [made] })
    putInPlace(made, path)
  } finally {
    await rm(made, { force: true })
  }
}

/** A new data directory can be traversed by other users whatever the umask; an existing one keeps its mode. */
export async function makeDataDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o711 })
  if (made === undefined) return
  for (let at = path; at.startsWith(made); at = dirname(at)) await chmod(at, 0o711)
}

async function connect(config: NodeConfig): Promise<Renewable> {
  if (isShared(config)) {
    const { remoteClient } = await import('../../database/remote/database.ts')
    return remoteClient({ url: config.databaseUrl, token: config.databaseToken?.reveal() ?? null })
  }
  // Others may traverse it to the web server's files below, and read nothing: each file has its own mode.
  await blaming('PANEL_DATA', () => makeDataDirectory(config.dataDir))
  const path = databasePath(config)
  return blaming(`the database ${path}`, async () => {
    // SQLite gives its journal the mode of the file that it finds.
    await (await open(path, 'a', 0o600)).close()
    // On a full disk the journal's index needs a little room; without it, many different errors occur.
    const reserve = [config.dataDir, dirname(await realpath(path))].map((at) => join(at, 'reserva'))
    return createReserve(reserve.find(existsSync) ?? '').lend(async () => embeddedClient(path), WHATEVER)
  })
}

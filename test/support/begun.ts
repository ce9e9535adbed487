import { Database } from 'bun:sqlite'
import { chmod, copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The database of a panel that has just been migrated, made once in a test process by the panel's own code: most tests
 * are not about the forty migrations, which take a twentieth of a start. A test that gives its own data directory, or
 * a database elsewhere, has its panel make it itself.
 */
let made: Promise<string> | null = null
let copies = 0

/** Puts a copy of it into a new data directory. */
export async function beginMigrated(dataDir: string): Promise<void> {
  made ??= make()
  const path = join(dataDir, 'panel.db')
  await copyFile(await made, path)
  await chmod(path, 0o600)
  const copy = new Database(path)
  // Panels tell each other apart by this (lib/backups/destination/owner.ts).
  copy.run('update migrations set applied_at = ?', [Date.now() - copies++])
  copy.close()
}

async function make(): Promise<string> {
  const [{ embeddedClient }, { migrate }] = await Promise.all([
    import('../../deploy/database/embedded/database.ts'),
    import('../../lib/store/migrate.ts'),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'panel-begun-'))
  const client = embeddedClient(join(folder, 'made.db'))
  await migrate(client, new Date(), async () => {})
  const whole = join(folder, 'panel.db')
  await client.execute({ sql: 'VACUUM INTO ?', args: [whole] })
  client.close()
  return whole
}

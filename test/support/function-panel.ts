import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argon2Passwords } from '../../deploy/node/passwords.ts'
import { remoteClient } from '../../deploy/remote/database.ts'
import { createDatabase, type Database } from '../../lib/database.ts'
import { type KeyRing, newKeyLine, parseKeyRing } from '../../lib/keys.ts'
import { migrate } from '../../lib/migrate.ts'
import { loopbackCertificate, trusting } from './certificate.ts'
import { FunctionHost, type FunctionHostOptions } from './function-host.ts'
import { type LibsqlServer, startLibsqlServer } from './libsql-server.ts'
import { random, seedAdmin, seedNode } from './seed.ts'

export const PASSWORD = 'una frase larga y rara 7'

/** A function host alone on a server of its own, with an admin and a node's row, but no node. */
export type FunctionPanel = {
  host: FunctionHost
  database: LibsqlServer
  db: Database
  keys: KeyRing
  admin: Awaited<ReturnType<typeof seedAdmin>>
  stop(): Promise<void>
}

export async function startFunctionPanel(
  options: Pick<FunctionHostOptions, 'entry' | 'assets' | 'env'> = {},
): Promise<FunctionPanel> {
  const folder = await mkdtemp(join(tmpdir(), 'function-'))
  const { ca, cert, key } = await loopbackCertificate()
  const database = await startLibsqlServer({ path: join(folder, 'shared.db'), tls: { cert, key } })
  const client = remoteClient({ url: database.url, token: database.token, fetch: trusting(ca) })
  await migrate(client, new Date(), async () => {})
  const db = createDatabase(client)
  const line = newKeyLine(random)
  const keys = parseKeyRing(line)
  const admin = await seedAdmin(db, keys, await argon2Passwords().hash(PASSWORD))
  await seedNode(db, 'nodo1')
  const host = await FunctionHost.start({ database, keys: line, ...options })
  return {
    host,
    database,
    db,
    keys,
    admin,
    async stop() {
      await host.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
import { type KeyRing, newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { loopbackCertificate, trusting } from './certificate.ts'
import { FunctionHost, type FunctionHostOptions } from './function-host.ts'
import { type LibsqlServer, startLibsqlServer } from './libsql-server.ts'
import { random, seedAdmin, seedNode } from './seed.ts'

export const PASSWORD = 'una frase larga y rara 7'

/** A server of its own, with an admin and a node's row, but no node. */
export type SharedDatabase = {
  database: LibsqlServer
  db: Database
  keys: KeyRing
  /** The key ring as it is configured. */
  keyLine: string
  admin: Awaited<ReturnType<typeof seedAdmin>>
  stop(): Promise<void>
}

/** A function host alone on such a server. */
export type FunctionPanel = SharedDatabase & { host: FunctionHost }

export async function startFunctionPanel(
  options: Pick<FunctionHostOptions, 'entry' | 'assets' | 'env'> = {},
): Promise<FunctionPanel> {
  const shared = await startSharedDatabase()
  const host = await FunctionHost.start({ database: shared.database, keys: shared.keyLine, ...options })
  return {
    ...shared,
    host,
    async stop() {
      await host.stop()
      await shared.stop()
    },
  }
}

export async function startSharedDatabase(): Promise<SharedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'function-'))
  const { ca, cert, key } = await loopbackCertificate()
  const database = await startLibsqlServer({ path: join(folder, 'shared.db'), tls: { cert, key } })
  const client = remoteClient({ url: database.url, token: database.token, fetch: trusting(ca) })
  await migrate(client, new Date(), async () => {})
  const db = createDatabase(client)
  const keyLine = newKeyLine(random)
  const keys = parseKeyRing(keyLine)
  const admin = await seedAdmin(db, keys, await argon2Passwords().hash(PASSWORD))
  await seedNode(db, 'nodo1')
  return {
    database,
    db,
    keys,
    keyLine,
    admin,
    async stop() {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

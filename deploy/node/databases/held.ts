import { NOBODY } from '../../../lib/endpoint/ports/bin.ts'
import type { HeldAccount, HeldRealm } from '../../../lib/endpoint/ports/databases.ts'
import type { Bin } from '../trash/bin.ts'
import type { Administration } from './connection.ts'
import { dumpToFile } from './dump.ts'
import { closeTo, isThere } from './removal.ts'
import { accountsOn, quoted, userAt } from './rights.ts'
import { endSessions } from './sessions.ts'

/** What is the server's or the panel's own: others' names are written in small letters. */
const OWN = new Set(['mysql', 'sys', 'information_schema', 'performance_schema', 'test'])
const CUSTOMERS = /^[a-z0-9_]{1,64}$/
/** Where an account with a password may come from, which a socket's never has. */
const ANYWHERE = '%'

/** The bases and accounts that customers use, by names that the panel gives; `prefix` begins those of Unix users. */
export async function heldRealm({ run }: Administration, prefix: string): Promise<HeldRealm> {
  const [schemas, accounts, rights] = await Promise.all([
    run('SELECT schema_name AS name FROM information_schema.schemata'),
    run(
      "SELECT User AS user, Host AS host, JSON_VALUE(Priv, '$.account_locked') AS locked FROM mysql.global_priv",
    ),
    run('SELECT Db AS base, User AS user, Host AS host FROM mysql.db'),
  ])
  return {
    databases: schemas
      .map(({ name }) => String(name))
      .filter((name) => CUSTOMERS.test(name) && !OWN.has(name)),
    accounts: accounts.flatMap((row) =>
      accountOf(row, prefix).map((one) => ({
        ...one,
        locked: /^(?:1|true)$/.test(String(row.locked)),
      })),
    ),
    rights: rights.flatMap((row) =>
      accountOf(row, prefix).map((one) => ({ ...one, database: String(row.base).replaceAll('\\', '') })),
    ),
  }
}

function accountOf({ user, host }: Record<string, unknown>, prefix: string): HeldAccount[] {
  const name = String(user)
  if (!CUSTOMERS.test(name)) return []
  if (host === ANYWHERE) return [{ name, clientId: null }]
  const clientId = clientIdOf({ prefix }, name)
  return host === 'localhost' && clientId !== null ? [{ name, clientId }] : []
}

/** The client whose Unix user has this name; null where it is none's. */
export function clientIdOf({ prefix }: { prefix: string }, name: string): number | null {
  const isUser = name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))
  return isUser ? Number(name.slice(prefix.length)) : null
}

type Means = Parameters<typeof dumpToFile>[0] & { bin: Bin }

/** Nobody's base goes to the bin as a dump: whoever makes one of its name later must not find another's rows. */
export async function quarantineDatabase(means: Means, name: string): Promise<void> {
  const { administration, bin } = means
  await closeTo(administration, name)
  if (await isThere(administration, name)) {
    bin.put(
      { kind: 'database', clientId: NOBODY, databaseId: NOBODY, client: '', name },
      await dumpToFile(means, { name }),
    )
  }
  await administration.run(`DROP DATABASE IF EXISTS ${quoted(name)}`)
  await closeTo(administration, name)
}

/**
 * Makes a base of the account's. One of that name on which the account of another client has rights is that one's, such
 * as what a client that has moved left here and deleted since.
 */
export async function makeDatabase(
  means: Means,
  { name, account, prefix }: Record<'name' | 'account' | 'prefix', string>,
): Promise<void> {
  const { run } = means.administration
  const isOthers = (row: Record<string, unknown>) =>
    row.user !== account && accountOf(row, prefix).some(({ clientId }) => clientId !== null)
  if ((await run(accountsOn(name))).some(isOthers)) await quarantineDatabase(means, name)
  await run(`CREATE DATABASE IF NOT EXISTS ${quoted(name)}`)
}

export async function endHeldAccount(
  administration: Administration,
  { name, clientId }: HeldAccount,
): Promise<void> {
  await administration.run(`DROP USER IF EXISTS ${userAt(name, clientId === null ? ANYWHERE : 'localhost')}`)
  await endSessions(administration, [name])
}

/** Its rights tell whose the databases are. */
export async function lockHeldAccount(
  administration: Administration,
  { name }: Pick<HeldAccount, 'name'>,
): Promise<void> {
  await administration.run(`ALTER USER IF EXISTS ${userAt(name, 'localhost')} ACCOUNT LOCK`)
  await endSessions(administration, [name])
}

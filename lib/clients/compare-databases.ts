import { eq } from 'drizzle-orm'
import { clients, databaseAccounts, databases } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { rootMessage } from '../text/root-message.ts'
import { decideRealm, type RealmLook, type WantedRealm } from './decide-realm.ts'

const NOTHING: RealmLook = {
  ...{ differences: new Map(), databases: [], accounts: [] },
  ...{ aside: [], open: [] },
}

/** Compares the server of databases with what a node's clients are to have there; nothing while it does not run. */
export async function lookAtDatabases({ db, driver }: Services, node: string): Promise<RealmLook> {
  // Before the panel's own rows: what is made meanwhile has its row first.
  const held = await driver?.databases?.held()
  if (!held) return NOTHING
  const onDisk = driver?.reality?.clients() ?? []
  return decideRealm(held, { ...(await wantedRealm(db.read, node)), onDisk })
}

async function wantedRealm(db: Services['db']['read'], node: string): Promise<Omit<WantedRealm, 'onDisk'>> {
  const [owned, accounts, all] = await Promise.all([
    db.select().from(databases),
    db
      .select({ name: databaseAccounts.name, clientId: databases.clientId })
      .from(databaseAccounts)
      .innerJoin(databases, eq(databases.id, databaseAccounts.databaseId)),
    db.select().from(clients),
  ])
  const compared = all.filter((one) => one.node === node && one.state !== 'eliminando' && !one.moving)
  const settled = owned.filter(({ state, loading }) => state === 'activa' && !loading)
  const [theirs, logins] = [namesByClient(settled), namesByClient(accounts)]
  return {
    ...{ databases: owned, accounts, clientIds: all.map(({ id }) => id) },
    compared: compared.map(({ id, state }) => ({
      ...{ id, suspended: state === 'suspendido' },
      ...{ databases: theirs.get(id) ?? [], accounts: logins.get(id) ?? [] },
    })),
  }
}

function namesByClient(rows: { clientId: number; name: string }[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const { clientId, name } of rows) {
    const names = found.get(clientId) ?? []
    names.push(name)
    found.set(clientId, names)
  }
  return found
}

/** What of nobody's both looks found. */
export const strayRealm = (again: RealmLook, first: RealmLook) => ({
  databases: again.databases.filter((name) => first.databases.includes(name)),
  accounts: again.accounts.filter(({ name }) => first.accounts.some((one) => one.name === name)),
  open: again.open.filter(({ name }) => first.open.some((one) => one.name === name)),
})

const hasBase = (db: Db, name: string) =>
  db.select({ id: databases.id }).from(databases).where(eq(databases.name, name)).get()
const hasAccount = (db: Db, name: string) =>
  db.select({ id: databaseAccounts.id }).from(databaseAccounts).where(eq(databaseAccounts.name, name)).get()

/**
 * Puts nobody's bases into the bin, ends nobody's accounts and closes those of clients that are not known; one that fails
 * is left for the next time.
 */
export async function quarantine(
  services: Services,
  { databases: strays, accounts, open }: Pick<RealmLook, 'databases' | 'accounts' | 'open'>,
) {
  const server = services.driver?.databases
  const db = services.db.read
  const ended = { databases: [] as string[], accounts: [] as string[] }
  const attempt = async (name: string, done: string[], run: () => Promise<void> | undefined) => {
    try {
      await run()
      done.push(name)
    } catch (error) {
      services.log('warn', 'nobody’s database or account stays', { reason: `${name}: ${rootMessage(error)}` })
    }
  }
  // What goes first may take minutes, and a name that nobody had be somebody's by then.
  for (const base of strays) {
    if (await hasBase(db, base)) continue
    await attempt(base, ended.databases, () => server?.quarantine(base))
  }
  for (const one of accounts) {
    const { name, clientId } = one
    if (clientId === null && (await hasAccount(db, name))) continue
    await attempt(name, ended.accounts, () => server?.endAccount(one))
  }
  for (const one of open) await attempt(one.name, [], () => server?.lockAccount(one))
  return ended
}

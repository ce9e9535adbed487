import { existsSync, rmSync } from 'node:fs'
import type { NodeDriver, ServiceState, Step } from '../../../lib/endpoint/node-port.ts'
import type {
  DatabaseAccess,
  DatabaseServer,
  DesiredDatabases,
} from '../../../lib/endpoint/ports/databases.ts'
import type { DatabaseViews } from '../../../lib/endpoint/ports/views.ts'
import { openAccessLists } from '../files/acl.ts'
import type { Owner } from '../host/files.ts'
import { installIt } from '../services/advice.ts'
import type { Supervisor } from '../services/supervisor.ts'
import type { Bin } from '../trash/bin.ts'
import { type UserRange, userName } from '../users/users.ts'
import { type DatabaseLimits, mariadbPlaces } from './config.ts'
import { type Administration, createAdministration } from './connection.ts'
import { createDumps, dumpsIn } from './dump.ts'
import {
  clientIdOf,
  endHeldAccount,
  heldRealm,
  lockHeldAccount,
  makeDatabase,
  quarantineDatabase,
} from './held.ts'
import { isEmpty } from './loading/definitions.ts'
import { createLoads, type Loads } from './loading/loads.ts'
import { freeIn, measureDatabases, reclaim } from './measure.ts'
import { isThere, removeDatabase } from './removal.ts'
import { accountsOn, type May, passwordAccount, rightsOn, socketAccount, userAt } from './rights.ts'
import { MARIADBD, mariadbOwner, mariadbService, prepareShown, wasMade } from './service.ts'
import { endSessions } from './sessions.ts'
import { sizeOf } from './sizes.ts'
import { linkTo } from './viewer/app.ts'
import { hasProgram } from './viewer/program.ts'
import type { Viewer } from './viewer/run.ts'
import { Views } from './viewer/views.ts'
import { watchCrowds } from './watching/crowds.ts'
import { type Growth, watchGrowth } from './watching/growth.ts'
import { LOOK_MS, watchSessions } from './watching/watcher.ts'
import { type Withheld, withheldRights } from './watching/withheld.ts'

export type DatabasesOptions = {
  /** Directory of its own, which others can pass. */
  directory: string
  port: number
  limits: DatabaseLimits
  users: UserRange
  supervisor: Supervisor
  bin: Bin
  /** Ends whatever runs as the client's user. */
  endProcesses(clientId: number): Promise<void>
  /** What a client's programs may have of memory; null where that is not known. */
  memoryLimit(clientId: number): number | null
  runCaged: NodeDriver['runCaged']
  exhausted: NodeDriver['exhausted']
  /** Where browsers look into databases; null where they do not. */
  viewsOrigin: string | null
  report(message: string): void
}

export type Databases = NonNullable<ReturnType<typeof createDatabases>>

const SERVICE = 'mariadb'
/** How long the panel's start waits for it: customers' programs start after it, and not much later. */
const START_MS = 20_000

type Parts = DatabasesOptions & {
  administration: Administration
  owner: Owner
  views: Views
  /** Of clients whose temporary tables filled the disk. */
  withheld: Withheld
  growth: Growth
  start(): Promise<void>
}

/** The node's databases; null where MariaDB is not installed, or where one user cannot be told from another. */
export function createDatabases(options: DatabasesOptions) {
  const owner = canServeDatabases() ? mariadbOwner() : null
  if (owner === null) return null
  const { supervisor, limits, port, report } = options
  const places = mariadbPlaces(options.directory)
  const administration = createAdministration(places.socket)
  const service = mariadbService({ places, port, limits, administration, report }, owner)
  const isUp = () => supervisor.processOf(SERVICE) !== null
  const start = async () => (isUp() ? undefined : supervisor.start(SERVICE, service))
  const withheld = withheldRights(administration, options.directory)
  const views = new Views(administration, (clientId) => mayOf({ ...options, withheld }, clientId, false))
  const growth = watchGrowth({
    ...{ administration, data: places.data, everyMs: LOOK_MS },
    clientOf: (account) => clientIdOf(options.users, account),
  })
  const parts: Parts = { ...options, administration, owner, views, withheld, growth, start }
  const watch = watchersOf(parts)
  return {
    driver: driverOf(parts),
    viewer: { views, directory: options.directory, runCaged: options.runCaged } satisfies Viewer,
    access: { socket: places.socket, port, userPrefix: options.users.prefix } satisfies DatabaseAccess,
    /** Before customers' programs; `always` also where no base was ever made. */
    async start(always: boolean): Promise<void> {
      prepareShown(places, owner)
      // Of a panel that was killed.
      rmSync(dumpsIn(options.directory), { recursive: true, force: true })
      watch.begin()
      if (!always && !wasMade(places)) return
      const started = start()
        .then(() => views.forgetLeft())
        .catch((error) => options.report(String(error)))
      await Promise.race([started, Bun.sleep(START_MS)])
    },
    stop() {
      watch.end()
      administration.close()
    },
  }
}

/** What ends sessions that take more than their share. */
function watchersOf({ administration, limits, withheld, growth, ...options }: Parts) {
  const pid = () => options.supervisor.processOf(SERVICE)?.pid ?? null
  const places = mariadbPlaces(options.directory)
  const crowds = watchCrowds({
    ...options,
    ...{ administration, places, sessions: limits.connections, accessLists: openAccessLists() },
  })
  const planned = (account: string) => {
    const client = clientIdOf(options.users, account)
    return client === null ? null : options.memoryLimit(client)
  }
  const { begin, end } = watchSessions({
    ...{ administration, limits, places, withheld, growth, planned, pid, report: options.report },
    first: crowds.look,
    async keepOut(owner, why) {
      const client = clientIdOf(options.users, owner)
      if (client !== null) await crowds.keepOut(client, why)
    },
  })
  return {
    begin() {
      crowds.begin()
      begin()
    },
    end,
  }
}

function driverOf(parts: Parts): DatabaseServer {
  const { administration } = parts
  const { data } = mariadbPlaces(parts.directory)
  const loads = createLoads(parts)
  return {
    sync: (client, step) => sync({ ...parts, loads }, client, step),
    dump: createDumps(parts),
    async load(wanted, step) {
      await step('databases.server', parts.start)
      await loads.load(wanted, step)
    },
    ...looksAt(parts),
    async remove(base, step) {
      await step('databases.server', parts.start)
      await loads.forget(base.databaseId)
      await removeDatabase(parts, base, step)
    },
    removeAccount: (clientId, step) => removeAccount(parts, clientId, step),
    views: () => viewsOf(parts),
    held: async () =>
      (await administration.answers()) ? heldRealm(administration, parts.users.prefix) : null,
    quarantine: (name) => quarantineDatabase(parts, name),
    endAccount: (account) => endHeldAccount(administration, account),
    lockAccount: (account) => lockHeldAccount(administration, account),
    // Asked by commands too, which have not started it themselves.
    measure: async () => ((await administration.answers()) ? measureDatabases(administration, data) : null),
    sizes: (names) => sizesIn(administration, data, names),
    hasGrown: parts.growth.hasGrown,
    takeGrown: parts.growth.take,
    async reclaim(names) {
      for (const name of names) await reclaim(administration, name)
    },
    free: (names) => freeIn(administration, names),
  }
}

/** What is asked of one database before a copy of it is restored. */
const looksAt = ({ administration, start }: Parts): Pick<DatabaseServer, 'holdsNothing' | 'isThere'> => ({
  async holdsNothing({ name }) {
    await start()
    return isEmpty(administration, name)
  },
  async isThere({ name }) {
    await start()
    return isThere(administration, name)
  },
})

async function sizesIn(
  administration: Administration,
  data: string,
  names: string[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const name of names) sizes.set(name, (await sizeOf(administration, data, [name])).bytes)
  return sizes
}

function viewsOf({ views, viewsOrigin, start }: Parts): DatabaseViews | null {
  if (viewsOrigin === null || !hasProgram()) return null
  return {
    async open(wanted) {
      await start()
      return linkTo(viewsOrigin, await views.open(wanted))
    },
  }
}

/** Without root, customers' programs and the panel are one user, and each would have all of it. */
export const canServeDatabases = () => process.getuid?.() === 0 && existsSync(MARIADBD)

/** Why a node has no databases. */
export function missingDatabases(): ServiceState {
  const advice =
    process.getuid?.() === 0
      ? installIt('mariadb-server')
      : {
          es: 'No hay bases de datos: el panel no corre como root y no se puede confinar a un usuario.',
          en: 'There are no databases, since the panel does not run as root and one user cannot be confined.',
        }
  return { name: SERVICE, running: false, version: null, advice }
}

async function sync(parts: Parts & { loads: Loads }, client: DesiredDatabases, step: Step): Promise<void> {
  const { administration, limits, users, loads } = parts
  const name = userName(users, client.clientId)
  const { locked, databases, accounts } = client
  const rules = { locked, connections: limits.connections }
  await step('databases.server', parts.start)
  await step('databases.accounts', async () => {
    await runAll(administration, socketAccount(name, rules))
    for (const account of accounts) {
      await runAll(administration, passwordAccount(account.name, account.hash, rules))
    }
    if (locked) await parts.views.endClient(client.clientId)
    if (locked) await endSessions(administration, [name, ...accounts.map((account) => account.name)])
  })
  await step('databases.made', async () => {
    for (const base of databases.filter(({ isNew }) => isNew)) {
      await makeDatabase(parts, { name: base.name, account: name, prefix: users.prefix })
    }
  })
  // Nothing runs for a client that is suspended. Its rights are set whatever becomes of a load.
  const resumed = await Promise.allSettled(
    (locked ? [] : databases).map((base) => loads.resume({ ...base, clientId: client.clientId }, step)),
  )
  await step('databases.rights', async () => {
    for (const base of databases) await syncRights(parts, { name, client, base: base.name })
  })
  for (const one of resumed) if (one.status === 'rejected') throw one.reason
}

/** What a client may do in its bases. */
const mayOf = (
  { withheld, users }: Pick<Parts, 'withheld' | 'users'>,
  clientId: number,
  restricted: boolean,
): May => {
  if (restricted) return 'shrink'
  return withheld.has(userName(users, clientId)) ? 'lasting' : 'all'
}

type Rights = { name: string; client: DesiredDatabases; base: string }

/** Rights on one base of all who may have some; accounts that are no longer wanted go with their sessions. */
async function syncRights(parts: Parts, { name, client, base }: Rights): Promise<void> {
  const { administration, views } = parts
  const wanted = client.accounts.filter(({ database }) => database === base)
  const rows = await administration.run(accountsOn(base))
  const may = mayOf(parts, client.clientId, client.restricted)
  await runAll(administration, rightsOn(base, userAt(name, 'localhost'), may))
  for (const account of wanted) {
    await runAll(administration, rightsOn(base, userAt(account.name, '%'), account.readOnly ? 'read' : may))
  }
  const looking = views.accountsOn(base)
  for (const account of looking) await runAll(administration, rightsOn(base, userAt(account, '%'), may))
  const grew = rows.filter((row) => client.restricted && row.grows === 'Y').map((row) => String(row.user))
  const known = new Set([...looking, ...wanted.map((account) => account.name)])
  const gone = rows.flatMap((row) =>
    row.host === '%' && !known.has(String(row.user)) ? [String(row.user)] : [],
  )
  for (const account of gone) await administration.run(`DROP USER IF EXISTS ${userAt(account, '%')}`)
  await endSessions(administration, [...grew, ...gone])
}

async function removeAccount(parts: Parts, clientId: number, step: Step): Promise<void> {
  const name = userName(parts.users, clientId)
  await step('databases.server', parts.start)
  await step('databases.forget', async () => {
    await parts.administration.run(`DROP USER IF EXISTS ${userAt(name, 'localhost')}`)
    await endSessions(parts.administration, [name])
  })
}

async function runAll({ run }: Administration, statements: string[]): Promise<void> {
  for (const statement of statements) await run(statement)
}

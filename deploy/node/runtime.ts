import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@libsql/client'
import { cronHandlers } from '../../handlers/cron/index.ts'
import mail from '../../handlers/cron/mail.ts'
import type { Mailer, Services } from '../../lib/endpoint/context.ts'
import { withinDeadline } from '../../lib/endpoint/deadline.ts'
import { isPublicAddress } from '../../lib/providers/address.ts'
import { type KeyRing, parseKeyRing } from '../../lib/secrets/keys.ts'
import { neededKeys } from '../../lib/secrets/sealed.ts'
import { memoryLimits, sharedLimits } from '../../lib/store/counters.ts'
import type { Database } from '../../lib/store/database.ts'
import { rootMessage } from '../../lib/text/root-message.ts'
import { runCron } from '../../lib/work/cron.ts'
import { Worker } from '../../lib/work/worker.ts'
import { blaming, ConfigError, type Environment, type NodeConfig, readConfig } from '../config.ts'
import { refuseHalfRecovered } from './backups/recovery/unfinished.ts'
import { isShared, openDatabase } from './database/open.ts'
import { createHands, spaceFor } from './driver.ts'
import { type GrowingHands, growingHands } from './growing.ts'
import { machineAddresses } from './host/addresses.ts'
import { clock } from './host/clock.ts'
import { requirePanel } from './host/data-directory.ts'
import { readIfThere } from './host/files.ts'
import { log as plainLog } from './host/log.ts'
import { argon2Passwords } from './host/passwords.ts'
import { random } from './host/random.ts'
import { hookedMailer, stepHook } from './host/test-hook.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { loadKeyRing } from './keyring.ts'
import { servingLog } from './logs/own.ts'
import { fetchAt } from './resolver/fetch-at.ts'
import { resolversFrom, systemResolvers } from './resolver/index.ts'
import { absentServices } from './services/absent.ts'
import { settingsOf } from './settings/file.ts'
import {
  clientsNames,
  keepName,
  keptName,
  type NodeName,
  nameFor,
  namesIn,
  refuseOtherName,
} from './settings/node-name.ts'
import { refuseNoCertificate } from './settings/paths.ts'
import { refuseOpenFiles } from './settings/secret-files.ts'
import { servicePorts } from './settings/service-ports.ts'

/** How long the end of the panel waits for the mails that are being handed over. */
const LAST_MAIL_MS = 5_000

/** Everything that a command or the server of this node works with. */
export type Runtime = {
  services: Services
  config: NodeConfig
  client: Client
  worker: Worker
  /** Null for commands that touch the database alone. */
  hands: GrowingHands | null
  /** Starts or finds again the node's services, then lets the worker run: no job may meet a half-started node. */
  begin(): Promise<void>
  /** Ends its own work first; with `abandon`, slow jobs are left to the next start (see `Worker.stop`). */
  close(abandon?: boolean): Promise<void>
}

/** Reads the configuration from the environment and `panel.env` in the data directory. */
export function nodeConfiguration(env: Environment) {
  const merged = settingsOf(env)
  const kept = keptName(merged.PANEL_DATA)
  const read = readConfig(merged, {
    node: kept ?? hostname().toLowerCase(),
    host: hostname().toLowerCase(),
    addresses: machineAddresses().filter(isPublicAddress),
  })
  refuseOpenFiles(read.node)
  refuseNoCertificate(read.node)
  refuseSharedPort(read.node)
  const name = { name: read.panel.node ?? '', given: Boolean(merged.PANEL_NODE), kept }
  return { ...read, name }
}

/** Two services cannot share a port: the second would not start. */
function refuseSharedPort(config: NodeConfig): void {
  const { http, https, dns, mariadb } = servicePorts(config)
  const given = {
    PANEL_PORT: config.port,
    PANEL_HTTP_PORT: http,
    PANEL_HTTPS_PORT: https,
    PANEL_DNS_PORT: dns,
    PANEL_MARIADB_PORT: mariadb,
    ...(config.viewsPort === null ? {} : { PANEL_BASES_PORT: config.viewsPort }),
  }
  for (const [name, port] of Object.entries(given)) {
    const other = Object.entries(given).find(([one, taken]) => one !== name && taken === port)
    if (other) throw new ConfigError(`${name} and ${other[0]} are both ${port}: each needs a port of its own`)
  }
}

/** The node's name as its own database knows it; a database on a server contains other nodes' names too. */
async function settledName(db: Database, name: NodeName, config: NodeConfig): Promise<string> {
  if (isShared(config)) return name.name
  return nameFor(name, await (name.kept === null ? namesIn(db) : clientsNames(db)))
}

/**
 * Opens the database and builds the services; with `hands` the node's services are found again or started. Only with
 * `first` where there was none yet.
 */
export async function createRuntime(
  env: Environment,
  { hands = false, renaming = false, first = false } = {},
): Promise<Runtime> {
  const { panel: asked, node, name } = nodeConfiguration(env)
  if (!renaming) refuseOtherName(name)
  refuseHalfRecovered(node)
  if (!first) requirePanel(node)
  const log = first ? servingLog(node.dataDir) : plainLog
  const now = clock(node.testClock)
  const { db, client } = await openDatabase(node, now)
  const keys = await keyRing(node, db)
  const panel = renaming ? asked : { ...asked, node: await settledName(db, name, node) }
  // Only a command that serves settles the node's name.
  if (hands && name.kept === null) await keepName(node.dataDir, panel.node ?? name.name)
  const resolvers = resolversFrom(
    node.resolvers.length > 0 ? node.resolvers : await resolversOfSystem(node.bind),
  )
  const nodeHands = hands
    ? await growingHands(() => createHands({ panel, node, resolvers, now, log }), log)
    : null
  const onStep = stepHook(env)
  const services: Services = {
    db,
    now,
    random,
    sha256: (bytes) => new Uint8Array(Bun.CryptoHasher.hash('sha256', bytes)),
    passwords: argon2Passwords(),
    keys,
    config: panel,
    log,
    limits: isShared(node) ? sharedLimits(db, memoryLimits()) : memoryLimits(),
    held: new Set(),
    mailer: hookedMailer(lazyMailer(node), onStep),
    resolvers,
    driver: nodeHands?.driver ?? absentServices(),
    work: { wake: () => {}, settle: async () => null, runDue: async () => 0 },
    fetch: globalThis.fetch,
    fetchAt,
  }
  let begun = false
  let mailRun: Promise<unknown> = Promise.resolve()
  const worker = new Worker(services, { kinds: JOB_KINDS, ...(onStep ? { onStep } : {}) })
  services.work = {
    wake() {
      if (!begun) return
      worker.wake()
      mailRun = runCron(services, mail.job).catch((error) =>
        log('error', 'mail run failed', { reason: rootMessage(error) }),
      )
    },
    settle: (subjects, timeoutMs, look) => worker.settle(subjects, timeoutMs, look),
    runDue: () => worker.runDue(),
  }
  return {
    services,
    config: node,
    client,
    worker,
    hands: nodeHands,
    async begin() {
      await nodeHands?.start()
      begun = true
      services.work.wake()
    },
    async close(abandon = false): Promise<void> {
      await worker.stop(abandon)
      // A mail run that is cut off would keep its lease, and no mail would be sent until that ends.
      await (abandon ? withinDeadline(mailRun, LAST_MAIL_MS, () => undefined) : mailRun)
      // Closing the last connection gives up the journal, and a full disk would not give that room back to the next
      // start.
      if (isShared(node) || spaceFor(node, null).exhausted() === null) db.close()
    },
  }
}

function keyRing({ keys, keyFile }: NodeConfig, db: Database): Promise<KeyRing> {
  return keys
    ? blaming('PANEL_KEYS', () => parseKeyRing(keys.reveal()))
    : blaming(`PANEL_KEY_FILE ${keyFile}`, () => loadKeyRing(keyFile, () => neededKeys(db.read)))
}

/** nodemailer is loaded by the first mail: an idle panel does without its memory. */
function lazyMailer(config: NodeConfig): Mailer {
  let loaded: Promise<Mailer> | null = null
  const load = async () => {
    const { fileMailer, smtpMailer } = await import('./mail/mailer.ts')
    return config.smtpUrl ? smtpMailer(config.smtpUrl) : fileMailer(join(config.dataDir, 'correo'))
  }
  return {
    async send(mail) {
      loaded ??= load()
      await (await loaded).send(mail)
    },
    relay: config.smtpUrl
      ? async (mail) => {
          loaded ??= load()
          const { relay } = await loaded
          if (!relay) throw new Error('there is no mail server')
          return relay(mail)
        }
      : null,
  }
}

/** The scheduled handlers of this panel, by name. */
export const cronJobs = cronHandlers.map(({ job }) => job)

async function resolversOfSystem(bind: string[]): Promise<string[]> {
  return systemResolvers((await readIfThere('/etc/resolv.conf')) ?? '', [...bind, ...machineAddresses()])
}

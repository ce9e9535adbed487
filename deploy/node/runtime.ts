import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Client } from '@libsql/client'
import { cronHandlers } from '../../handlers/cron/index.ts'
import mail from '../../handlers/cron/mail.ts'
import type { Mailer, Services } from '../../lib/context.ts'
import { runCron } from '../../lib/cron.ts'
import type { Database } from '../../lib/database.ts'
import { withinDeadline } from '../../lib/deadline.ts'
import { parseKeyRing } from '../../lib/keys.ts'
import { memoryLimits } from '../../lib/limits.ts'
import { isPublicAddress } from '../../lib/providers/address.ts'
import { rootMessage } from '../../lib/root-message.ts'
import { sharedLimits } from '../../lib/shared-limits.ts'
import { JOB_KINDS } from '../../lib/worker/index.ts'
import { Worker } from '../../lib/worker/worker.ts'
import { type Environment, type NodeConfig, readConfig, standingOn } from '../config.ts'
import { machineAddresses } from './addresses.ts'
import { clock } from './clock.ts'
import { isShared, openDatabase } from './database/open.ts'
import { createHands, type NodeHands } from './driver.ts'
import { loadKeyRing, random, readIfThere } from './files.ts'
import { log } from './log.ts'
import {
  clientsNames,
  keepName,
  keptName,
  type NodeName,
  nameFor,
  namesIn,
  refuseOtherName,
} from './node-name.ts'
import { argon2Passwords } from './passwords.ts'
import { recordingDriver } from './recording-driver.ts'
import { resolversFrom, systemResolvers } from './resolver/index.ts'
import { hookedMailer, stepHook } from './test-hook.ts'

/** How long the end of the panel waits for the mails that are being handed over. */
const LAST_MAIL_MS = 5_000

/** Everything that a command or the server of this node works with. */
export type Runtime = {
  services: Services
  config: NodeConfig
  client: Client
  worker: Worker
  /** Null for commands that touch the database alone. */
  hands: NodeHands | null
  /** Starts or finds again the node's services, then lets the worker run: no job may meet a half-started node. */
  begin(): Promise<void>
  /** Ends its work first; `abandon` leaves to the next start what would take long (see `Worker.stop`). */
  close(abandon?: boolean): Promise<void>
}

/** Reads the configuration from the environment and `panel.env` in the data directory. */
export function nodeConfiguration(env: Environment) {
  const dataDir = resolve(env.PANEL_DATA || './data')
  const file = join(dataDir, 'panel.env')
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const merged: Environment = { ...fromFile, ...env, PANEL_DATA: dataDir }
  const kept = keptName(dataDir)
  const read = readConfig(merged, {
    node: kept ?? hostname().toLowerCase(),
    host: hostname().toLowerCase(),
    addresses: machineAddresses().filter(isPublicAddress),
  })
  const name = { name: read.panel.node ?? '', given: Boolean(merged.PANEL_NODE), kept }
  return { ...read, name }
}

/** The node's name as its own database knows it; one on a server holds other nodes' names too. */
async function settledName(db: Database, name: NodeName, config: NodeConfig): Promise<string> {
  if (isShared(config)) return name.name
  return nameFor(name, await (name.kept === null ? namesIn(db) : clientsNames(db)))
}

/** Opens the database and builds the services; with `hands` the node's services are found again or started. */
export async function createRuntime(
  env: Environment,
  { hands = false, renaming = false } = {},
): Promise<Runtime> {
  const { panel: asked, node, name } = nodeConfiguration(env)
  if (!renaming) refuseOtherName(name)
  const now = clock(node.testClock)
  const { db, client } = await openDatabase(node, now)
  const panel = renaming ? asked : { ...asked, node: await settledName(db, name, node) }
  // A command that serves nothing has not chosen it.
  if (hands && name.kept === null) await keepName(node.dataDir, panel.node ?? name.name)
  const { keys: given, keyFile } = node
  const keys = given
    ? await standingOn('PANEL_KEYS', () => parseKeyRing(given.reveal()))
    : await standingOn(`PANEL_KEY_FILE ${keyFile}`, () => loadKeyRing(keyFile))
  const resolvers = resolversFrom(
    node.resolvers.length > 0 ? node.resolvers : await resolversOfSystem(node.bind),
  )
  const nodeHands = hands ? await createHands({ panel, node, resolvers, now, log }) : null
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
    mailer: hookedMailer(lazyMailer(node), onStep),
    resolvers,
    driver: nodeHands?.driver ?? recordingDriver(),
    work: { wake: () => {}, settle: async () => null, runDue: async () => 0 },
    fetch: globalThis.fetch,
  }
  let begun = false
  let mailRun: Promise<unknown> = Promise.resolve()
  const worker = new Worker(services, { kinds: JOB_KINDS, ...(onStep ? { onStep } : {}) })
  services.work = {
    wake() {
      if (!begun) return
      worker.wake()
      mailRun = runCron(services, mail.job).catch((error) =>
        log('error', 'mail run failed', { motivo: rootMessage(error) }),
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
      // Cut off, it would keep its lease, and no mail would go out until that is over.
      await (abandon ? withinDeadline(mailRun, LAST_MAIL_MS, () => undefined) : mailRun)
      db.close()
    },
  }
}

/** nodemailer is loaded by the first mail: an idle panel does without its memory. */
function lazyMailer(config: NodeConfig): Mailer {
  let loaded: Promise<Mailer> | null = null
  const load = async () => {
    const { fileMailer, smtpMailer } = await import('./mailer.ts')
    return config.smtpUrl ? smtpMailer(config.smtpUrl) : fileMailer(join(config.dataDir, 'correo'))
  }
  return {
    async send(mail) {
      loaded ??= load()
      await (await loaded).send(mail)
    },
  }
}

/** The scheduled handlers of this panel, by name. */
export const cronJobs = cronHandlers.map(({ job }) => job)

async function resolversOfSystem(bind: string[]): Promise<string[]> {
  return systemResolvers((await readIfThere('/etc/resolv.conf')) ?? '', [...bind, ...machineAddresses()])
}

/** `NAME=value` lines; `#` comments and blank lines are skipped, quotes around a value dropped. */
function parseEnv(text: string): Environment {
  const env: Environment = {}
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*([A-Z_][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name) env[name] = value?.replace(/^(["'])(.*)\1$/, '$2')
  }
  return env
}

import type {
  DesiredClient,
  DesiredSite,
  NodeDriver,
  SelfSigned,
  ServiceState,
  Step,
} from '../../../lib/endpoint/node-port.ts'
import type { HostCertificate } from '../../../lib/endpoint/ports/carriage.ts'
import type { DesiredPages } from '../../../lib/endpoint/ports/pages.ts'
import { createCages } from '../cage/cage.ts'
import {
  ensureDefaultCertificate,
  ensureSiteCertificate,
  hasOwnCertificate,
  installCertificate,
  type MakeSelfSigned,
  readOwnCertificate,
} from '../certificates/served.ts'
import { watchDatagrams } from '../confinement/datagrams.ts'
import { siteFilesOf } from '../customer-files/start.ts'
import { mariadbPlaces } from '../databases/config.ts'
import {
  clientIdsOf,
  ensureBase,
  ensureClientDirectories,
  ensureSiteDirectories,
  ensureSuspended,
  type Identity,
  isAway,
  isSuspended,
  setClientState,
} from '../files/clients.ts'
import { createLayout, type Layout, mariadbDirectory } from '../files/layout.ts'
import { showAll } from '../files/shown.ts'
import { exists, removeStale } from '../host/files.ts'
import type { LogLimits } from '../logs/files.ts'
import { removeRotated, shortenLogs } from '../logs/shorten.ts'
import { createSiteLogs } from '../logs/site-logs.ts'
import { createSpool, type Spool } from '../mail/spool.ts'
import { boundPhpLogs } from '../php/logs.ts'
import { createPhp, type Php } from '../php/pools.ts'
import { syncPrograms } from '../php/programs.ts'
import { createReality } from '../reality/told.ts'
import { closedDirectory } from '../services/advice.ts'
import { maskDistributionUnits, processLauncher, systemdLauncher } from '../services/launcher.ts'
import { PortTaken } from '../services/ports.ts'
import { createSupervisor, type Supervisor, type SupervisorOptions } from '../services/supervisor.ts'
import { ownUnit } from '../services/unit.ts'
import type { Lend } from '../space/reserve.ts'
import { type Bin, createBin } from '../trash/bin.ts'
import { createLeftovers, type Leftovers } from '../trash/leftovers.ts'
import { removeClient, removeSite } from '../trash/removal.ts'
import { type Accounts, createAccounts } from '../users/accounts.ts'
import { createEndings, type Endings } from '../users/endings.ts'
import { identityOf, WEB_USER } from '../users/identity.ts'
import { highestNumbers } from '../users/numbers.ts'
import { DEFAULT_USERS, type UserRange } from '../users/users.ts'
import { emptyPages, setPagePolicy } from './cache/policy.ts'
import { listenForPurges } from './cache/purge.ts'
import { boundServiceLogs, putOldAside } from './logs.ts'
import { askNowhere, nginxService } from './nginx.ts'
import { ensurePages, showPages } from './pages/shown.ts'
import { setRoutes } from './routes.ts'
import { writeRules } from './rules/tree.ts'

export type WebNodeOptions = {
  /** Directory of its own below the data directory; others must be able to pass the directories above. */
  base: string
  /** Local addresses to listen on; empty for all. */
  bind: string[]
  httpPort: number
  httpsPort: number
  /** Without root one user cannot be confined, so PHP is off; true turns it on all the same. */
  phpWithoutIsolation: boolean
  /** Whether customers' programs are shown the databases' socket. */
  hasDatabases?: boolean
  /** Whether there is a mail server that customers' programs may send by. */
  sendsMail?: boolean
  now: () => Date
  selfSigned: MakeSelfSigned
  /** Unix users of the clients; two panels on one machine need ranges of their own. */
  users?: UserRange
  report?: NonNullable<SupervisorOptions['report']>
  changed?: NonNullable<SupervisorOptions['changed']>
  /** Room for a start on a full disk; without it there is none. */
  lend?: Lend
  /** How much is kept of each site's logs. */
  siteLogs?: LogLimits
  /** Seconds without a request after which a client's PHP ends; default 30. */
  phpIdleSeconds?: number
  /** How long a client that takes what all need is kept out at first, milliseconds; default a minute. */
  keptOutMs?: number
  /** How often services are asked for an answer, milliseconds; default 5,000. */
  probeMs?: number
  /**
   * Whether this is the machine's web server: the distribution's own units have to stand back, and as a service
   * of systemd it has services of systemd, named after its own.
   */
  maskDistribution?: boolean
}

export type WebNode = ReturnType<typeof createWebNode>

type Parts = {
  layout: Layout
  identity: Identity
  supervisor: Supervisor
  php: Php
  bin: Bin
  users: UserRange
  selfSigned: MakeSelfSigned
  now: () => Date
  leftovers: Leftovers
  accounts: Accounts
  endings: Endings
  mail: Spool | null
}

/**
 * The node's web part: nginx, PHP-FPM, the clients' users and files. Takes wanted states as plain objects and
 * never asks the database. Throws a TypeError for a base directory that cannot be used.
 */
export function createWebNode(options: WebNodeOptions) {
  const layout = createLayout(options.base)
  const users = options.users ?? DEFAULT_USERS
  const identity = identityOf(users)
  const unit = options.maskDistribution === true ? ownUnit() : null
  const { lend = (run) => run() } = options
  const supervisor = createSupervisor({
    runDirectory: layout.run,
    temporaryDirectory: layout.temporary,
    launcher: unit === null ? processLauncher(layout.logs) : systemdLauncher(unit),
    ...(options.report ? { report: options.report } : {}),
    ...(options.changed ? { changed: options.changed } : {}),
    lend,
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
  })
  const php = createPhp({
    layout,
    identity,
    supervisor,
    withoutIsolation: options.phpWithoutIsolation,
    sendsMail: options.sendsMail ?? false,
    databases: options.hasDatabases ? mariadbPlaces(mariadbDirectory(layout)).run : null,
    ...(options.phpIdleSeconds === undefined ? {} : { idleSeconds: options.phpIdleSeconds }),
  })
  const endings = createEndings({ layout, identity, users, php })
  const bin = createBin({ layout, identity, now: options.now, endProcesses: endings.processes })
  const report = (message: string) => options.report?.({ service: 'web', message })
  const leftovers = createLeftovers({ layout, identity, bin, report, endAll: endings.all })
  const accounts = createAccounts({ layout, identity, users, report })
  const { selfSigned, now } = options
  const mail = options.sendsMail ? createSpool(layout, identity) : null
  const parts: Parts = {
    ...{ layout, identity, supervisor, php, bin, users, selfSigned, now, leftovers, accounts, endings, mail },
  }
  const runCaged = createCages(layout, identity, endings.isPaused)
  const reality = createReality({ layout, identity, users, changed: options.changed })
  const limits = options.siteLogs ?? { days: 14, bytes: 256 * 1024 * 1024 }
  const siteLogs = createSiteLogs({ layout, identity, limits, now, runCaged, report })
  const web = { ...options, layout, workerUser: identity.root === null ? null : WEB_USER }
  const service = nginxService(web)
  /** Why the web server cannot run here at all, where that is for the operator to change. */
  const obstacle = () => (identity.root === null ? null : closedDirectory(layout.base))
  const datagrams = watchDatagrams({ users, report, keepOut: endings.pause, firstMs: options.keptOutMs })
  let purges: Awaited<ReturnType<typeof listenForPurges>> | null = null

  return {
    ...drivers(parts),
    bin,
    mail,
    leftovers,
    reality,
    highestNumbers: () => highestNumbers(layout, identity.root === null ? null : users, bin),
    showPages: (pages: DesiredPages, step: Step) =>
      showPages({ layout, asked: () => askNowhere(web) }, pages, step),
    /** Other services of the node, such as the name server, live under the same supervisor. */
    supervisor,
    layout,
    identity,
    /** A file here named by a challenge's token is answered under every name (RFC 8555, 8.3). */
    challengeDirectory: layout.acme,
    accessLog: layout.accessLog,
    phpVersions: php.versions,
    phpExtensions: php.extensions,
    runCaged,
    siteLogs,
    /** Without root nobody can become a client. */
    files: identity.root && siteFilesOf({ layout, identity, runCaged }, now),
    renewPhp: php.renew,
    endProcesses: endings.processes,

    /**
     * Starts what is not running: customers' programs last, after the node's `others`, when every service has its ports.
     * Throws when a port is taken, with the name of who holds it.
     */
    async start(others?: () => Promise<void>): Promise<void> {
      await lend(async () => {
        ensureBase(layout, identity)
        ensurePages(layout)
        removeStale(layout.temporary)
        showAll(layout)
        siteLogs.begin()
        for (const clientId of clientIdsOf(layout)) mail?.open(clientId)
        await ensureDefaultCertificate(layout, identity, options.selfSigned)
      })
      if (unit !== null) {
        const units = php.versions().map((version) => `php${version}-fpm.service`)
        await maskDistributionUnits([service.distributionUnit ?? '', ...units])
      }
      const closed = obstacle() !== null
      if (!closed) purges = await lend(() => listenForPurges(layout, identity))
      // A part that is missing must not keep the rest from running: services() tells of it.
      const failure = closed
        ? null
        : await supervisor.start('nginx', service).catch((error: unknown) => error)
      await others?.()
      // PHP of a client must not run as whoever else has its user number by now.
      const refused = await accounts.restore()
      if (identity.root !== null) datagrams.begin()
      if (!closed) await php.startAll(refused).catch(() => undefined)
      if (failure instanceof PortTaken) throw failure
    },

    /** Bounds what customers' programs and visitors have written; answers how many logs were put aside. */
    boundLogs(): number {
      siteLogs.prune()
      return boundPhpLogs(layout)
    },

    /** Shortens the addresses in logs older than a moment; answers in how many files. */
    async shortenLogs(before: Date, yesterday: Date): Promise<number> {
      await siteLogs.split()
      const removed = removeRotated(layout.logs, before)
      // What is put aside now goes on being written to for a moment.
      putOldAside(layout, supervisor, yesterday)
      return removed + (await shortenLogs(layout, { before, report }))
    },

    boundServiceLogs: (maxBytes?: number) => boundServiceLogs(layout, supervisor, maxBytes),

    /** Ends all services; `release()` instead leaves them running for the next start. */
    async stop(): Promise<void> {
      purges?.close()
      datagrams.end()
      siteLogs.end()
      await supervisor.stopAll()
    },

    release(): void {
      datagrams.end()
      siteLogs.end()
      supervisor.release()
    },

    fallen: (): string[] => (obstacle() === null ? supervisor.fallen() : ['nginx']),
    async services(): Promise<ServiceState[]> {
      const closed = obstacle()
      const web = { name: 'nginx', running: false, version: null, advice: closed }
      const states = closed === null ? await supervisor.states() : [web]
      const told = states.flatMap((state) => (state.name === 'php' ? php.states(state) : [state]))
      return [...told, ...php.missing(), ...leftovers.states(), ...accounts.states(), ...reality.states()]
    },

    /** Those of a site's names that should show the authority's certificate, and show the panel's own. */
    uncertified: ({ certified = [] }: Pick<DesiredSite, 'certified'>) =>
      certified.filter((host) => !hasOwnCertificate(layout, host)),
    certificates: async (hosts: string[]) => hosts.flatMap((host) => readOwnCertificate(layout, host) ?? []),
    takeCertificates: (held: HostCertificate[], step: Step) =>
      step('site.carried', async () => {
        for (const { host: name, chainPem, keyPem } of held) {
          installCertificate(layout, identity, { name, chainPem, keyPem: keyPem.reveal() })
        }
      }),
    /** See `installCertificate` of the web part; `name` is a host name that is served here. */
    installCertificate: async (name: string, chainPem: string, keyPem: string) =>
      installCertificate(layout, identity, { name, chainPem, keyPem }),
  }
}

function drivers(parts: Parts): Pick<
  NodeDriver,
  'syncClient' | 'emptyPages' | 'removeSite' | 'removeClient'
> & {
  syncSite(site: DesiredSite, step: Step): Promise<SelfSigned>
} {
  return {
    emptyPages: (site, step) =>
      step('site.pages', async () => {
        await parts.php.forget(site.clientId)
        emptyPages(parts.layout, site)
      }),
    syncClient: (client, step) => syncClient(parts, client, step),
    syncSite: (site, step) => syncSite(parts, site, step),
    removeSite: (site, step) => removeSite(parts, site, step),
    removeClient: (client, step) => removeClient(parts, client, step),
  }
}

async function syncClient(parts: Parts, client: DesiredClient, step: Step): Promise<void> {
  const { layout, identity, php, leftovers } = parts
  const { clientId, suspended } = client
  const wanted = suspended ? [] : php.versions().filter((version) => client.php.includes(version))
  const isNew = !exists(layout.clientLink(clientId))
  // A suspension is in effect before anything else is looked at, an activation when all is ready for it.
  if (suspended && !isNew) {
    await step('client.suspend', async () => setClientState(layout, identity, client))
  }
  await step('client.user', async () => {
    leftovers.setAsideClient(clientId)
    await parts.accounts.require(clientId)
  })
  await step('client.directories', async () => {
    ensureClientDirectories(layout, identity, client)
    parts.mail?.open(clientId)
    if (client.mailsLeft !== undefined) parts.mail?.tell(clientId, client.mailsLeft)
  })
  await step('client.php', () => syncPrograms(parts, client, { wanted, isNew }))
  await step('client.state', async () => setClientState(layout, identity, client))
}

async function syncSite(parts: Parts, site: DesiredSite, step: Step): Promise<SelfSigned> {
  const { layout, identity, php, supervisor, leftovers } = parts
  const { siteId, clientId } = site
  if (!exists(layout.clientLink(clientId))) throw new Error('the client of the site is not on this node')
  await step('site.directories', async () => {
    // After a loss of its names, as by a restore, its files are all that is left of it. One that moves here starts empty.
    if (!site.known || site.held) leftovers.setAsideSite(site)
    ensureSiteDirectories(layout, identity, site)
    const isShut = site.suspended || site.awaited || site.databasesAwaited
    if (isShut || exists(layout.suspendedClient(clientId))) ensureSuspended(layout, identity, site)
  })
  await step('site.php', async () => {
    const version = php.versions().length === 0 ? null : site.php
    const isChanged = php.setLimits(site)
    if (version !== null && !site.suspended) {
      await parts.accounts.require(clientId)
      await php.ensure(version, clientId)
      // What runs has the limits that it began with.
      if (isChanged) await php.forget(clientId)
    }
    php.setSite(siteId, version)
    setPagePolicy(layout, { ...site, php: version })
  })
  await step('site.rules', async () => writeRules(layout, identity, site))
  const made: { certificate?: SelfSigned } = {}
  await step('site.certificate', async () => {
    const { selfSigned: make, now } = parts
    made.certificate = await ensureSiteCertificate({ layout, identity, make, now: now() }, site)
  })
  // A suspended client is suspended as a whole; its sites come back with it, without being touched.
  const suspended = isAway(layout, site) || (site.suspended && !isSuspended(layout, clientId))
  await step('site.routes', async () => setRoutes(layout, { ...site, suspended }))
  if (supervisor.processOf('nginx') === null) throw new Error('the web server does not run')
  if (made.certificate === undefined) throw new Error('the step was not run')
  return made.certificate
}

import type {
  DesiredClient,
  DesiredSite,
  NodeDriver,
  SelfSigned,
  ServiceState,
  Step,
} from '../../lib/node.ts'
import type { Words } from '../../lib/words.ts'
import { type Bin, createBin } from './files/bin.ts'
import {
  ensureBase,
  ensureClientDirectories,
  ensureSiteDirectories,
  ensureSuspended,
  type Identity,
  isSuspended,
  removeSuspended,
  setClientState,
  shutOut,
  siteIdsOf,
} from './files/clients.ts'
import { createEndings, type Endings } from './files/endings.ts'
import { identityOf, WEB_USER } from './files/identity.ts'
import { createLayout, type Layout } from './files/layout.ts'
import { createLeftovers, type Leftovers } from './files/leftovers.ts'
import { highestNumbers } from './files/numbers.ts'
import {
  exists,
  firstClosedDirectory,
  removeFile,
  removeIfEmpty,
  removeStale,
  syncDirectory,
} from './files/safe.ts'
import { DEFAULT_USERS, ensureUser, removeUser, type UserRange } from './files/users.ts'
import { createPhp, type Php } from './php/pools.ts'
import { maskDistributionUnits, processLauncher, systemdLauncher } from './services/launcher.ts'
import { PortTaken } from './services/ports.ts'
import {
  createSupervisor,
  installIt,
  type Supervisor,
  type SupervisorOptions,
} from './services/supervisor.ts'
import { ownUnit } from './services/unit.ts'
import {
  ensureDefaultCertificate,
  ensureSiteCertificate,
  installCertificate,
  type MakeSelfSigned,
} from './web/certificates.ts'
import { boundServiceLogs } from './web/logs.ts'
import { nginxService } from './web/nginx.ts'
import { dropClientHosts, removeRoutes, setRoutes } from './web/routes.ts'

export type WebNodeOptions = {
  /** Directory of its own below the data directory; others must be able to pass the directories above. */
  base: string
  /** Local addresses to listen on; empty for all. */
  bind: string[]
  httpPort: number
  httpsPort: number
  /** Without root one user cannot be confined, so PHP is off; true turns it on all the same. */
  phpWithoutIsolation: boolean
  now: () => Date
  selfSigned: MakeSelfSigned
  /** Unix users of the clients; two panels on one machine need ranges of their own. */
  users?: UserRange
  report?: NonNullable<SupervisorOptions['report']>
  changed?: NonNullable<SupervisorOptions['changed']>
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
  endings: Endings
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
  const supervisor = createSupervisor({
    runDirectory: layout.run,
    temporaryDirectory: layout.temporary,
    launcher: unit === null ? processLauncher(layout.logs) : systemdLauncher(unit),
    ...(options.report ? { report: options.report } : {}),
    ...(options.changed ? { changed: options.changed } : {}),
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
  })
  const enabled = identity.root !== null || options.phpWithoutIsolation
  const php = createPhp({ layout, identity, supervisor, enabled })
  const endings = createEndings({ layout, identity, users, php })
  const bin = createBin({ layout, identity, now: options.now, endProcesses: endings.processes })
  const report = (message: string) => options.report?.({ service: 'web', message })
  const leftovers = createLeftovers({ layout, identity, bin, report, endAll: endings.all })
  const { selfSigned, now } = options
  const parts: Parts = { layout, identity, supervisor, php, bin, users, selfSigned, now, leftovers, endings }
  const service = nginxService({ ...options, layout, workerUser: identity.root === null ? null : WEB_USER })
  /** Why the web server cannot run here at all, where that is for the operator to change. */
  const obstacle = () => closedDirectory(parts)

  return {
    ...drivers(parts),
    bin,
    leftovers,
    highestNumbers: () => highestNumbers(layout, identity.root === null ? null : users, bin),
    /** Other services of the node, such as the name server, live under the same supervisor. */
    supervisor,
    layout,
    /** What a challenge's token is named here is answered under every name (RFC 8555, 8.3). */
    challengeDirectory: layout.acme,
    accessLog: layout.accessLog,
    phpVersions: php.versions,

    /**
     * Starts what is not running: customers' programs last, after the node's `others`, when every service has its ports.
     * Throws when a port is taken, with the name of who holds it.
     */
    async start(others?: () => Promise<void>): Promise<void> {
      ensureBase(layout, identity)
      removeStale(layout.temporary)
      await ensureDefaultCertificate(layout, identity, options.selfSigned)
      if (unit !== null) {
        const units = php.versions().map((version) => `php${version}-fpm.service`)
        await maskDistributionUnits([service.distributionUnit ?? '', ...units])
      }
      const closed = obstacle() !== null
      // A part that is missing must not keep the rest from running: services() tells of it.
      const failure = closed
        ? null
        : await supervisor.start('nginx', service).catch((error: unknown) => error)
      await others?.()
      if (!closed) await php.startAll().catch(() => undefined)
      if (failure instanceof PortTaken) throw failure
    },

    boundServiceLogs: (maxBytes?: number) => boundServiceLogs(layout, supervisor, maxBytes),

    /** Ends all services; `supervisor.release()` instead leaves them running for the next start. */
    stop: (): Promise<void> => supervisor.stopAll(),

    async services(): Promise<ServiceState[]> {
      const closed = obstacle()
      const web = { name: 'nginx', running: false, version: null, advice: closed }
      const states = closed === null ? await supervisor.states() : [web]
      return [...summary(states), ...missingPhp(php, enabled), ...leftovers.states()]
    },

    /** See `installCertificate` of the web part; `name` is a host name that is served here. */
    async installCertificate(name: string, chainPem: string, keyPem: string): Promise<void> {
      installCertificate(layout, identity, { name, chainPem, keyPem })
    },
  }
}

/** The web server's workers and the customers' PHP run as users of their own. */
function closedDirectory(parts: Parts): Words | null {
  const closed = parts.identity.root === null ? null : firstClosedDirectory(parts.layout.base)
  if (closed === null) return null
  return {
    es: `El usuario del servidor web no puede pasar por ${closed}: chmod o+x ${closed}`,
    en: `The web server's user may not pass ${closed}: chmod o+x ${closed}`,
  }
}

function drivers(
  parts: Parts,
): Pick<NodeDriver, 'applyClient' | 'applySite' | 'removeSite' | 'removeClient'> {
  return {
    applyClient: (client, step) => applyClient(parts, client, step),
    applySite: (site, step) => applySite(parts, site, step),
    removeSite: (site, step) => removeSite(parts, site, step),
    removeClient: (client, step) => removeClient(parts, client, step),
  }
}

async function applyClient(parts: Parts, client: DesiredClient, step: Step): Promise<void> {
  const { layout, identity, php, users, leftovers } = parts
  const { clientId, suspended } = client
  const wanted = suspended ? [] : php.versions().filter((version) => client.php.includes(version))
  const isNew = !exists(layout.clientLink(clientId))
  // A suspension is in effect before anything else is looked at, an activation when all is ready for it.
  if (suspended && !isNew) {
    await step('client.suspend', async () => setClientState(layout, identity, client))
  }
  await step('client.user', async () => {
    leftovers.setAsideClient(clientId)
    if (identity.root !== null) await ensureUser(users, clientId, layout.client(clientId))
  })
  await step('client.directories', async () => ensureClientDirectories(layout, identity, client))
  await step('client.php', async () => {
    for (const version of wanted) await php.ensure(version, clientId)
    if (wanted.length === 0 && !isNew) await parts.endings.all(clientId)
  })
  await step('client.state', async () => setClientState(layout, identity, client))
}

async function applySite(parts: Parts, site: DesiredSite, step: Step): Promise<SelfSigned> {
  const { layout, identity, php, supervisor, leftovers } = parts
  const { siteId, clientId } = site
  if (!exists(layout.clientLink(clientId))) throw new Error('the client of the site is not on this node')
  await step('site.directories', async () => {
    leftovers.setAsideSite(site)
    ensureSiteDirectories(layout, identity, site)
    if (site.suspended || exists(layout.suspendedClient(clientId))) ensureSuspended(layout, identity, site)
  })
  await step('site.php', async () => {
    const version = php.versions().length === 0 ? null : site.php
    if (version !== null && !site.suspended) await php.ensure(version, clientId)
    php.setSite({ siteId, clientId }, version)
  })
  const made: { certificate?: SelfSigned } = {}
  await step('site.certificate', async () => {
    const { selfSigned: make, now } = parts
    made.certificate = await ensureSiteCertificate({ layout, identity, make, now: now() }, site)
  })
  // A suspended client is suspended as a whole; its sites come back with it, without being touched.
  const suspended = site.suspended && !isSuspended(layout, clientId)
  await step('site.routes', async () => setRoutes(layout, { ...site, suspended }))
  if (supervisor.processOf('nginx') === null) throw new Error('the web server does not run')
  if (made.certificate === undefined) throw new Error('the step was not run')
  return made.certificate
}

async function removeSite(
  parts: Parts,
  site: { siteId: number; clientId: number; hosts: string[]; domain: string },
  step: Step,
): Promise<void> {
  const { layout, php, bin } = parts
  const { siteId, clientId, domain } = site
  await step('site.unserve', async () => removeRoutes(layout, site, site.hosts))
  await step('site.php', async () => php.setSite(site, null))
  await step('site.files', async () => {
    const directory = layout.site(clientId, siteId)
    // Without a file there is nothing to keep; and the bin takes an inode, which a site half made may lack.
    const bare = removeIfEmpty(layout.publicOf(clientId, siteId)) && removeIfEmpty(directory)
    if (!bare) bin.put({ kind: 'site', clientId, siteId, domain }, directory)
  })
  await step('site.forget', async () => {
    removeFile(`${layout.suspendedClient(clientId)}/${siteId}`)
    removeFile(layout.siteCertificate(siteId))
    removeFile(layout.manifest(siteId))
  })
}

async function removeClient(
  parts: Parts,
  client: { clientId: number; hosts: string[]; name: string },
  step: Step,
): Promise<void> {
  const { layout, identity, php, bin, users } = parts
  const { clientId, name } = client
  await step('client.unserve', async () => {
    // All of its names lead through this link.
    removeFile(layout.clientLink(clientId))
    syncDirectory(layout.links)
  })
  await step('client.processes', async () => {
    shutOut(layout, identity, clientId)
    await parts.endings.all(clientId)
  })
  await step('client.routes', async () => {
    for (const siteId of siteIdsOf(layout, clientId)) {
      removeRoutes(layout, { clientId, siteId }, [])
      php.setSite({ clientId, siteId }, null)
      removeFile(layout.siteCertificate(siteId))
      removeFile(layout.manifest(siteId))
    }
    dropClientHosts(layout, clientId, client.hosts)
  })
  await step('client.files', async () => bin.put({ kind: 'client', clientId, name }, layout.client(clientId)))
  await step('client.user', async () => {
    if (identity.root !== null) await removeUser(users, clientId, layout.client(clientId))
  })
  await step('client.forget', async () => removeSuspended(layout, clientId))
}

/** One line for each part: an operator does not think in blocks of pools. */
function summary(states: ServiceState[]): ServiceState[] {
  const merged = new Map<string, ServiceState>()
  for (const state of states) {
    const name = state.name.replace(/^(php[0-9.]+)-b.*$/, '$1')
    const before = merged.get(name)
    merged.set(name, before === undefined || before.running ? { ...state, name } : before)
  }
  return [...merged.values()]
}

function missingPhp(php: Php, enabled: boolean): ServiceState[] {
  if (php.versions().length > 0) return []
  const advice = enabled
    ? installIt('php-fpm')
    : {
        es: 'PHP está apagado: el panel no corre como root y no se puede confinar a un usuario.',
        en: 'PHP is off, since the panel does not run as root and one user cannot be confined.',
      }
  return [{ name: 'php', running: false, version: null, advice }]
}

import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Log, PanelConfig, Resolver } from '../../lib/endpoint/context.ts'
import type { DesiredSite, NodeDriver, ServiceState, Step } from '../../lib/endpoint/node-port.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import type { NodeConfig } from '../config.ts'
import { applicationsOf } from './applications/start.ts'
import { backupsOf } from './backups/start.ts'
import { type Issuer, issuerFor } from './certificates/start.ts'
import { missingProtections } from './confinement/protections.ts'
import { areUncollected } from './confinement/uncollected.ts'
import { clientGroups, groupOf, measureGroups, pastCounts } from './confinement/use.ts'
import { createWatch } from './confinement/watch.ts'
import { databasePath, isShared } from './database/open.ts'
import { nodeDatabases } from './databases/node.ts'
import { canServeDatabases, missingDatabases } from './databases/server.ts'
import type { Viewer } from './databases/viewer/run.ts'
import { createNames } from './dns/names.ts'
import { siteIdsOf } from './files/clients.ts'
import { createLayout } from './files/layout.ts'
import { rangeFor } from './files/range.ts'
import { firstClosedDirectory, removeFile } from './host/files.ts'
import { importsOf } from './imports/start.ts'
import { shorteningOf } from './logs/own.ts'
import { absentServices } from './services/absent.ts'
import { installIt } from './services/advice.ts'
import { ownUnit } from './services/unit.ts'
import { servicePorts } from './settings/service-ports.ts'
import { createSftpNode, type SftpNode } from './sftp/node.ts'
import { createSpace, type Space } from './space/guard.ts'
import { WHATEVER } from './space/reserve.ts'
import { deletedSites } from './trash/entries.ts'
import { hasQuota } from './usage/disk.ts'
import { exhaustedIn, scarceIn } from './usage/filesystem.ts'
import { createMeter } from './usage/meter.ts'
import { DEFAULT_USERS, ownerOf, type UserRange } from './users/users.ts'
import { createWebNode, type WebNode } from './web/node.ts'
import { firstPageOf } from './web/pages/first-page.ts'

export const NGINX = '/usr/sbin/nginx'
/** The last moment that a date can tell (ECMA-262, 21.4.1.1). */
const END_OF_TIME = new Date(8.64e15)

export type NodeOptions = {
  panel: PanelConfig
  node: NodeConfig
  resolvers: Resolver[]
  now: () => Date
  log: Log
}

/** A node's hands and what keeps them: its services outlive the panel unless they are stopped. */
export type NodeHands = {
  driver: NodeDriver
  issuer: Issuer | null
  bin: WebNode['bin'] | null
  /** What shows databases to browsers; null where there are none. */
  viewer(): Viewer | null
  space: Space
  /** What the database may have forgotten; null where there is no web server. */
  disk: Pick<WebNode, 'leftovers' | 'highestNumbers'> | null
  /** Puts the services' logs aside that have grown too large; answers whether the visits' was one. */
  boundServiceLogs(): boolean
  /** Starts or finds again what is installed; what cannot start is told by `services()`. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends what an earlier start left running, without starting anything. */
  endAll(): Promise<void>
  /** Leaves the services running for the next start. */
  release(): void
  /** Has this called whenever a service began to run or ceased to. */
  onChange(listener: () => void): void
}

/** What waits for a panel to start is done by then: loading a library holds up all requests for a tenth of a second. */
const SETTLED_MS = 30_000

/** Puts the parts together that this machine has: nginx and PHP-FPM, PowerDNS, an authority, measuring. */
export async function createHands(options: NodeOptions): Promise<NodeHands> {
  const nothing = absentServices()
  const { node, log } = options
  const users = userRange(options)
  let listener = () => {}
  const hasWeb = existsSync(NGINX)
  const space = spaceFor(node, hasWeb ? baseDirectory(node, 'web') : null)
  const web = hasWeb ? webNode(options, { users, space, changed: () => listener() }) : null
  const exhausted = web ? () => space.exhausted() ?? exhaustedIn(web.layout.clients) : nothing.exhausted
  const databases = web && nodeDatabases(web, options, { users, exhausted })
  const dns = { directory: baseDirectory(node, 'dns'), bind: node.bind, port: servicePorts(node).dns }
  const names = await space.lend(() => createNames({ ...dns, supervisor: web?.supervisor ?? null }))
  const sftp = web && sftpNode(options, web)
  const issuer = web && (await issuerFor(options, web))
  const meter = web && meterFor(options, web, users)
  const driver: NodeDriver = {
    ...nothing,
    ...(names ? { ...names.driver, removeZone: removalOf(names.driver, space) } : {}),
    ...(web ? webDriver({ web, meter, issuer, space, sftp, keepsDeleted: options.panel.trashDays > 0 }) : {}),
    ...(meter ? { measure: meter.measure, readTraffic: meter.readTraffic, readLoad: meter.readLoad } : {}),
    exhausted,
    firstPage: web && ((site) => firstPageOf({ bind: node.bind, ...servicePorts(node) }, site)),
    shortenLogs: shorteningOf({ dataDir: node.dataDir, now: options.now, web }),
    databaseAccess: databases?.access ?? null,
    databases: databases?.driver ?? null,
    applications: web && databases && applicationsOf(options, web, databases),
    imports: web && importsOf(node, web, databases?.access ?? null),
    backups:
      web && backupsOf({ config: node, web: web.layout.base, dns: dns.directory }, web, options.panel.test),
    ...(sftp ? { sftp: sftp.server, sftpUses: sftp.uses } : {}),
    issuesCertificates: issuer !== null,
    issueCertificate: issuer ? issuer.issue : nothing.issueCertificate,
    hasQuota: async () => (web ? space.hasQuota() : null),
    fallen: () => web?.fallen() ?? [],
    services: async () => [
      ...((await web?.services()) ?? [missing('nginx')]),
      ...(names ? [] : [missing('pdns')]),
      ...(databases ? [] : [missingDatabases()]),
      ...(sftp?.missing() ?? []),
      await space.state(),
      ...(web ? await protectionsOf(web) : []),
    ],
  }
  const complain = (part: string) => (error: unknown) =>
    log('error', 'service not started', {
      service: part,
      reason: error instanceof Error ? error.message : 'unknown',
    })
  return {
    driver,
    issuer,
    bin: web?.bin ?? null,
    viewer: () => databases?.viewer ?? null,
    space,
    disk: web,
    boundServiceLogs: () => web?.boundServiceLogs().includes(basename(web.layout.accessLog)) ?? false,
    async start() {
      // Loaded before the first site needs it, which is to be quick.
      if (web) setTimeout(() => void import('./certificates/self-signed.ts'), SETTLED_MS).unref()
      const others = async () => {
        // Each test's panel would make one, and few of them need it.
        const always = !options.panel.test || node.mariadbPort !== null
        await Promise.all([names?.start().catch(complain('pdns')), databases?.start(always)])
        await space.lend(async () => sftp?.start()).catch(complain('sftp'))
      }
      await web?.start(others).catch(async (error) => {
        complain('nginx')(error)
        await others()
      })
    },
    async stop() {
      databases?.stop()
      await web?.stop()
    },
    endAll: async () => web?.supervisor.endOthers('', () => false),
    release() {
      databases?.stop()
      web?.release()
    },
    onChange(next) {
      listener = next
    },
  }
}

type WebOptions = { users: UserRange; space: Space; changed: () => void }
function webNode({ panel, node, now, log }: NodeOptions, own: WebOptions): WebNode {
  return createWebNode({
    base: baseDirectory(node, 'web'),
    bind: node.bind,
    httpPort: servicePorts(node).http,
    httpsPort: servicePorts(node).https,
    phpWithoutIsolation: node.phpUnconfined,
    sendsMail: node.smtpUrl !== null,
    siteLogs: node.siteLogs,
    hasDatabases: canServeDatabases(),
    now,
    users: own.users,
    lend: own.space.lend,
    async selfSigned(names, keyPem) {
      const { selfSigned } = await import('./certificates/self-signed.ts')
      return selfSigned({ names, addresses: [], years: 10, now: now(), keyPem })
    },
    report: ({ service, message }) => log('warn', 'service', { service, reason: message }),
    changed: own.changed,
    maskDistribution: !panel.test,
  })
}

/** Without root nobody can become a client. */
function sftpNode({ node }: NodeOptions, web: WebNode): SftpNode | null {
  const { layout, identity, supervisor } = web
  if (!isRoot() || node.sftpPort === null) return null
  return createSftpNode({ layout, identity, supervisor, bind: node.bind, port: node.sftpPort })
}

async function protectionsOf({ layout }: WebNode): Promise<ServiceState[]> {
  const systemd = ownUnit() !== null
  // systemd is the first process, and collects.
  const uncollected = isRoot() && !systemd && (await areUncollected())
  return missingProtections({ groups: clientGroups(layout.run), root: isRoot(), systemd, uncollected })
}

/** PowerDNS says only that it failed. On a full disk its own database needs room even to delete a zone. */
function removalOf({ removeZone }: Pick<NodeDriver, 'removeZone'>, space: Space): NodeDriver['removeZone'] {
  return (name, step) => removeZone(name, space.lending(step, WHATEVER))
}

type WebParts = {
  web: WebNode
  meter: ReturnType<typeof createMeter> | null
  issuer: Issuer | null
  space: Space
  sftp: SftpNode | null
  /** Whether deleted files stay in the bin for a while. */
  keepsDeleted: boolean
}

function webDriver({ web, meter, issuer, space, sftp, keepsDeleted }: WebParts) {
  // A directory that a customer's process is still filling stays for the next purge.
  const emptied = async () => {
    if (!keepsDeleted) await web.bin.purge({ before: END_OF_TIME })
  }
  return {
    servesSites: true,
    phpVersions: web.phpVersions,
    phpExtensions: web.phpExtensions,
    runCaged: web.runCaged,
    measureGroups: async (ids: number[]) => measureGroups(web.layout.run, ids),
    busiest: createWatch(web.layout.run),
    siteRoot: web.layout.documents,
    scarce: () => scarceIn(web.layout.clients),
    async syncClient(client: Parameters<NodeDriver['syncClient']>[0], plain: Step) {
      // The reserve is for clients that are here already.
      const step = existsSync(web.layout.client(client.clientId)) ? space.lending(plain) : plain
      await step('client.volume', async () => {
        web.leftovers.setAsideClient(client.clientId)
        await meter?.prepare(client.clientId)
      })
      const accounts = client.suspended ? [] : (client.sftp ?? [])
      // Nobody comes in any more before what runs is ended, and nobody before all is ready.
      if (client.suspended) await sftp?.sync(client.clientId, accounts, step)
      await web.syncClient(client, step)
      if (!client.suspended) await sftp?.sync(client.clientId, accounts, step)
      await step('client.limits', async () => void (await meter?.applyLimits(client)))
    },
    async syncSite(site: DesiredSite, plain: Step) {
      const step = existsSync(web.layout.manifest(site.siteId)) ? space.lending(plain) : plain
      const selfSigned = await web.syncSite(site, step)
      const away = web.uncertified(site)
      const lost = issuer === null || away.length === 0 ? [] : await issuer.putBack(site.siteId, away)
      return { selfSigned, lost }
    },
    emptyPages: (site: { siteId: number; clientId: number }, step: Step) =>
      web.emptyPages(site, space.lending(step)),
    async removeSite(site: Parameters<NodeDriver['removeSite']>[0], plain: Step) {
      const step = space.lending(plain)
      await sftp?.dropSite(site, step)
      await web.removeSite(site, step)
      await step('site.certificate', async () => issuer?.forget(site.siteId))
      await emptied()
    },
    async removeClient(client: Parameters<NodeDriver['removeClient']>[0], plain: Step) {
      const step = space.lending(plain)
      await sftp?.sync(client.clientId, [], step)
      // While the client's directories still tell which sites it had.
      await step('client.certificates', async () => {
        for (const siteId of siteIdsOf(web.layout, client.clientId)) await issuer?.forget(siteId)
      })
      await web.removeClient(client, step)
      removeFile(pastCounts(web.layout.run, client.clientId))
      await emptied()
    },
    async boundLogs() {
      await web.renewPhp()
      return web.boundLogs()
    },
    ...{ sendsMail: web.mail !== null, showPages: web.showPages },
    ...{ certificates: web.certificates, takeCertificates: web.takeCertificates },
    ...{ mail: web.mail, files: web.files, bin: web.bin, reality: web.reality, siteLogs: web.siteLogs.logs },
    purgeTrash: async (before: Date) => (await web.bin.purge({ before })).length,
  }
}

function meterFor({ log }: NodeOptions, web: WebNode, users: UserRange) {
  return createMeter({
    base: web.layout.clients,
    clientDirectory: web.layout.client,
    userOf: (clientId) => (isRoot() ? ownerOf(users, clientId).uid : null),
    deleted: () => deletedSites(web.layout),
    groupOf: (clientId) => groupOf(web.layout.run, clientId),
    onIncomplete: (clientId) => log('warn', 'use not read in full', { client: clientId }),
    accessLog: web.accessLog,
    pages: web.layout.pages,
    sitesOf: (clientId) => siteIdsOf(web.layout, clientId),
  })
}

/** Of a node's data and its sites; `base` null where there is no web server. */
export function spaceFor(node: NodeConfig, base: string | null): Space {
  const database = isShared(node) ? null : databasePath(node)
  return createSpace({
    own: [
      resolve(node.dataDir),
      ...(database !== null && existsSync(database) ? [dirname(realpathSync(database))] : []),
    ],
    base,
    quota: async () => base === null || hasQuota(base),
  })
}

/**
 * Below the data directory, unless the services' users could not pass there (a checkout in /root): then
 * a directory of this panel's own below /srv.
 */
export function baseDirectory(node: NodeConfig, part: 'web' | 'dns'): string {
  const data = resolve(node.dataDir)
  const base = join(data, part)
  if (!isRoot() || firstClosedDirectory(data) === null) return base
  const mark = [...sha256(data).slice(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `/srv/controlpanel-${mark}${part === 'web' ? '' : `-${part}`}`
}

/** Tests run several panels on one machine: each node takes Unix users of its own, by its web server's port. */
export function userRange({
  panel,
  node,
}: Pick<NodeOptions, 'node'> & { panel: Pick<PanelConfig, 'test'> }): UserRange {
  if (!panel.test) return isRoot() ? rangeFor(createLayout(baseDirectory(node, 'web'))) : DEFAULT_USERS
  const port = node.httpPort ?? node.port
  return { uidBase: 300_000 + port * 1000, prefix: `t${port}x`, size: 1000 }
}

function missing(name: string): ServiceState {
  const packages = name === 'pdns' ? 'pdns-server pdns-backend-sqlite3' : 'nginx-light'
  return { name, running: false, version: null, advice: installIt(packages) }
}

const isRoot = () => process.getuid?.() === 0

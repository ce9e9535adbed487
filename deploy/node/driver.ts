import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { resolvesHere } from '../../lib/certificates/resolves.ts'
import type { Log, PanelConfig, Resolver } from '../../lib/context.ts'
import { sha256 } from '../../lib/hash.ts'
import type { NodeDriver, ServiceState, Step } from '../../lib/node.ts'
import { type NodeConfig, standingOn } from '../config.ts'
import type { certificateIssuer } from './certificates/issuer.ts'
import { databasePath, isShared } from './database/open.ts'
import { createNames } from './dns/names.ts'
import { siteIdsOf } from './files/clients.ts'
import { createLayout } from './files/layout.ts'
import { rangeFor } from './files/range.ts'
import { firstClosedDirectory } from './files/safe.ts'
import { DEFAULT_USERS, ownerOf, type UserRange } from './files/users.ts'
import { boundPhpLogs } from './php/logs.ts'
import { recordingDriver } from './recording-driver.ts'
import { installIt } from './services/supervisor.ts'
import { createSpace, type Space } from './space/guard.ts'
import { hasQuota } from './usage/disk.ts'
import { exhaustedIn, scarceIn } from './usage/filesystem.ts'
import { createMeter } from './usage/meter.ts'
import { createWebNode, type WebNode } from './web-node.ts'

const NGINX = '/usr/sbin/nginx'
/** The last moment that a date can tell (ECMA-262, 21.4.1.1). */
const END_OF_TIME = new Date(8.64e15)
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

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
  issuer: ReturnType<typeof certificateIssuer> | null
  bin: WebNode['bin'] | null
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

/** Puts the parts together that this machine has: nginx and PHP-FPM, PowerDNS, an authority, measuring. */
export async function createHands(options: NodeOptions): Promise<NodeHands> {
  const nothing = recordingDriver()
  const { node, log } = options
  const users = userRange(options)
  let listener = () => {}
  const web = existsSync(NGINX) ? webNode(options, users, () => listener()) : null
  const space = spaceFor(node, web?.layout.base ?? null)
  const names = await createNames({
    directory: baseDirectory(node, 'dns'),
    bind: node.bind,
    port: servicePorts(node).dns,
    supervisor: web?.supervisor ?? null,
  })
  const issuer = web && (await issuerFor(options, web))
  const meter = web && meterFor(options, web, users)
  const driver: NodeDriver = {
    ...nothing,
    ...(names ? { ...names.driver, removeZone: removalOf(names.driver, space) } : {}),
    ...(web ? webDriver({ web, meter, issuer, space, keepsDeleted: options.panel.trashDays > 0 }) : {}),
    ...(meter ? { measure: meter.measure, readTraffic: meter.readTraffic } : {}),
    issuesCertificates: issuer !== null,
    issueCertificate: issuer ? issuer.issue : nothing.issueCertificate,
    services: async () => [
      ...((await web?.services()) ?? [missing('nginx')]),
      ...(names ? [] : [missing('pdns')]),
      await space.state(),
    ],
  }
  const complain = (part: string) => (error: unknown) =>
    log('error', 'service not started', {
      servicio: part,
      motivo: error instanceof Error ? error.message : 'unknown',
    })
  return {
    driver,
    issuer,
    bin: web?.bin ?? null,
    space,
    disk: web,
    boundServiceLogs: () => web?.boundServiceLogs().includes(basename(web.layout.accessLog)) ?? false,
    async start() {
      // Loaded before the first site needs it, which is to be quick.
      if (web) void import('./certificates/self-signed.ts')
      const others = async () => names?.start().catch(complain('pdns'))
      await web?.start(others).catch(async (error) => {
        complain('nginx')(error)
        await others()
      })
    },
    stop: async () => web?.stop(),
    endAll: async () => web?.supervisor.endOthers('', () => false),
    release: () => web?.supervisor.release(),
    onChange(next) {
      listener = next
    },
  }
}

function webNode({ panel, node, now, log }: NodeOptions, users: UserRange, changed: () => void): WebNode {
  return createWebNode({
    base: baseDirectory(node, 'web'),
    bind: node.bind,
    httpPort: servicePorts(node).http,
    httpsPort: servicePorts(node).https,
    phpWithoutIsolation: node.phpUnconfined,
    now,
    users,
    async selfSigned(names, keyPem) {
      const { selfSigned } = await import('./certificates/self-signed.ts')
      return selfSigned({ names, addresses: [], years: 10, now: now(), keyPem })
    },
    report: ({ service, message }) => log('warn', 'service', { servicio: service, motivo: message }),
    changed,
    maskDistribution: !panel.test,
  })
}

/** PowerDNS tells only that it failed; on a full disk its own database needs room to take a zone out. */
function removalOf({ removeZone }: Pick<NodeDriver, 'removeZone'>, space: Space): NodeDriver['removeZone'] {
  return (name, step) => removeZone(name, space.lending(step, false))
}

type WebParts = {
  web: WebNode
  meter: ReturnType<typeof createMeter> | null
  issuer: ReturnType<typeof certificateIssuer> | null
  space: Space
  /** Whether deleted files stay in the bin for a while. */
  keepsDeleted: boolean
}

function webDriver({ web, meter, issuer, space, keepsDeleted }: WebParts) {
  // What a process of the customer's is still filling stays for the next purge.
  const emptied = async () => {
    if (!keepsDeleted) await web.bin.purge({ before: END_OF_TIME })
  }
  return {
    servesSites: true,
    phpVersions: web.phpVersions,
    siteRoot: (clientId: number, siteId: number) => web.layout.publicOf(clientId, siteId),
    scarce: () => scarceIn(web.layout.clients),
    exhausted: () => space.exhausted() ?? exhaustedIn(web.layout.clients),
    async applyClient(client: Parameters<NodeDriver['applyClient']>[0], plain: Step) {
      // What is kept back is for the clients that there are.
      const step = existsSync(web.layout.client(client.clientId)) ? space.lending(plain) : plain
      await step('client.volume', async () => {
        web.leftovers.setAsideClient(client.clientId)
        await meter?.prepare(client.clientId)
      })
      await web.applyClient(client, step)
      await step('client.limits', async () => void (await meter?.applyLimits(client)))
    },
    applySite: (site: Parameters<NodeDriver['applySite']>[0], step: Step) =>
      web.applySite(site, existsSync(web.layout.manifest(site.siteId)) ? space.lending(step) : step),
    async removeSite(site: Parameters<NodeDriver['removeSite']>[0], plain: Step) {
      const step = space.lending(plain)
      await web.removeSite(site, step)
      await step('site.certificate', async () => issuer?.forget(site.siteId))
      await emptied()
    },
    async removeClient(client: Parameters<NodeDriver['removeClient']>[0], plain: Step) {
      const step = space.lending(plain)
      // While its directories still tell which sites it had.
      await step('client.certificates', async () => {
        for (const siteId of siteIdsOf(web.layout, client.clientId)) await issuer?.forget(siteId)
      })
      await web.removeClient(client, step)
      await emptied()
    },
    boundLogs: async () => boundPhpLogs(web.layout),
    purgeTrash: async (before: Date) => (await web.bin.purge({ before })).length,
  }
}

/** Without an address of its own, the public authority is asked; in tests only one that was named. */
async function issuerFor(
  { panel, node, resolvers, now }: NodeOptions,
  web: WebNode,
): Promise<ReturnType<typeof certificateIssuer> | null> {
  const directoryUrl = node.acmeUrl ?? (panel.test ? null : LETS_ENCRYPT)
  if (directoryUrl === null) return null
  const { acmeCa } = node
  const options = {
    directoryUrl,
    caPem: acmeCa === null ? null : await standingOn('PANEL_ACME_CA', () => readFile(acmeCa, 'utf8')),
    contact: null,
    stateDirectory: join(resolve(node.dataDir), 'acme'),
    challengeDirectory: web.challengeDirectory,
    resolvesHere: (name: string) => resolvesHere({ resolvers, config: panel }, name),
    installCertificate: web.installCertificate,
    now,
  }
  // The ACME client is large and seldom needed: it is loaded by the first request to the authority.
  const load = async () => (await import('./certificates/issuer.ts')).certificateIssuer(options)
  let loaded: ReturnType<typeof load> | null = null
  const issuer = () => {
    loaded ??= load()
    return loaded
  }
  return {
    issue: async (request, step) => (await issuer()).issue(request, step),
    forget: async (siteId) => (await issuer()).forget(siteId),
    issueOwn: async (host, install, step) => (await issuer()).issueOwn(host, install, step),
  }
}

function meterFor({ log }: NodeOptions, web: WebNode, users: UserRange) {
  return createMeter({
    base: web.layout.clients,
    clientDirectory: web.layout.client,
    userOf: (clientId) => (isRoot() ? ownerOf(users, clientId).uid : null),
    onIncomplete: (clientId) => log('warn', 'use not read in full', { cliente: clientId }),
    accessLog: web.accessLog,
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
function userRange({ panel, node }: NodeOptions): UserRange {
  if (!panel.test) return isRoot() ? rangeFor(createLayout(baseDirectory(node, 'web'))) : DEFAULT_USERS
  const port = node.httpPort ?? node.port
  return { uidBase: 300_000 + port * 1000, prefix: `t${port}x`, size: 1000 }
}

function missing(name: string): ServiceState {
  const packages = name === 'pdns' ? 'pdns-server pdns-backend-sqlite3' : 'nginx-light'
  return { name, running: false, version: null, advice: installIt(packages) }
}

/** Where sites and names are served. */
export function servicePorts({ httpPort, httpsPort, dnsPort }: NodeConfig) {
  return {
    http: httpPort ?? (isRoot() ? 80 : 8080),
    https: httpsPort ?? (isRoot() ? 443 : 8443),
    dns: dnsPort ?? (isRoot() ? 53 : 5353),
  }
}

const isRoot = () => process.getuid?.() === 0

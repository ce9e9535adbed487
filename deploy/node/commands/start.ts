import { gzipSync, zstdCompressSync } from 'node:zlib'
import { and, eq, inArray, ne, notExists, or } from 'drizzle-orm'
import { handlers } from '../../../handlers/index.ts'
import { clientSubject } from '../../../lib/clients/clients.ts'
import { compareNode } from '../../../lib/clients/compare.ts'
import { resumeClients } from '../../../lib/clients/resume.ts'
import { followNode } from '../../../lib/dns/follow.ts'
import { enqueueAudit } from '../../../lib/dns/job.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { enqueueAdmin } from '../../../lib/identity/invitations.ts'
import { enqueueLink } from '../../../lib/identity/links.ts'
import { firstAdmin, isFirstStart } from '../../../lib/identity/persons.ts'
import { releaseMails } from '../../../lib/mail/outbox.ts'
import { givenUpAt } from '../../../lib/nodes/nodes.ts'
import { LINK_MS, newLinkUrl } from '../../../lib/secrets/links.ts'
import { missingKeys } from '../../../lib/secrets/sealed.ts'
import { isOutOfSpace, rootMessage } from '../../../lib/text/root-message.ts'
import { releaseDeliveries } from '../../../lib/webhooks/queue.ts'
import { enqueue, isTakenUp, releaseClaims } from '../../../lib/work/jobs.ts'
import { releaseLeases } from '../../../lib/work/leases.ts'
import { clients, jobs, sites } from '../../../schema/tables.ts'
import { blaming, ConfigError, type NodeConfig } from '../../config.ts'
import { ANSWER_MS } from '../../http/deadline.ts'
import { createApp } from '../../http/router.ts'
import { keepComing } from '../backups/recovery/coming.ts'
import { refuseHalfRecovered } from '../backups/recovery/unfinished.ts'
import { certificateAdvice, keepOwnCertificate, panelCertificate } from '../certificates/panel.ts'
import { refuseDamaged } from '../database/damaged.ts'
import { dropLostClients, keepNumbersFresh } from '../database/lost.ts'
import { isShared, makeDataDirectory } from '../database/open.ts'
import { watchDatabase } from '../database/watch.ts'
import { listenForViews } from '../databases/viewer/listen.ts'
import { baseDirectory } from '../driver.ts'
import { createLayout } from '../files/layout.ts'
import { loadAssets } from '../host/static.ts'
import { removeUnfinished } from '../host/unfinished.ts'
import { watchingOf } from '../host/watching.ts'
import { createRuntime, cronJobs, nodeConfiguration, type Runtime } from '../runtime.ts'
import { startScheduler } from '../scheduler.ts'
import { type Listening, serve } from '../server.ts'
import { givenUpLine, startHeartbeat } from '../services/heartbeat.ts'
import { describeHolder, panelPorts, portHolders } from '../services/ports.ts'
import { announce, announceEnd, holdAlone, runningLine, servingFrom } from '../services/presence.ts'
import { firstOpenPort, LAST_RESERVED, reservePorts } from '../services/reserved.ts'
import { tellReady } from '../services/unit.ts'
import { refuseOthersDirectory } from '../settings/paths.ts'
import { closeOwnFiles } from '../settings/secret-files.ts'
import { servicePorts } from '../settings/service-ports.ts'
import { writtenDirectories } from '../settings/written.ts'
import { keepSpace } from '../space/keeper.ts'
import { keysAdvice } from './missing-keys.ts'
import { type Output, testAdvice, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** Both take a tenth of a millisecond for a page of clients, so they need no thread of their own. */
const CODINGS = { zstd: zstdCompressSync, gzip: gzipSync }

/** `panel start`: serves until it is told to stop; prints where, with what certificate, and the first link. */
export async function start(given: Given, output: Output): Promise<void> {
  const { node } = nodeConfiguration(process.env)
  await refuseSecond(node)
  refuseHalfRecovered(node)
  refuseDamaged(node)
  removeUnfinished(writtenDirectories(node))
  const runtime = await createRuntime(process.env, { hands: true, first: true })
  const { services, config, hands } = runtime
  await refuseLost(runtime)
  const closed = closeOwnFiles(config).map(
    (path) => `${path} could be read by others; it is closed again (0600)`,
  )
  for (const reason of closed) services.log('warn', 'file closed', { reason })
  await keepNumbersFresh(runtime)
  const certificate = await panelCertificate(services.config, config, services.now)
  const app = createApp({
    services,
    handlers,
    assets: loadAssets(),
    trustedProxies: config.trustedProxies,
    watching: watchingOf(config, services.driver?.servesSites ? baseDirectory(config, 'web') : null),
    aot: true,
    codings: CODINGS,
    ...(isShared(config) ? { answerMs: ANSWER_MS } : {}),
  })
  const leave = await noted(runtime)
  reservePorts([config.port, config.viewsPort ?? config.port, ...Object.values(servicePorts(config))])
  const panel = await listen(() => serve(app, certificate, config.port, config.bind), config)
  const listening = await listenForViews(runtime, certificate, panel)
  // Behind a proxy it is the proxy's certificate that programs meet.
  services.ownCertificate = () => config.trustedProxies.length === 0 && listening.isSelfSigned()
  await takeOver(runtime)
  await dropLostClients(runtime)
  await resumeSites(services)
  await followNode(services)
  await enqueueAudit(services)
  if (services.driver?.servesSites) await keepComing(services, createLayout(baseDirectory(config, 'web')))
  await runtime.begin()
  const lost = Promise.withResolvers<Date>()
  const heartbeat = await startHeartbeat(services, config.dataDir, hands, lost.resolve)
  const space = await keepSpace(runtime, heartbeat.beat)
  let keeper = await keepOwnCertificate(runtime, listening)
  hands?.onGrown(async () => {
    await keepNumbersFresh(runtime)
    await dropLostClients(runtime)
    await resumeClients(services)
    await enqueueAudit(services)
    void compare(services)
    keeper.stop()
    keeper = await keepOwnCertificate(runtime, listening)
  })
  const scheduler = startScheduler(services, cronJobs)
  const watch = isShared(config) ? null : watchDatabase(services, () => process.exit(1))
  const enlace = await firstLink(services)
  const misnamed = certificateAdvice(certificate, services.config.host, config)
  if (misnamed) services.log('warn', 'certificate', { reason: misnamed })
  const lacking = await missingKeys(services.db.read, services.keys)
  const keyless = lacking.length > 0 ? keysAdvice(lacking, config) : null
  if (keyless) services.log('warn', 'keys missing', { reason: keyless })
  // Listens for signals before it reports that it serves, since whoever reads that may stop it at once.
  const stopped = stopSignal()
  output.line(
    {
      direccion: services.config.origin,
      certificado: certificate.path,
      huella: certificate.fingerprint,
      enlace,
    },
    [
      `Panel:        ${services.config.origin}`,
      `Certificate:  ${certificate.path}`,
      `Fingerprint:  ${certificate.fingerprint} (SHA-256)`,
      ...(misnamed ? [`Attention:    ${misnamed}`] : []),
      ...(services.config.test ? [`Attention:    ${testAdvice(config.testClock)}`] : []),
      ...closed.map((line) => `Attention:    ${line}`),
      ...(keyless ? [`Attention:    ${keyless}`] : []),
      ...(enlace ? [`First admin:  ${enlace}  (works once, for one hour)`] : []),
    ],
  )
  await tellReady(process.env.NOTIFY_SOCKET)
  // Nobody waits for it: what was at rest when the panel ended is served already.
  void compare(services)
  const givenUp = await Promise.race([stopped, lost.promise])
  announceEnd(config.dataDir)
  watch?.stop()
  keeper.stop()
  scheduler.stop()
  space.stop()
  heartbeat.stop()
  await listening.stop()
  await runtime.close(true)
  leave()
  if (givenUp) {
    await hands?.stop()
    throw new UsageError(givenUpLine(services.config.node ?? '', givenUp))
  }
  if (given.has('--dejar-servicios')) hands?.release()
  else await hands?.stop()
  process.exit(0)
}

async function compare(services: Services): Promise<void> {
  await compareNode(services).catch((error) =>
    services.log('error', 'not compared with the database', { reason: rootMessage(error) }),
  )
}

/** Refuses a second panel on the data directory: each would take the other's services, whatever their ports. */
async function refuseSecond({ dataDir }: NodeConfig): Promise<void> {
  const other = await blaming('PANEL_DATA', async () => {
    await makeDataDirectory(dataDir)
    refuseOthersDirectory(dataDir)
    return holdAlone(dataDir)
  })
  if (other !== null) throw new UsageError(runningLine(dataDir, other))
}

/** If even the reserve has no room for the note, the lock of `holdAlone` still keeps a second panel away. */
async function noted({ config, services, hands }: Runtime): Promise<() => void> {
  const note = async () => announce(config.dataDir)
  try {
    return await (hands?.space.lend(note) ?? note())
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    services.log('warn', 'no room for the note of this start', { reason: rootMessage(error) })
    return () => undefined
  }
}

/** A node that was given up while it was absent must not serve again: whatever still runs of it is ended. */
async function refuseLost({ services, hands }: Runtime): Promise<void> {
  const { node } = services.config
  const givenUp = node === null ? null : await givenUpAt(services.db.read, node)
  if (node === null || givenUp === null) return
  await hands?.endAll()
  throw new UsageError(givenUpLine(node, givenUp))
}

/** A port that is taken ends the start with one line that names who has it. */
async function listen(open: () => Promise<Listening>, { port, bind }: NodeConfig): Promise<Listening> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EADDRNOTAVAIL')
      throw new ConfigError(`PANEL_BIND: ${bind.join(', ')} is not an address of this machine`)
    if (error.code === 'EACCES') throw new UsageError(keptForRoot(port))
    if (error.code !== 'EADDRINUSE') throw error
    const [holder] = portHolders(panelPorts({ port, bind }))
    throw new UsageError(holder ? describeHolder(holder).en : `port ${port} is in use`)
  }
}

/**
 * Without root the lower ports cannot be used; on a machine with a panel that runs as root, more of them are
 * reserved.
 */
const keptForRoot = (port: number) =>
  `port ${port}: ports below ${firstOpenPort()} are root's on this machine (net.ipv4.ip_unprivileged_port_start): ` +
  `start the panel as root, or give it PANEL_PORT=${Math.max(firstOpenPort(), LAST_RESERVED + 1)} or above`

/**
 * Resumes at once the jobs that a killed panel was running. Only panels noted in the data directory work on this
 * node; while another one is there, leased jobs wait for the end of their lease. On a database of several hosts only
 * this node's jobs are resumed.
 */
async function takeOver({ services, config }: Runtime): Promise<void> {
  const { node } = services.config
  if (node === null) return
  const alone = !isShared(config)
  if (servingFrom(config.dataDir).some((pid) => pid !== process.pid)) return
  await releaseClaims(services.db, node, services.now(), alone)
  await releaseLeases(services, node, alone)
  await releaseMails(services, node, alone)
  if (alone) await releaseDeliveries(services)
}

/** Queues `sitio.aplicar` for sites that an earlier run could not serve, or served without a certificate of their own. */
async function resumeSites(services: Services): Promise<void> {
  const { driver, config } = services
  if (!driver?.servesSites || config.node === null) return
  const waiting = await services.db.read
    .select({ domain: sites.domain, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(
      and(
        or(inArray(sites.state, ['preparando', 'error']), eq(sites.certificateNames, [])),
        ne(sites.state, 'eliminando'),
        eq(clients.node, config.node),
        notExists(
          services.db.read
            .select({ id: jobs.id })
            .from(jobs)
            .where(and(isTakenUp('sitio.aplicar'), eq(jobs.target, sites.domain))),
        ),
      ),
    )
  await services.db.write(async (tx) => {
    for (const { domain, client } of waiting) {
      const work = {
        kind: 'sitio.aplicar',
        node: client.node,
        subject: clientSubject(client),
        target: domain,
      }
      enqueue(tx, services, { ...work, client: client.name })
    }
  })
}

/** On a panel whose first admin has not signed up yet: a new link for that admin, which replaces older ones. */
async function firstLink(services: Services): Promise<string | null> {
  if (!(await isFirstStart(services.db.read))) return null
  const url = await services.db.write(async (tx) => {
    const person = (await firstAdmin(tx)) ?? enqueueAdmin(tx, services, { email: null, language: 'es' })
    const expiresAt = new Date(services.now().getTime() + LINK_MS)
    return newLinkUrl(
      services,
      enqueueLink(tx, services, { personId: person.id, purpose: 'primero', expiresAt }),
    )
  })
  return url.reveal()
}

function stopSignal(): Promise<null> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(null))
  })
}

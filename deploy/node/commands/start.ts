import { and, eq, inArray, ne, or } from 'drizzle-orm'
import { handlers } from '../../../handlers/index.ts'
import { clientSubject } from '../../../lib/clients.ts'
import type { Services } from '../../../lib/context.ts'
import { followNode } from '../../../lib/dns/follow.ts'
import { queueAudit } from '../../../lib/dns/work.ts'
import { insertAdmin } from '../../../lib/invitations.ts'
import { enqueue, releaseClaims } from '../../../lib/jobs.ts'
import { releaseLeases } from '../../../lib/leases.ts'
import { createLink, LINK_MS, newLinkUrl } from '../../../lib/links.ts'
import { givenUpAt } from '../../../lib/nodes.ts'
import { releaseMails } from '../../../lib/outbox.ts'
import { firstAdmin, isFirstStart } from '../../../lib/persons.ts'
import { missingKeys } from '../../../lib/sealed.ts'
import { clients, sites } from '../../../schema/tables.ts'
import { ConfigError, type NodeConfig, standingOn } from '../../config.ts'
import { ANSWER_MS } from '../../deadline.ts'
import { createApp } from '../../router.ts'
import { certificateAdvice, keepOwnCertificate, panelCertificate } from '../certificate.ts'
import { isShared, makeDataDirectory } from '../database/open.ts'
import { watchDatabase } from '../database/watch.ts'
import { servicePorts } from '../driver.ts'
import { givenUpLine, startHeartbeat } from '../heartbeat.ts'
import { dropLostClients, keepNumbersFresh } from '../lost.ts'
import { announce, holdAlone, servingFrom } from '../presence.ts'
import { createRuntime, cronJobs, nodeConfiguration, type Runtime } from '../runtime.ts'
import { startScheduler } from '../scheduler.ts'
import { type Listening, serve } from '../server.ts'
import { describeHolder, panelPorts, portHolders } from '../services/ports.ts'
import { reservePorts } from '../services/reserved.ts'
import { tellReady } from '../services/unit.ts'
import { keepSpace } from '../space/keeper.ts'
import { loadAssets } from '../static.ts'
import { keysAdvice } from './missing-keys.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** Of what is kept back on a full disk, for the notes of a start; more starts than five wait for room. */
const START_PIECES = 12

/** `panel start`: serves until it is told to stop; prints where, with what certificate, and the first link. */
export async function start(given: Given, output: Output): Promise<void> {
  await refuseSecond(nodeConfiguration(process.env).node)
  const runtime = await createRuntime(process.env, { hands: true })
  const { services, config, hands } = runtime
  await refuseLost(runtime)
  await keepNumbersFresh(runtime)
  const certificate = await panelCertificate(services.config, config, services.now)
  const app = createApp({
    services,
    handlers,
    assets: loadAssets(),
    trustedProxies: config.trustedProxies,
    aot: true,
    ...(isShared(config) ? { answerMs: ANSWER_MS } : {}),
  })
  hands?.space.giveForStart(START_PIECES)
  const leave = announce(config.dataDir)
  reservePorts([config.port, ...Object.values(servicePorts(config))])
  const listening = listen(() => serve(app, certificate, config.port, config.bind), config)
  await takeOver(runtime)
  await dropLostClients(runtime)
  await resumeSites(services)
  await followNode(services)
  await queueAudit(services)
  await runtime.begin()
  const lost = Promise.withResolvers<Date>()
  const heartbeat = await startHeartbeat(services, config.dataDir, hands, lost.resolve)
  const space = await keepSpace(runtime, heartbeat.beat)
  const keeper = await keepOwnCertificate(runtime, listening)
  const scheduler = startScheduler(services, cronJobs)
  const watch = isShared(config) ? null : watchDatabase(services, () => process.exit(1))
  const enlace = await firstLink(services)
  const misnamed = certificateAdvice(certificate, services.config.host, config)
  if (misnamed) services.log('warn', 'certificate', { motivo: misnamed })
  const lacking = await missingKeys(services.db.read, services.keys)
  const keyless = lacking.length > 0 ? keysAdvice(lacking, config) : null
  if (keyless) services.log('warn', 'keys missing', { motivo: keyless })
  // Before it is told that it serves: whoever reads that may stop it at once.
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
      ...(keyless ? [`Attention:    ${keyless}`] : []),
      ...(enlace ? [`First admin:  ${enlace}  (works once, for one hour)`] : []),
    ],
  )
  await tellReady(process.env.NOTIFY_SOCKET)
  const givenUp = await Promise.race([stopped, lost.promise])
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

/** Two panels on one data directory would take each other's services, whatever their ports. */
async function refuseSecond({ dataDir }: NodeConfig): Promise<void> {
  const other = await standingOn('PANEL_DATA', async () => {
    await makeDataDirectory(dataDir)
    return holdAlone(dataDir)
  })
  if (other === null) return
  const who = other === 0 ? 'another process' : `process ${other}`
  throw new UsageError(
    `a panel runs already on ${dataDir}: ${who}. Stop it first, or give this one another PANEL_DATA`,
  )
}

/** A node that was given up while it was away must not serve again: what still runs of it is ended. */
async function refuseLost({ services, hands }: Runtime): Promise<void> {
  const { node } = services.config
  const givenUp = node === null ? null : await givenUpAt(services.db.read, node)
  if (node === null || givenUp === null) return
  await hands?.endAll()
  throw new UsageError(givenUpLine(node, givenUp))
}

/** A port that is taken ends the start with one line that names who has it. */
function listen(open: () => Listening, { port, bind }: NodeConfig): Listening {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EADDRNOTAVAIL')
      throw new ConfigError(`PANEL_BIND: ${bind.join(', ')} is not an address of this machine`)
    if (error.code !== 'EADDRINUSE') throw error
    const [holder] = portHolders(panelPorts({ port, bind }))
    throw new UsageError(holder ? describeHolder(holder).en : `port ${port} is in use`)
  }
}

/**
 * What a killed panel left under way goes on at once. A node has no workers but those that note themselves
 * in its directory; where another one is there, what is leased waits until that is over. On a database of
 * several hosts only the node's own is taken up.
 */
async function takeOver({ services, config }: Runtime): Promise<void> {
  const { node } = services.config
  if (node === null) return
  const alone = !isShared(config)
  if (servingFrom(config.dataDir).some((pid) => pid !== process.pid)) return
  await releaseClaims(services.db, node, services.now(), alone)
  await releaseLeases(services, node, alone)
  await releaseMails(services, node, alone)
}

/** Sites that an earlier run could not serve, or served without a certificate of their own, are taken up now. */
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

/** On a panel whose first admin has not signed up: a fresh link for it; older ones die. */
async function firstLink(services: Services): Promise<string | null> {
  if (!(await isFirstStart(services.db.read))) return null
  const url = await services.db.write(async (tx) => {
    const person = (await firstAdmin(tx)) ?? (await insertAdmin(tx, services, null, 'es'))
    const expiresAt = new Date(services.now().getTime() + LINK_MS)
    return newLinkUrl(services, createLink(tx, services, person.id, 'primero', expiresAt))
  })
  return url.reveal()
}

function stopSignal(): Promise<null> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(null))
  })
}

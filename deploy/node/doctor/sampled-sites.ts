import { Resolver } from 'node:dns/promises'
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import { and, eq } from 'drizzle-orm'
import type { Services } from '../../../lib/endpoint/context.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { clients, sites, zones } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { servicePorts } from '../settings/service-ports.ts'

const SAMPLE = 20
/** So many are asked at a time where all are. */
const AT_ONCE = 20
const TRIES_MS = 5_000
const LOOPBACK = '127.0.0.1'
/** Answered by the web server under every name (RFC 8555, 8.3). */
const OWN_PATH = '/.well-known/acme-challenge/doctor'

/** What did not come, and why. */
export type Unanswered = { what: string; fault: string }

type Site = { domain: string; zone: string | null }

/**
 * Asks some of the node's sites as a visitor would, chosen anew each time: for their page over HTTP, their certificate
 * over TLS and their zone of the name server. Answers what does not come, and how many were asked. What a site's own
 * program answers is its owner's matter, also where it says that it is not there. With `all` every site is asked.
 */
export async function unansweredSites(
  { db, config }: Services,
  node: NodeConfig,
  all: boolean,
): Promise<{ faults: Unanswered[]; asked: number }> {
  const served = await db.read
    .select({ domain: sites.domain, zone: zones.name })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(zones, and(eq(zones.name, sites.domain), eq(zones.state, 'activa')))
    .where(and(eq(clients.node, config.node ?? ''), eq(clients.state, 'activo'), eq(sites.state, 'activo')))
  const asked = all ? served : sampleOf(served)
  const faults: Unanswered[] = []
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const found = await Promise.all(asked.slice(at, at + AT_ONCE).map((site) => faultsOf(site, node)))
    faults.push(...found.flat())
  }
  return { faults, asked: asked.length }
}

function sampleOf(all: Site[]): Site[] {
  const rest = [...all]
  const chosen: Site[] = []
  while (rest.length > 0 && chosen.length < SAMPLE)
    chosen.push(...rest.splice(Math.floor(Math.random() * rest.length), 1))
  return chosen
}

async function faultsOf({ domain, zone }: Site, node: NodeConfig): Promise<Unanswered[]> {
  const at = node.bind[0] ?? LOOPBACK
  const { http, https, dns } = servicePorts(node)
  const asked: [string, Promise<string | null>][] = [
    [`http://${domain}`, overHttp(domain, at, http)],
    [`https://${domain}`, overTls(domain, at, https)],
    ...(zone === null ? [] : [[`zone ${zone}`, ofNameServer(zone, at, dns)] as [string, Promise<null>]]),
  ]
  const answers = await Promise.all(
    asked.map(async ([what, answer]) => {
      const fault = await answer.catch(rootMessage)
      return fault === null ? [] : [{ what, fault }]
    }),
  )
  return answers.flat()
}

async function overHttp(host: string, at: string, port: number): Promise<string | null> {
  const ask = async (path: string) => {
    const answer = await fetch(`http://${inUrl(at)}:${port}${path}`, {
      headers: { host },
      redirect: 'manual',
      keepalive: false,
      signal: AbortSignal.timeout(TRIES_MS),
    })
    await answer.body?.cancel()
    return isOfWebServer(answer) ? `status ${answer.status}` : null
  }
  // A program that takes its time is its owner's: the web server itself answers where a challenge would lie.
  return ask('/').catch((error) => (isLate(error) ? ask(OWN_PATH) : Promise.reject(error)))
}

/** The web server tells whatever it has no answer for by 503 and one of these pages; a program may answer 503 itself. */
function isOfWebServer({ status, headers }: Response): boolean {
  if (status !== 503 || headers.get('cache-control') !== 'no-store') return false
  const isStrict = headers.get('content-security-policy')?.startsWith("default-src 'none'") ?? false
  const wait = headers.get('retry-after')
  return wait === '5' || (wait === '3600' && isStrict)
}

const isLate = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

/** A certificate of nobody's authority is a site's first one, and no fault. */
async function overTls(host: string, at: string, port: number): Promise<string | null> {
  const certificate = await shownCertificate(host, at, port)
  if (new Date(certificate.valid_to) < new Date()) return `its certificate ended on ${certificate.valid_to}`
  return checkServerIdentity(host, certificate) === undefined ? null : 'its certificate is for other names'
}

function shownCertificate(servername: string, host: string, port: number): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const options = { host, port, servername, rejectUnauthorized: false, timeout: TRIES_MS }
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('timeout', () => socket.destroy(new Error('no answer')))
  })
}

async function ofNameServer(zone: string, at: string, port: number): Promise<null> {
  const resolver = new Resolver({ timeout: TRIES_MS, tries: 1 })
  resolver.setServers([`${inUrl(at)}:${port}`])
  await resolver.resolveSoa(zone)
  return null
}

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

import { createServer } from 'node:net'
import { readIfThere, writeAtomically } from '../files.ts'
import { isHeldBy, markOf } from '../services/recognition.ts'
import { type DnsDriver, powerDnsDriver } from './driver.ts'
import { apiKeyIn } from './key.ts'
import { dnsAddresses, makeDirectory, PDNS_USER, type PdnsService, pdnsService } from './service.ts'

export type DnsNodeOptions = {
  /** Directory of its own below the data directory; others must be able to pass the directories above. */
  directory: string
  /** Local addresses to answer on; empty for all but those of a local resolver. */
  bind: string[]
  port: number
}

/** The DNS part of a node: the service to be supervised, and the driver that works through it. */
export type DnsNode = { service: PdnsService; driver: DnsDriver }

/**
 * For its API where the panel is root: customers' programs cannot listen below 1024. Debian knows no service of these
 * numbers, and programs of root's that take any port (bindresvport(3)) begin at 600.
 */
const RESERVED = { first: 564, last: 586 }

/**
 * Makes the DNS part of a node. The port of the API and its key are kept in the directory, so that a
 * server which outlived the panel is found again; a port that somebody else took meanwhile is changed.
 */
export async function dnsNode({ directory, bind, port }: DnsNodeOptions): Promise<DnsNode> {
  await makeDirectory(directory)
  const apiKey = apiKeyIn(`${directory}/clave`)
  const user = isRoot() ? { user: PDNS_USER } : {}
  const make = (apiPort: number) =>
    pdnsService({ directory, addresses: dnsAddresses(bind), port, apiPort, apiKey, ...user })
  const service = await onItsPort(`${directory}/puerto`, make)
  const persist = () => service.persist()
  const { apiUrl: url, isServer } = service
  return { service, driver: powerDnsDriver({ url, apiKey: apiKey.current, isServer, persist }) }
}

async function onItsPort(path: string, make: (port: number) => PdnsService): Promise<PdnsService> {
  const kept = Number((await readIfThere(path)) ?? 0)
  if (isRoot() ? kept >= RESERVED.first && kept <= RESERVED.last : kept > 0) {
    const service = make(kept)
    if (isOurs(service) || (await canListen(kept)) !== null) return service
  }
  for (const candidate of isRoot() ? reservedFrom(path) : [0]) {
    const port = await canListen(candidate)
    if (port === null) continue
    await writeAtomically(path, String(port), 0o600)
    return make(port)
  }
  throw new Error('no local port is free for the DNS server')
}

/** All of them, beginning with another one in each directory: two panels that start at once do not meet. */
function reservedFrom(path: string): number[] {
  const count = RESERVED.last - RESERVED.first + 1
  const start = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % count, 0)
  return Array.from({ length: count }, (_, index) => RESERVED.first + ((start + index) % count))
}

const isOurs = (service: PdnsService): boolean => isHeldBy(service.apiPort, markOf(service))

const isRoot = () => process.getuid?.() === 0

/** The port if it is free on loopback (any free one for 0), else null. */
function canListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const bound = server.address()
      server.close(() => resolve(bound !== null && typeof bound === 'object' ? bound.port : null))
    })
  })
}

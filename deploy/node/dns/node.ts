import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { type DnsDriver, powerDnsDriver } from './driver.ts'
import { apiKeyIn, dnsAddresses, makeDirectory, PDNS_USER, type PdnsService, pdnsService } from './service.ts'

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
 * Makes the DNS part of a node. The port of the API and its key are kept in the directory, so that a
 * server which outlived the panel is found again; a port that somebody else took meanwhile is changed.
 */
export async function dnsNode({ directory, bind, port }: DnsNodeOptions): Promise<DnsNode> {
  await makeDirectory(directory)
  const apiKey = await apiKeyIn(`${directory}/clave`)
  const user = process.getuid?.() === 0 ? { user: PDNS_USER } : {}
  const make = (apiPort: number) =>
    pdnsService({ directory, addresses: dnsAddresses(bind), port, apiPort, apiKey, ...user })
  const service = await onItsPort(`${directory}/puerto`, make)
  const persist = () => service.persist()
  return { service, driver: powerDnsDriver({ url: service.apiUrl, apiKey, persist }) }
}

async function onItsPort(path: string, make: (port: number) => PdnsService): Promise<PdnsService> {
  const kept = Number(await readFile(path, 'utf8').catch(() => '0'))
  if (kept > 0) {
    const service = make(kept)
    if ((await service.ready()) || (await canListen(kept)) !== null) return service
  }
  const port = await canListen(0)
  if (port === null) throw new Error('no local port is free for the DNS server')
  await writeFile(`${path}.nuevo`, String(port), { mode: 0o600 })
  await rename(`${path}.nuevo`, path)
  return make(port)
}

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

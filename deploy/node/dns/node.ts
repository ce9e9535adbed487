import { type DnsDriver, powerDnsDriver } from './driver.ts'
import { apiKeyIn } from './key.ts'
import { apiPortIn } from './port.ts'
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
 * Makes the DNS part of a node. The port of the API and its key are kept in the directory, so that a
 * server which outlived the panel is found again.
 */
export async function dnsNode({ directory, bind, port }: DnsNodeOptions): Promise<DnsNode> {
  await makeDirectory(directory)
  const apiKey = apiKeyIn(`${directory}/clave`)
  const apiPort = apiPortIn(`${directory}/puerto`)
  if (apiPort.current() === 0) await apiPort.renew()
  const user = process.getuid?.() === 0 ? { user: PDNS_USER } : {}
  const service = pdnsService({ directory, addresses: dnsAddresses(bind), port, apiPort, apiKey, ...user })
  const { apiUrl: url, isServer, persist } = service
  return { service, driver: powerDnsDriver({ url, apiKey: apiKey.current, isServer, persist }) }
}

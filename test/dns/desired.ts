import { DnsServerError } from '../../deploy/node/dns/api.ts'
import { canonicalRrset } from '../../lib/dns/rrset.ts'
import { soaOf } from '../../lib/dns/template.ts'
import type { DesiredZone, RRset, Step } from '../../lib/endpoint/node-port.ts'
import type { RunningPdns } from './pdns.ts'

/** A step that just runs. */
export const run: Step = (_, work) => work()

export const NS: RRset = { name: '@', type: 'NS', ttl: 3600, values: ['ns1.host.net.', 'ns2.host.net.'] }

/** A zone as it is wanted, its NS aside. */
export function zone(name: string, serial: number, ...rrsets: RRset[]): DesiredZone {
  return { name, serial, soa: soaOf(name, ['ns1.host.net']), rrsets: [NS, ...rrsets] }
}

export function set(name: string, type: string, ...values: string[]): RRset {
  return canonicalRrset('unused.es', { name, type, ttl: 300, values })
}

/** How the driver failed; the text of any other outcome. */
export async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof DnsServerError ? error.kind : String(error)
}

/** Works on the server's API past the driver, as another hand would. */
export async function call(where: RunningPdns, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${where.service.apiUrl()}/api/v1/servers/localhost${path}`, {
    method,
    headers: { 'X-API-Key': where.apiKey.reveal() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

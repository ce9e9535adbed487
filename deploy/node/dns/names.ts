import { existsSync } from 'node:fs'
import type { Supervisor } from '../services/supervisor.ts'
import { userNamed } from '../users/users.ts'
import type { DnsDriver } from './driver.ts'
import { type DnsNodeOptions, dnsNode } from './node.ts'
import { PDNS_USER, PROGRAM } from './service.ts'

export type NamesOptions = DnsNodeOptions & { supervisor: Supervisor | null }

/** The node's name server and the driver that publishes on it; null where PowerDNS is not installed. */
export async function createNames({ supervisor, ...options }: NamesOptions): Promise<{
  driver: DnsDriver
  start(): Promise<void>
} | null> {
  if (!canServeNames() || supervisor === null) return null
  const { service, driver } = await dnsNode(options)
  return { driver, start: () => supervisor.start('pdns', service) }
}

/** The package makes its user after it has put the program in place. */
export const canServeNames = (): boolean =>
  existsSync(PROGRAM) && (process.getuid?.() !== 0 || userNamed(PDNS_USER) !== null)

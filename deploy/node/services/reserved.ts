import { readFileSync, writeFileSync } from 'node:fs'
import { hasCode } from '../host/files.ts'

/** The first port on which programs without root's rights may listen, over IPv6 and UDP too (ip(7), sysctls). */
const FIRST_OPEN = '/proc/sys/net/ipv4/ip_unprivileged_port_start'

/** The panel's own are 2087 and 2088; deploy/systemd/sysctl.conf says the same. What lies above belongs to others. */
export const LAST_RESERVED = 2088

/** Whether customers' programs can never listen on this port of the panel's, not even while its service is down. */
export function isReserved(port: number): boolean {
  return isRoot() && port < firstOpenPort()
}

/**
 * Has the kernel keep the ports up to the panel's own for root, where one of these is among them. A service of
 * systemd's may not set it; there the installation has.
 */
export function reservePorts(ports: number[]): void {
  if (!isRoot() || !ports.some((port) => port <= LAST_RESERVED && !isReserved(port))) return
  try {
    writeFileSync(FIRST_OPEN, String(LAST_RESERVED + 1))
  } catch (error) {
    // `panel doctor` tells which are open.
    if (!hasCode(error, 'EROFS', 'EACCES', 'EPERM')) throw error
  }
}

/** Below it only root may listen. */
export const firstOpenPort = (): number => Number(readFileSync(FIRST_OPEN, 'utf8'))

const isRoot = () => process.getuid?.() === 0

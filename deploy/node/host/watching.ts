import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism, userInfo } from 'node:os'
import type { Machine } from '../../../lib/metrics/machine.ts'
import type { NodeConfig } from '../../config.ts'
import type { Peer, Watching } from '../../http/metrics.ts'
import { sharedConnections, usersOfEnd } from './connections.ts'
import { memoryAvailable } from './memory.ts'

/** The kernel counts processor time in these, on every machine that Debian runs on. */
const TICKS_A_SECOND = 100

/** What this node adds to the metrics; `sites` is the directory of the sites, null where there are none. */
export function watchingOf(config: NodeConfig, sites: string | null): Watching {
  const connections = sharedConnections()
  // Where customers' programs run as the panel's own user, that user says nothing.
  const operators = [0, ...(config.phpUnconfined ? [] : [userInfo().uid])]
  return {
    async isOperator({ address, port }: Peer) {
      if (port === null || !isLoopback(address) || config.trustedProxies.includes(address)) return false
      const users = usersOfEnd(await connections(), { address, port }, config.port)
      return users.length > 0 && users.every((user) => operators.includes(user))
    },
    machine: () => lookAtMachine(sites),
  }
}

const isLoopback = (address: string) => address === '::1' || /^(?:::ffff:)?127\./i.test(address)

/** What the machine and this process use; `sites` is the directory of the sites, null where there are none. */
export async function lookAtMachine(sites: string | null): Promise<Machine> {
  const [stat, memory, disk] = await Promise.all([
    readFile('/proc/stat', 'utf8').catch(() => ''),
    memoryAvailable(),
    sites === null ? null : statfs(sites).catch(() => null),
  ])
  const { user, system } = process.cpuUsage()
  return {
    processors: availableParallelism(),
    cpuSeconds: cpuSeconds(stat),
    memoryAvailableBytes: memory,
    sitesBytes: disk && disk.blocks * disk.bsize,
    sitesFreeBytes: disk && disk.bavail * disk.bsize,
    panel: { cpuSeconds: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() },
  }
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). */
function cpuSeconds(stat: string): Machine['cpuSeconds'] {
  const [, figures] = /^cpu +([\d ]+)$/m.exec(stat) ?? []
  if (figures === undefined) return null
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...others] = figures
    .trim()
    .split(' ')
    .slice(0, 8)
    .map((ticks) => Number(ticks) / TICKS_A_SECOND)
  const busy = [user, nice, system, ...others].reduce((sum, seconds) => sum + seconds, 0)
  return { busy, idle: idle + waiting }
}

import { readFile } from 'node:fs/promises'

/** The kernel's tables of TCP connections, and how wide an address is in each. */
export type Connections = { table: string; width: 8 | 32 }[]

export async function readConnections(): Promise<Connections> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const [four, six] = await Promise.all([read('/proc/net/tcp'), read('/proc/net/tcp6')])
  return [
    { table: four, width: 8 },
    { table: six, width: 32 },
  ]
}

/** Reads the tables once for all who ask before a reading begins; one runs at a time. */
export function sharedConnections(): () => Promise<Connections> {
  let next: Promise<Connections> | null = null
  let running: Promise<unknown> = Promise.resolve()
  return () => {
    next ??= running.then(() => {
      next = null
      const reading = readConnections()
      running = reading
      return reading
    })
    return next
  }
}

/** The user at this machine's other end of a connection, told as `address port address port`; null where there is none. */
export function userOfConnection(connections: Connections, from: string): number | null {
  const [address = '', port = '', serverAddress = '', serverPort = ''] = from.split(' ')
  const local = endOf(address, Number(port))
  const remote = endOf(serverAddress, Number(serverPort))
  if (local === null || remote === null) return null
  for (const { table, width } of connections) {
    if (width === 8 && !(local.startsWith(MAPPED) && remote.startsWith(MAPPED))) continue
    const ends = width === 8 ? `: ${local.slice(24)} ${remote.slice(24)} ` : `: ${local} ${remote} `
    const start = table.indexOf(ends)
    if (start >= 0) return ownerIn(table, start + ends.length).user
  }
  return null
}

/**
 * The users of all sockets with this end that lead to a port of this machine. Only sockets that a process holds count:
 * of others the kernel tells root as the owner.
 */
export function usersOfEnd(
  connections: Connections,
  end: { address: string; port: number },
  serverPort: number,
): number[] {
  const local = endOf(end.address, end.port)
  if (local === null) return []
  const users = new Set<number>()
  for (const { table, width } of connections) {
    if (width === 8 && !local.startsWith(MAPPED)) continue
    const ends = new RegExp(
      `: ${width === 8 ? local.slice(24) : local} [0-9A-F]{${width}}:${portOf(serverPort)} `,
      'g',
    )
    for (const { index, 0: found } of table.matchAll(ends)) {
      const { user, held } = ownerIn(table, index + found.length)
      if (held) users.add(user)
    }
  }
  return [...users]
}

/** After the ends: state, queues, timer, retransmissions, user, timeout, inode. */
function ownerIn(table: string, from: number): { user: number; held: boolean } {
  const [, , , , user, , inode] = table.slice(from, table.indexOf('\n', from)).trim().split(/\s+/)
  return { user: Number(user), held: inode !== '0' }
}

/** An address of IPv4 as one of IPv6 (RFC 4291, 2.5.5.2), as the kernel writes it. */
const MAPPED = '0000000000000000FFFF0000'

const portOf = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')

function endOf(address: string, port: number): string | null {
  const numbers = address
    .replace(/^::ffff:/i, '')
    .split('.')
    .map(Number)
  const suffix = `:${portOf(port)}`
  if (address === '::1') return `00000000000000000000000001000000${suffix}`
  if (numbers.length !== 4 || numbers.some((one) => !Number.isInteger(one) || one < 0 || one > 255))
    return null
  const hex = numbers.toReversed().map((one) => one.toString(16).toUpperCase().padStart(2, '0'))
  return `${MAPPED}${hex.join('')}${suffix}`
}

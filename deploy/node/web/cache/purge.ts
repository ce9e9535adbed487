import { chmodSync, chownSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import { userInfo } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Identity } from '../../files/clients.ts'
import type { Layout } from '../../files/layout.ts'
import { readLink, removeFile } from '../../host/files.ts'
import { emptyPages } from './policy.ts'

/** Requests that wait while others are worked on; more are refused. */
const WAITING_MAX = 64

type Status = 200 | 403 | 429 | 500
type Waiting = { host: string; from: string; answer: (status: Status) => void }

/**
 * Answers requests by a site's own programs to forget its kept pages, which the web server passes on from loopback.
 * The kernel tells who asks: the user at the other end of the connection has to be the site's client.
 */
export async function listenForPurges(layout: Layout, identity: Identity): Promise<Server> {
  const take = queueOfPurges(layout, identity)
  const server = createServer((request, response) => {
    const answer = (status: Status) => {
      response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
      response.end(`${STATUS_CODES[status]}\n`)
    }
    take({ host: request.headers.host ?? '', from: String(request.headers['x-from'] ?? ''), answer })
  })
  removeFile(layout.purgeSocket)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(layout.purgeSocket, resolve)
  })
  // The directory lets the web server's workers pass and nobody else.
  if (identity.root && identity.web) chownSync(layout.purgeSocket, identity.root.uid, identity.web.gid)
  chmodSync(layout.purgeSocket, 0o660)
  server.unref()
  return server
}

/**
 * Requests that came while others were worked on are one batch: the kernel is asked once, and each site emptied once.
 */
function queueOfPurges(layout: Layout, identity: Identity): (one: Waiting) => void {
  let waiting: Waiting[] = []
  let working = false
  const workOn = async (batch: Waiting[]) => {
    const connections = await readConnections()
    const emptied = new Map<number, Status>()
    for (const { host, from, answer } of batch) {
      const site = siteOf(layout, host)
      const user = userOfConnection(connections, from)
      const allowed = site !== null && user !== null && user === userOf(identity, site.clientId)
      const status = allowed ? (emptied.get(site.siteId) ?? tryToEmpty(layout, site)) : 403
      if (allowed) emptied.set(site.siteId, status)
      answer(status)
      // Lets other work of the panel come in between.
      await setImmediate()
    }
  }
  const work = async () => {
    working = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await workOn(batch)
    }
    working = false
  }
  return (one) => {
    if (waiting.length >= WAITING_MAX) return one.answer(429)
    waiting.push(one)
    if (!working) void work()
  }
}

/** A full disk is no reason for the panel to end. */
function tryToEmpty(layout: Layout, site: { siteId: number }): 200 | 500 {
  try {
    emptyPages(layout, site)
    return 200
  } catch {
    return 500
  }
}

const userOf = (identity: Identity, clientId: number) => identity.customer(clientId)?.uid ?? userInfo().uid

function siteOf(layout: Layout, host: string): { clientId: number; siteId: number } | null {
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host)) return null
  const [, client, site] = /^\.\.\/k\/(\d+)\/(\d+)$/.exec(readLink(`${layout.hosts}/${host}`) ?? '') ?? []
  return client && site ? { clientId: Number(client), siteId: Number(site) } : null
}

type Connections = { table: string; width: 8 | 32 }[]

async function readConnections(): Promise<Connections> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const [four, six] = await Promise.all([read('/proc/net/tcp'), read('/proc/net/tcp6')])
  return [
    { table: four, width: 8 },
    { table: six, width: 32 },
  ]
}

/** The user at this machine's other end of a connection, told as `address port address port`; null where there is none. */
function userOfConnection(connections: Connections, from: string): number | null {
  const [address = '', port = '', serverAddress = '', serverPort = ''] = from.split(' ')
  const local = endOf(address, port)
  const remote = endOf(serverAddress, serverPort)
  if (local === null || remote === null) return null
  for (const { table, width } of connections) {
    if (width === 8 && !(local.startsWith(MAPPED) && remote.startsWith(MAPPED))) continue
    const ends = width === 8 ? `: ${local.slice(24)} ${remote.slice(24)} ` : `: ${local} ${remote} `
    const start = table.indexOf(ends)
    // After the ends: state, queues, timer, retransmissions, user.
    if (start >= 0)
      return Number(
        table
          .slice(start + ends.length, start + ends.length + 80)
          .trim()
          .split(/\s+/)[4],
      )
  }
  return null
}

/** An address of IPv4 as one of IPv6 (RFC 4291, 2.5.5.2), as the kernel writes it. */
const MAPPED = '0000000000000000FFFF0000'

function endOf(address: string, port: string): string | null {
  const numbers = address.split('.').map(Number)
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`
  if (address === '::1') return `00000000000000000000000001000000${suffix}`
  if (numbers.length !== 4 || numbers.some((one) => !Number.isInteger(one) || one < 0 || one > 255))
    return null
  const hex = numbers.toReversed().map((one) => one.toString(16).toUpperCase().padStart(2, '0'))
  return `${MAPPED}${hex.join('')}${suffix}`
}

import { chmodSync, chownSync } from 'node:fs'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import { userInfo } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Identity } from '../../files/clients.ts'
import type { Layout } from '../../files/layout.ts'
import { readConnections, userOfConnection } from '../../host/connections.ts'
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

import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hasCode, writeWhole } from '../host/files.ts'

/** The port of the DNS server's API, which every process of the panel reads where it is kept. */
export type ApiPort = {
  /** 0 where none was chosen yet. */
  current(): number
  /** Chooses another one where somebody else has it meanwhile: to be called while the server does not run. */
  renew(): Promise<void>
}

/**
 * For its API where the panel is root: customers' programs cannot listen below 1024. Debian knows no service of these
 * numbers, and programs of root's that take any port (bindresvport(3)) begin at 600.
 */
const RESERVED = { first: 564, last: 586 }

/** The port in a file, so that a server which outlived the panel is found again. */
export function apiPortIn(path: string): ApiPort {
  const current = () => {
    const kept = Number(readOr(path, '0'))
    return isUsable(kept) ? kept : 0
  }
  return {
    current,
    async renew() {
      const kept = current()
      if (kept > 0 && (await canListen(kept)) !== null) return
      writeWhole({ path, content: String(await freePort(path)), mode: 0o600 })
    },
  }
}

const isUsable = (port: number): boolean =>
  isRoot() ? port >= RESERVED.first && port <= RESERVED.last : port > 0

async function freePort(path: string): Promise<number> {
  for (const candidate of isRoot() ? reservedFrom(path) : [0]) {
    const port = await canListen(candidate)
    if (port !== null) return port
  }
  throw new Error('no local port is free for the DNS server')
}

/** All of them, beginning with another one in each directory: two panels that start at once do not meet. */
function reservedFrom(path: string): number[] {
  const count = RESERVED.last - RESERVED.first + 1
  const start = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % count, 0)
  return Array.from({ length: count }, (_, index) => RESERVED.first + ((start + index) % count))
}

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

function readOr(path: string, missing: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    return missing
  }
}

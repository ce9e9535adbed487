import { readFileSync } from 'node:fs'
import { clientOf, type UserRange } from '../users/users.ts'
import { keptOut } from './kept-out.ts'

const LOOK_MS = 1_000
/** So many sockets for datagrams of a whole machine: nothing else is looked at before. */
const CROWD = 4_096
/** Of one client. A program that asks for names has a few at a time. */
const MOST = 1_024

type Options = {
  users: UserRange
  /** Ends the client's programs and lets none begin; what it answers lets them begin again. */
  keepOut(clientId: number): Promise<() => Promise<void>>
  report(message: string): void
  /** How long a client is kept out at first, milliseconds; a minute unless told. */
  firstMs?: number | undefined
}

/**
 * Keeps out clients whose programs take the machine's ports for datagrams. Each socket that has sent one keeps a port of
 * its own out of some 28,000, whoever's it is: once they are used up nobody finds a name any more, neither another
 * client nor the panel, and no limit of the kernel's counts them by user.
 */
export function watchDatagrams({ users, keepOut, report, firstMs }: Options) {
  const kept = keptOut(firstMs)
  const ways = new Map<number, () => Promise<void>>()
  const look = async () => {
    const out = kept.clients()
    for (const [clientId, letIn] of ways) {
      if (out.includes(clientId)) continue
      ways.delete(clientId)
      await letIn()
    }
    if (inUse() < CROWD) return
    for (const [clientId, held] of heldByClient(users)) {
      if (held <= MOST) continue
      const waitMs = kept.keep(clientId)
      report(`client ${clientId} held ${held} ports for datagrams: kept out for ${waitMs / 1000} s`)
      ways.set(clientId, await keepOut(clientId))
    }
  }
  let timer: ReturnType<typeof setInterval> | null = null
  let isLooking = false
  const turn = async () => {
    if (isLooking) return
    isLooking = true
    await look().catch((error: unknown) => report(String(error)))
    isLooking = false
  }
  return {
    begin(): void {
      timer ??= setInterval(() => void turn(), LOOK_MS)
      timer.unref()
    },
    /** Those who are kept out are let in again by the next start. */
    end(): void {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

/** Sockets that have a port, by the kernel's own count. */
function inUse(): number {
  const counts = ['/proc/net/sockstat', '/proc/net/sockstat6'].map((path) =>
    Number(/^UDP6?: inuse (\d+)/m.exec(textOf(path))?.[1] ?? 0),
  )
  return counts.reduce((sum, one) => sum + one, 0)
}

function heldByClient(users: UserRange): Map<number, number> {
  const held = new Map<number, number>()
  for (const path of ['/proc/net/udp', '/proc/net/udp6']) {
    for (const line of textOf(path).split('\n').slice(1)) {
      const uid = line.trim().split(/\s+/)[7]
      const client = uid === undefined ? null : clientOf(users, { name: '', number: Number(uid) })
      if (client !== null) held.set(client, (held.get(client) ?? 0) + 1)
    }
  }
  return held
}

/** Nothing where the kernel has no such part. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

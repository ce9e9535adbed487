import type { Traffic } from '../../../lib/endpoint/node-port.ts'
import { membersIn } from '../host/json-line.ts'

/** Latest time that a line may have, seconds since the epoch: the last second of the year 9999. */
const MAX_SECONDS = 253_402_300_799

/**
 * One line of the web server's access log, `{"t":seconds,"c":"client","h":host,"s":status,"o":bytes sent,
 * "i":bytes received}`, as traffic of a client and a UTC day; null for a request of no client and for anything
 * malformed. Who the client is follows from the directory that was served, never from what the visitor sent;
 * the one field that a visitor controls (`h`) is escaped by the format and not read here.
 */
export function parseLine(line: string): Traffic | null {
  const { t, c, i: received, o: sent } = membersIn(line) ?? {}
  if (typeof t !== 'number' || !(t >= 0 && t <= MAX_SECONDS)) return null
  const clientId = typeof c === 'string' && /^[1-9]\d{0,14}$/.test(c) ? Number(c) : null
  if (clientId === null || !isCount(received) || !isCount(sent)) return null
  return { clientId, day: new Date(t * 1000).toISOString().slice(0, 10), bytesIn: received, bytesOut: sent }
}

/** Sums of traffic by client and day. */
export function addTraffic(sums: Map<string, Traffic>, one: Traffic): void {
  const key = `${one.clientId} ${one.day}`
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, { ...one })
  else {
    sum.bytesIn += one.bytesIn
    sum.bytesOut += one.bytesOut
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

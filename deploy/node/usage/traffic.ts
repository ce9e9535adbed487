import type { Traffic } from '../../../lib/endpoint/node-port.ts'
import { addTraffic, parseLine } from './log-line.ts'
import { readLog } from './tail.ts'

/**
 * Sums what the web server has logged since the cursor, with the cursor to go on from; the caller stores both in one
 * transaction, so that no byte is counted twice or lost.
 */
export async function readTraffic(
  logPath: string,
  cursor: string | null,
  maxBytes: number,
): Promise<{ cursor: string; traffic: Traffic[] }> {
  const sums = new Map<string, Traffic>()
  const next = await readLog(logPath, cursor, {
    maxBytes,
    line(text) {
      const one = parseLine(text)
      if (one !== null) addTraffic(sums, one)
    },
  })
  return { cursor: next, traffic: [...sums.values()] }
}

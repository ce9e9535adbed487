import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import { type DiskMeterOptions, diskMeter } from './disk.ts'
import { keptPages } from './kept-pages.ts'
import { loadMeter } from './load.ts'
import { readTraffic } from './traffic.ts'

/** Bytes of the log read before what they hold is stored. */
const READ_BYTES = 64 * 1_048_576

/** For this long one look at the kept pages is used again: a measurement asks for some clients at a time. */
const LOOK_MS = 60_000

export type MeterOptions = DiskMeterOptions & {
  accessLog: string
  /** Where nginx keeps pages, and which sites a client's are. */
  pages: string
  sitesOf: (clientId: number) => number[]
}

/** All of a node's measuring: the driver's part of it, and the limits that its file system can hold. */
export function createMeter(
  options: MeterOptions,
): Pick<NodeDriver, 'measure' | 'readTraffic' | 'readLoad'> &
  Pick<ReturnType<typeof diskMeter>, 'prepare' | 'applyLimits'> {
  const disk = diskMeter(options)
  const kept = lookNow(options.pages)
  return {
    ...disk,
    /** Kept pages lie outside of the client's directory and belong to it all the same. */
    async measure(clientIds) {
      const [uses, bytes] = [await disk.measure(clientIds), await kept()]
      const ofClient = (clientId: number) =>
        options.sitesOf(clientId).reduce((sum, siteId) => sum + (bytes.get(siteId) ?? 0), 0)
      return uses.map((use) => ({ ...use, diskBytes: use.diskBytes + ofClient(use.clientId) }))
    },
    readTraffic: (cursor) => readTraffic(options.accessLog, cursor, READ_BYTES),
    readLoad: loadMeter(options.base),
  }
}

function lookNow(pages: string): () => Promise<Map<number, number>> {
  let look: { at: number; bytes: Map<number, number> } | null = null
  return async () => {
    if (look === null || performance.now() - look.at > LOOK_MS)
      look = { bytes: await keptPages(pages), at: performance.now() }
    return look.bytes
  }
}

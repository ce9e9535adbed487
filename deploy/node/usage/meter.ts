import type { NodeDriver } from '../../../lib/node.ts'
import { type DiskMeterOptions, diskMeter } from './disk.ts'
import { readTraffic } from './traffic.ts'

/** Bytes of the log read before what they hold is stored. */
const READ_BYTES = 64 * 1_048_576

/** All of a node's measuring: the driver's part of it, and the limits that its file system can hold. */
export function createMeter(
  options: DiskMeterOptions & { accessLog: string },
): Pick<NodeDriver, 'measure' | 'readTraffic'> &
  Pick<ReturnType<typeof diskMeter>, 'prepare' | 'applyLimits'> {
  return {
    ...diskMeter(options),
    readTraffic: (cursor) => readTraffic(options.accessLog, cursor, READ_BYTES),
  }
}

import { totalmem } from 'node:os'
import type { NodeLoad } from '../../../lib/endpoint/node-port.ts'
import { lookAtMachine } from '../host/watching.ts'

/** Measures what the machine does; `disk` is a directory on the file system that is told of, if any. */
export function loadMeter(disk: string | null): () => Promise<NodeLoad> {
  let before: NodeLoad['cpuSeconds'] = null
  return async () => {
    const { cpuSeconds, memoryAvailableBytes, sitesBytes, sitesFreeBytes } = await lookAtMachine(disk)
    const former = before
    before = cpuSeconds
    const since = (of: 'busy' | 'idle') => Math.max(0, (cpuSeconds?.[of] ?? 0) - (former?.[of] ?? 0))
    return {
      cpuSeconds: cpuSeconds && former && { busy: since('busy'), idle: since('idle') },
      memoryBytes: memoryAvailableBytes === null ? null : totalmem() - memoryAvailableBytes,
      diskBytes: sitesBytes === null || sitesFreeBytes === null ? null : sitesBytes - sitesFreeBytes,
    }
  }
}

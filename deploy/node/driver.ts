import type { NodeDriver } from '../../lib/node.ts'
import { recordingDriver } from './recording-driver.ts'
import type { nodeConfiguration } from './runtime.ts'

/** The hands of this node: nginx, PHP-FPM and PowerDNS where they are installed. */
export async function makeDriver(_configuration: ReturnType<typeof nodeConfiguration>): Promise<NodeDriver> {
  return recordingDriver()
}

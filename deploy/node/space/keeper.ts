import { realpathSync } from 'node:fs'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { recordTraffic } from '../../../lib/usage/traffic.ts'
import { databasePath, isShared } from '../database/open.ts'
import type { Runtime } from '../runtime.ts'
import { keepRoom } from './database.ts'

const EVERY_MS = 5_000

/** Rotates the services' logs, refills the reserve, and reports at once when a disk fills up or has room again. */
export async function keepSpace(runtime: Runtime, tell: () => Promise<void>): Promise<{ stop(): void }> {
  const { hands, config, services } = runtime
  if (hands === null) return { stop: () => undefined }
  let told = hands.space.level()
  const look = async () => {
    const { driver } = services
    // Read at each rotation, of which a visit outlives three.
    if (hands.boundServiceLogs() && driver && services.config.node !== null)
      await recordTraffic(services, driver, services.config.node)
    const level = hands.space.level()
    if (level !== 'lleno') {
      hands.space.refill()
      if (!isShared(config)) await keepRoom(services.db, realpathSync(databasePath(config)))
    }
    if (level !== told) await tell()
    told = level
  }
  const guarded = () =>
    look().catch((error) => services.log('warn', 'reserve not kept', { reason: rootMessage(error) }))
  await guarded()
  const timer = setInterval(guarded, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

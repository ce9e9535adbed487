import { statfs } from 'node:fs/promises'
import { loadavg, totalmem } from 'node:os'
import type { Services } from '../../lib/context.ts'
import type { NodeDriver } from '../../lib/node.ts'
import { offersBy } from '../../lib/offers.ts'
import { rootMessage } from '../../lib/root-message.ts'
import { type NodeCapacity, nodes } from '../../schema/tables.ts'
import type { NodeHands } from './driver.ts'

const EVERY_MS = 30_000

/** Keeps this node's row: addresses, services, capacity, and that it is there; anew when a service changes. */
export async function startHeartbeat(
  services: Services,
  dataDir: string,
  hands: Pick<NodeHands, 'onChange'> | null,
): Promise<{ stop(): void }> {
  const startedAt = services.now()
  const beat = () =>
    writeNode(services, dataDir, startedAt).catch((error) =>
      services.log('warn', 'heartbeat failed', {
        motivo: rootMessage(error),
      }),
    )
  await beat()
  const timer = setInterval(beat, EVERY_MS)
  hands?.onChange(beat)
  return {
    stop() {
      clearInterval(timer)
      hands?.onChange(() => {})
    },
  }
}

/** Writes the node's row now. */
export async function writeNode(services: Services, dataDir: string, startedAt: Date): Promise<void> {
  const { config, driver } = services
  if (config.node === null) return
  const row = {
    name: config.node,
    addresses: config.addresses,
    nameServers: config.nameServers,
    services: [...((await driver?.services()) ?? []), mailState(config.mailConfigured)],
    capacity: await capacity(dataDir, driver),
    version: config.version,
    startedAt,
    seenAt: services.now(),
  }
  await services.db.write(async (tx) =>
    tx.later(tx.insert(nodes).values(row).onConflictDoUpdate({ target: nodes.name, set: row })),
  )
}

function mailState(configured: boolean) {
  const advice = configured
    ? null
    : {
        es: 'PANEL_SMTP_URL no está puesto: los correos se escriben como ficheros en el directorio de datos',
        en: 'PANEL_SMTP_URL is not set: mails are written as files into the data directory',
      }
  return { name: 'correo', running: configured, version: null, advice }
}

async function capacity(dataDir: string, driver: NodeDriver | null): Promise<NodeCapacity> {
  const fs = await statfs(dataDir)
  return {
    diskBytes: fs.blocks * fs.bsize,
    diskFreeBytes: fs.bavail * fs.bsize,
    inodes: fs.files || null,
    inodesFree: fs.files ? fs.ffree : null,
    memoryBytes: totalmem(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    ...(driver ? { offers: offersBy(driver) } : {}),
  }
}

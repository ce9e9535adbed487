import { statfs } from 'node:fs/promises'
import { loadavg, totalmem } from 'node:os'
import type { PanelConfig, Services } from '../../lib/context.ts'
import type { NodeDriver } from '../../lib/node.ts'
import { BEAT_MS, givenUpAt } from '../../lib/nodes.ts'
import { offersBy } from '../../lib/offers.ts'
import { rootMessage } from '../../lib/root-message.ts'
import { type NodeCapacity, nodes } from '../../schema/tables.ts'
import type { NodeHands } from './driver.ts'

/** Looked at so often that a clock that was moved, or a machine that slept, is noticed at once. */
const LOOK_MS = 1000

/** What this machine's operator reads once its node has been given up. */
export const givenUpLine = (node: string, at: Date) =>
  `node ${node} was given up on ${at.toISOString().slice(0, 10)} and what lived here was released: this machine serves nothing more. To use it again, start with an empty data directory and another PANEL_NODE`

/**
 * Keeps this node's row: addresses, services, capacity, and that it is there; anew when a service changes.
 * Where the node was given up meanwhile nothing is written, and `lost` is told.
 */
export async function startHeartbeat(
  services: Services,
  dataDir: string,
  hands: Pick<NodeHands, 'onChange'> | null,
  lost: (at: Date) => void,
): Promise<{ beat(): Promise<void>; stop(): void }> {
  const startedAt = services.now()
  let beatAt = 0
  const beat = async () => {
    beatAt = services.now().getTime()
    try {
      const givenUp = await writeNode(services, dataDir, startedAt)
      if (givenUp) lost(givenUp)
    } catch (error) {
      services.log('warn', 'heartbeat failed', { motivo: rootMessage(error) })
    }
  }
  await beat()
  const timer = setInterval(() => {
    const sinceMs = services.now().getTime() - beatAt
    if (sinceMs >= BEAT_MS || sinceMs < 0) void beat()
  }, LOOK_MS)
  hands?.onChange(beat)
  return {
    beat,
    stop() {
      clearInterval(timer)
      hands?.onChange(() => {})
    },
  }
}

/** Writes the node's row now, unless it was given up: then answers when. */
export async function writeNode(services: Services, dataDir: string, startedAt: Date): Promise<Date | null> {
  const { config, driver } = services
  const { node } = config
  if (node === null) return null
  const row = {
    name: node,
    addresses: config.addresses,
    nameServers: config.nameServers,
    services: [
      ...((await driver?.services()) ?? []),
      mailState(config.mailConfigured),
      ...unpublishable(config),
    ],
    capacity: await capacity(dataDir, driver),
    version: config.version,
    origin: config.origin,
    startedAt,
    seenAt: services.now(),
  }
  return services.db.write(async (tx) => {
    const givenUp = await givenUpAt(tx, node)
    if (!givenUp) tx.later(tx.insert(nodes).values(row).onConflictDoUpdate({ target: nodes.name, set: row }))
    return givenUp
  })
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

/** What is to be set before the node's zones can lead to it. */
export function unpublishable({ addresses, nameServers }: Pick<PanelConfig, 'addresses' | 'nameServers'>) {
  const missing = (name: string, advice: { es: string; en: string }) => ({
    name,
    running: false,
    version: null,
    advice,
  })
  return [
    ...(addresses.length > 0 ? [] : [missing('direcciones', NO_ADDRESSES)]),
    ...(nameServers.length > 0 ? [] : [missing('servidores_dns', NO_NAME_SERVERS)]),
  ]
}

const NO_ADDRESSES = {
  es: 'PANEL_IPS no está puesto y esta máquina no tiene ninguna dirección pública: las zonas no llevan A ni AAAA de este nodo. Ponga PANEL_IPS=<direcciones a las que apuntan los nombres> y reinicie el panel',
  en: "PANEL_IPS is not set and this machine has no public address: zones have no A or AAAA of this node's. Set PANEL_IPS=<addresses that names lead to> and restart the panel",
}
const NO_NAME_SERVERS = {
  es: 'PANEL_NS no está puesto y PANEL_HOST no es un nombre público: cada zona se nombra a sí misma como servidor DNS (ns1.<zona>). Ponga PANEL_NS=<nombres de los servidores DNS> y reinicie el panel',
  en: 'PANEL_NS is not set and PANEL_HOST is not a public name: each zone names a server of its own (ns1.<zone>). Set PANEL_NS=<host names of the name servers> and restart the panel',
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

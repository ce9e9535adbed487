import { statfs } from 'node:fs/promises'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { copiesState } from '../../../lib/backups/destination/fault.ts'
import type { PanelConfig, Services } from '../../../lib/endpoint/context.ts'
import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import { deadlyState } from '../../../lib/nodes/deadly.ts'
import { BEAT_MS } from '../../../lib/nodes/decide.ts'
import { givenUpAt } from '../../../lib/nodes/nodes.ts'
import { offersBy } from '../../../lib/nodes/offers.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { namedHeavy } from '../../../lib/usage/heaviest.ts'
import { type NodeCapacity, nodes } from '../../../schema/tables.ts'
import type { NodeHands } from '../driver.ts'
import { memoryAvailable } from '../host/memory.ts'

/** So often that a moved clock or a machine that slept is noticed at once. */
const LOOK_MS = 1000

/** What this machine's operator reads once its node has been given up. */
export const givenUpLine = (node: string, at: Date) =>
  `node ${node} was given up on ${at.toISOString().slice(0, 10)} and what lived here was released: this machine serves nothing more. To use it again, start with an empty data directory and another PANEL_NODE`

/**
 * Keeps this node's row: addresses, services, capacity, and that the node is there; written anew when a service
 * changes. Calls `lost`, and writes nothing, once the node was given up.
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
      services.log('warn', 'heartbeat failed', { reason: rootMessage(error) })
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
async function writeNode(services: Services, dataDir: string, startedAt: Date): Promise<Date | null> {
  const { config, driver } = services
  const { node } = config
  if (node === null) return null
  const told = [
    ...((await driver?.services()) ?? []),
    mailState(config.mailConfigured),
    ...unpublishable(config),
  ]
  const row = {
    name: node,
    addresses: config.addresses,
    nameServers: config.nameServers,
    capacity: { ...(await capacity(dataDir, driver)), heavy: await heavyOf(services, node) },
    version: config.version,
    origin: config.origin,
    startedAt,
    seenAt: services.now(),
  }
  return services.db.write(async (tx) => {
    const givenUp = await givenUpAt(tx, node)
    if (givenUp) return givenUp
    // Read here, so that nothing is told that has changed since.
    const states = [await deadlyState(tx, node), await copiesState(tx, node, row.seenAt)]
    const now = { ...row, services: [...told, ...states.filter((one) => one !== null)] }
    tx.later(tx.insert(nodes).values(now).onConflictDoUpdate({ target: nodes.name, set: now }))
    return null
  })
}

async function heavyOf({ db, driver, now }: Services, node: string) {
  const busy = driver?.busiest() ?? null
  return busy === null ? null : namedHeavy(db.read, busy, { now: now(), node })
}

function mailState(configured: boolean) {
  const advice = configured
    ? null
    : {
        es: 'PANEL_SMTP_URL no está puesto: los correos se escriben como archivos en el directorio de datos. Ponga PANEL_SMTP_URL y PANEL_MAIL_FROM en panel.env, en el directorio de datos (instalado con systemd, en /etc/controlpanel.env), y reinicie el panel.',
        en: 'PANEL_SMTP_URL is not set: mails are written as files into the data directory. Set PANEL_SMTP_URL and PANEL_MAIL_FROM in panel.env of the data directory (installed with systemd, in /etc/controlpanel.env) and restart the panel.',
      }
  return { name: 'correo', running: configured, version: null, advice }
}

/** The settings that are missing before the node's zones can lead to it. */
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
  es: 'PANEL_IPS no está puesto y esta máquina no tiene ninguna dirección pública: las zonas no llevan A ni AAAA de este nodo. Ponga PANEL_IPS=<direcciones a las que apuntan los nombres> en panel.env, en el directorio de datos (instalado con systemd, en /etc/controlpanel.env), y reinicie el panel.',
  en: "PANEL_IPS is not set and this machine has no public address: zones have no A or AAAA of this node's. Set PANEL_IPS=<addresses that names lead to> in panel.env of the data directory (installed with systemd, in /etc/controlpanel.env) and restart the panel.",
}
const NO_NAME_SERVERS = {
  es: 'PANEL_NS no está puesto y PANEL_HOST no es un nombre público: cada zona se nombra a sí misma como servidor DNS (ns1.<zona>). Ponga PANEL_NS=<nombres de los servidores DNS> en panel.env, en el directorio de datos (instalado con systemd, en /etc/controlpanel.env), y reinicie el panel.',
  en: 'PANEL_NS is not set and PANEL_HOST is not a public name: each zone names a server of its own (ns1.<zone>). Set PANEL_NS=<host names of the name servers> in panel.env of the data directory (installed with systemd, in /etc/controlpanel.env) and restart the panel.',
}

async function capacity(dataDir: string, driver: NodeDriver | null): Promise<NodeCapacity> {
  const [fs, memory, quota] = await Promise.all([
    statfs(dataDir),
    memoryAvailable(),
    driver?.hasQuota() ?? null,
  ])
  return {
    diskBytes: fs.blocks * fs.bsize,
    diskFreeBytes: fs.bavail * fs.bsize,
    inodes: fs.files || null,
    inodesFree: fs.files ? fs.ffree : null,
    memoryBytes: totalmem(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    processors: availableParallelism(),
    memoryAvailableBytes: memory,
    quota,
    ...(driver ? { offers: offersBy(driver), sftp: driver.sftp() } : {}),
  }
}

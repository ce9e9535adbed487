import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { NodeDriver } from '../../../lib/node.ts'
import { readIfThere, writeAtomically } from '../files.ts'
import type { Supervisor } from '../services/supervisor.ts'
import { powerDnsDriver } from './driver.ts'
import { apiKeyIn, dnsAddresses, pdnsService } from './service.ts'

const PROGRAM = '/usr/sbin/pdns_server'
const USER = 'pdns'

export type NamesOptions = {
  dataDir: string
  bind: string[]
  port: number
  supervisor: Supervisor | null
}

/** The node's name server and the driver that publishes on it; null where PowerDNS is not installed. */
export async function createNames({ dataDir, bind, port, supervisor }: NamesOptions): Promise<{
  driver: Pick<NodeDriver, 'publishZone' | 'removeZone' | 'setDnssec' | 'auditZones'>
  start(): Promise<void>
} | null> {
  if (!existsSync(PROGRAM) || supervisor === null) return null
  const directory = join(dataDir, 'dns')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const apiKey = await apiKeyIn(join(dataDir, 'dns.key'))
  const apiPort = await apiPortIn(join(dataDir, 'dns.port'))
  const addresses = dnsAddresses(bind)
  const service = pdnsService({
    directory,
    addresses,
    port,
    apiPort,
    apiKey,
    ...(process.getuid?.() === 0 ? { user: USER } : {}),
  })
  return {
    driver: powerDnsDriver({ url: service.apiUrl, apiKey, persist: service.persist }),
    async start() {
      await service.prepare()
      await supervisor.start('pdns', {
        argv: service.argv,
        files: service.files.map(({ path, content, mode }) => ({ path, content, mode })),
        ready: service.ready,
        ports: addresses.flatMap((address) =>
          (['udp', 'tcp'] as const).map((protocol) => ({ protocol, address, port })),
        ),
        package: 'pdns-server pdns-backend-sqlite3',
        distributionUnit: 'pdns.service',
      })
    },
  }
}

/** The port of its API on loopback: one that was free at the first start, and the same ever after. */
async function apiPortIn(path: string): Promise<number> {
  const known = Number(await readIfThere(path))
  if (known > 0) return known
  const port = await freePort()
  await writeAtomically(path, `${port}\n`, 0o600)
  return port
}

function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { NodeDriver } from '../../lib/endpoint/node-port.ts'
import { memoryLimits } from '../../lib/store/counters.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { clients, nodes, plans, sites } from '../../schema/tables.ts'
import { partly } from '../support/partly.ts'

export const NOW = new Date('2026-11-21T12:00:00Z')

/** A panel's services without its HTTP: a real database in a directory of its own, and a clock to set. */
export async function testServices() {
  const directory = await mkdtemp(join(tmpdir(), 'store-'))
  const client = embeddedClient(join(directory, 'panel.db'))
  await migrate(client, NOW, async () => {})
  const clock = { now: NOW }
  const services = partly<Services>({
    db: createDatabase(client),
    now: () => clock.now,
    random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
    config: { node: 'nodo1', addresses: [] },
    log: () => {},
    limits: memoryLimits(),
    held: new Set(),
    resolvers: [],
    driver: null,
    work: { wake: () => {}, settle: async () => null },
  })
  const close = async () => {
    services.db.close()
    await rm(directory, { recursive: true })
  }
  return { services, clock, directory, close }
}

/** The services with these parts of a node driver, which are all that the code under test calls. */
export function withDriver(services: Services, driver: Partial<NodeDriver>): Services {
  return { ...services, driver: driver as NodeDriver }
}

/** Adds the node's own row. */
export async function addNode(services: Services, name: string): Promise<void> {
  const values = {
    name,
    addresses: [],
    nameServers: [],
    services: [],
    capacity: null,
    version: '0',
    startedAt: NOW,
    seenAt: NOW,
  }
  await services.db.write((tx) => tx.insert(nodes).values(values))
}

/** Adds a client of `nodo1` with a plan of its own. */
export async function addClient(
  services: Services,
  client: { name: string; email?: string | null; node?: string; plan?: Partial<typeof plans.$inferInsert> },
): Promise<number> {
  return services.db.write(async (tx) => {
    const [plan] = await tx
      .insert(plans)
      .values({ name: `plan-${client.name}`, functions: ['php', 'https'], createdAt: NOW, ...client.plan })
      .returning()
    const [row] = await tx
      .insert(clients)
      .values({
        name: client.name,
        email: client.email === undefined ? `${client.name}@ejemplo.es` : client.email,
        language: 'es',
        state: 'activo',
        planId: plan?.id ?? null,
        node: client.node ?? 'nodo1',
        createdBy: 'token',
        createdAt: NOW,
        updatedAt: NOW,
      })
      .returning()
    return row?.id ?? 0
  })
}

/** Adds a served site without a certificate of its own. */
export async function addSite(services: Services, clientId: number, domain: string): Promise<number> {
  return services.db.write(async (tx) => {
    const [row] = await tx
      .insert(sites)
      .values({
        clientId,
        domain,
        state: 'activo',
        httpsOnly: true,
        certificateState: 'autofirmado',
        certificateNames: [],
        createdAt: NOW,
      })
      .returning()
    return row?.id ?? 0
  })
}

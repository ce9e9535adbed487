import type { RRset } from '../../../lib/endpoint/node-port.ts'
import { providerKind } from '../../../lib/providers/index.ts'
import { absolute } from '../../../lib/providers/names.ts'
import type { Provider } from '../../../lib/providers/types.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { startCloudflare } from './cloudflare.ts'
import { startDesec } from './desec.ts'
import { startHetzner } from './hetzner.ts'
import { startPowerDns } from './powerdns.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

/** A provider behind a fault proxy, and the other hand that acts on it without us. */
export type World = {
  kind: string
  proxy: FaultProxy
  credential: string
  account: string | null
  /** Lowest TTL that it takes. */
  minTtl: number
  /** Whether a batch is applied as a whole or not at all. */
  atomic: boolean
  marker: boolean
  /** All that it holds under a name, in a stable form; null when it holds nothing. */
  dump: (zone: string) => Promise<string | null>
  plant: (zone: string, rrsets: RRset[]) => Promise<void>
  vanish: (zone: string) => Promise<void>
  /** Writes a record set, or removes it where it has no values. */
  tamper: (zone: string, rrset: RRset) => Promise<void>
  setLimit: ((limit: number) => void) | null
  deviations: () => string[]
  stop: () => Promise<void>
}

/** The adapter under test, talking through the proxy. */
export function providerOf(
  world: World,
  options: { credential?: string; remainingMs?: () => number } = {},
): Provider {
  const kind = providerKind(world.kind)
  if (kind === null) throw new Error(world.kind)
  return kind.create({
    fetch: (url, init) => fetch(url, init),
    credential: new Secret(options.credential ?? world.credential),
    account: world.account,
    url: world.proxy.origin,
    allowPrivate: true,
    resolve: null,
    remainingMs: options.remainingMs ?? (() => 60_000),
    wait: () => Promise.resolve(),
  })
}

export const WORLDS: Record<string, (nowMs: () => number) => Promise<World>> = {
  powerdns: powerDnsWorld,
  cloudflare: cloudflareWorld,
  desec: desecWorld,
  hetzner: hetznerWorld,
}

async function powerDnsWorld(): Promise<World> {
  const server = await startPowerDns()
  const proxy = startFaultProxy(server.origin)
  const path = (zone: string) => `/zones/${zone}.`
  return {
    kind: 'powerdns',
    proxy,
    credential: server.key,
    account: null,
    minTtl: 0,
    atomic: true,
    marker: true,
    dump: async (zone) => {
      const { status, json } = await server.api('GET', path(zone))
      return status === 200 ? JSON.stringify(json) : null
    },
    plant: async (zone, rrsets) => {
      const sets = rrsets.map(({ name, type, ttl, values }) => ({
        name: `${absolute(name, zone)}.`,
        type,
        ttl,
        records: values.map((content) => ({ content, disabled: false })),
      }))
      await server.api('POST', '/zones', {
        name: `${zone}.`,
        kind: 'Native',
        nameservers: ['ns.other.test.'],
        rrsets: sets,
      })
    },
    vanish: async (zone) => void (await server.api('DELETE', path(zone))),
    tamper: async (zone, { name, type, ttl, values }) => {
      const records = values.map((content) => ({ content, disabled: false }))
      const changetype = values.length === 0 ? 'DELETE' : 'REPLACE'
      const rrsets = [{ name: `${absolute(name, zone)}.`, type, ttl, changetype, records }]
      await server.api('PATCH', path(zone), { rrsets })
    },
    setLimit: null,
    deviations: () => [],
    stop: async () => {
      await proxy.stop()
      await server.stop()
    },
  }
}

async function cloudflareWorld(nowMs: () => number): Promise<World> {
  const fake = startCloudflare(nowMs)
  const proxy = startFaultProxy(fake.origin)
  const find = (name: string) => [...fake.zones.values()].find((zone) => zone.name === name)
  const put = (zone: string, { name, type, ttl, values }: RRset) => {
    const held = find(zone) ?? fake.plantZone(zone)
    const owner = absolute(name, zone)
    for (const record of held.records.values()) {
      if (record.name === owner && record.type === type) held.records.delete(record.id)
    }
    for (const content of values) fake.plantRecord(held, { name: owner, type, ttl, content })
  }
  return {
    kind: 'cloudflare',
    proxy,
    credential: fake.token,
    account: fake.account,
    minTtl: 60,
    atomic: true,
    marker: false,
    dump: async (name) => {
      const zone = find(name)
      return zone ? JSON.stringify([zone.id, [...zone.records.values()]]) : null
    },
    plant: async (zone, rrsets) => {
      fake.plantZone(zone)
      for (const rrset of rrsets) put(zone, rrset)
    },
    vanish: async (name) => {
      const zone = find(name)
      if (zone) fake.zones.delete(zone.id)
    },
    tamper: async (zone, rrset) => put(zone, rrset),
    setLimit: (limit) => {
      fake.zoneLimit = limit
    },
    deviations: () => fake.deviations,
    stop: async () => {
      await proxy.stop()
      await fake.stop()
    },
  }
}

async function desecWorld(nowMs: () => number): Promise<World> {
  const fake = startDesec(nowMs)
  const proxy = startFaultProxy(fake.origin)
  const put = (zone: string, { name, type, ttl, values }: RRset) => {
    const subname = name === '@' ? '' : name
    if (values.length === 0) fake.domains.get(zone)?.sets.delete(`${subname} ${type}`)
    else fake.put(zone, { subname, type, ttl, records: values })
  }
  return {
    kind: 'desec',
    proxy,
    credential: fake.token,
    account: null,
    minTtl: 3600,
    atomic: true,
    marker: false,
    dump: async (name) => {
      const domain = fake.domains.get(name)
      return domain ? JSON.stringify([domain.created, domain.touched, [...domain.sets.values()]]) : null
    },
    plant: async (zone, rrsets) => {
      for (const rrset of rrsets) put(zone, rrset)
    },
    vanish: async (name) => void fake.domains.delete(name),
    tamper: async (zone, rrset) => put(zone, rrset),
    setLimit: (limit) => {
      fake.limit = limit
    },
    deviations: () => fake.deviations,
    stop: async () => {
      await proxy.stop()
      await fake.stop()
    },
  }
}

async function hetznerWorld(nowMs: () => number): Promise<World> {
  const fake = startHetzner(nowMs)
  fake.pending = 1
  const proxy = startFaultProxy(fake.origin)
  const find = (name: string) => [...fake.zones.values()].find((zone) => zone.name === name)
  const put = (zone: string, { name, type, ttl, values }: RRset) => {
    const held = find(zone) ?? fake.plantZone(zone)
    if (values.length === 0) held.sets.delete(`${name} ${type}`)
    else held.sets.set(`${name} ${type}`, { name, type: type as 'A', ttl, values }) // the tests plant known types only
  }
  return {
    kind: 'hetzner',
    proxy,
    credential: fake.token,
    account: null,
    minTtl: 60,
    atomic: false,
    marker: true,
    dump: async (name) => {
      const zone = find(name)
      return zone ? JSON.stringify([zone.id, zone.labels, [...zone.sets.values()]]) : null
    },
    plant: async (zone, rrsets) => {
      for (const rrset of rrsets) put(zone, rrset)
    },
    vanish: async (name) => {
      const zone = find(name)
      if (zone) fake.zones.delete(zone.id)
    },
    tamper: async (zone, rrset) => put(zone, rrset),
    setLimit: (limit) => {
      fake.limit = limit
    },
    deviations: () => fake.deviations,
    stop: async () => {
      await proxy.stop()
      await fake.stop()
    },
  }
}

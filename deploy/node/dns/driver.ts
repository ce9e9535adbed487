import { isEmptyDiff } from '../../../lib/dns/diff.ts'
import { isSerialAhead } from '../../../lib/dns/serial.ts'
import type {
  DesiredZone,
  NodeDriver,
  ZoneAuditOptions,
  ZoneAuditReport,
} from '../../../lib/endpoint/node-port.ts'
import type { ZoneKey } from '../../../lib/endpoint/ports/carriage.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { oneOfEach } from '../../../lib/store/turns.ts'
import { type ApiOptions, type ApiZone, DnsServerError, PowerDnsApi } from './api.ts'
import { auditZones } from './audit.ts'
import { changesOf, driftOf, hasDrift, SETTINGS, serialOf, wholeZone } from './drift.ts'

/** The DNS part of a node. */
export type DnsDriver = Pick<
  NodeDriver,
  'publishZone' | 'removeZone' | 'setDnssec' | 'zoneKeys' | 'takeZoneKeys'
> & {
  /** As in NodeDriver, from any source and without options. */
  auditZones(
    zones: AsyncIterable<DesiredZone> | Iterable<DesiredZone>,
    options?: ZoneAuditOptions,
  ): Promise<ZoneAuditReport>
  /** The server's version; throws DnsServerError while it does not answer. */
  version(): Promise<string>
}

/** A zone that is made with more names than these is an import, whose names nobody waits for. */
const FLUSHED_NAMES = 20

export type DriverOptions = ApiOptions & {
  /** Brings the server's database to the disk; see `PdnsService`. */
  persist?(): Promise<void>
}

/**
 * DNS over PowerDNS's API. All writes of one driver run one after another, since the server's SQLite
 * takes one writer. Every method throws DnsServerError and may be called again from its start.
 */
export function powerDnsDriver(options: DriverOptions): DnsDriver {
  const api = new PowerDnsApi(options)
  const turns = oneOfEach<string>()
  const inTurn = <T>(run: () => Promise<T>) => turns('', run)
  return {
    async publishZone(zone, step) {
      let serial = zone.serial
      await step('dns.publicar', async () => {
        serial = (await inTurn(() => publish(api, zone))).serial
      })
      return { serial }
    },
    removeZone: (name, step) =>
      step('dns.retirar', async () => {
        await inTurn(() => api.remove(name))
      }),
    async setDnssec(name, active, step) {
      await step('dns.firmar', async () => {
        await inTurn(() => sign(api, name, active))
        // Records can be written again from the panel's tables; a key exists nowhere else, and its DS goes out now.
        if (active) await options.persist?.()
      })
      return { ds: active ? await dsOf(api, name) : [] }
    },
    zoneKeys: (name) => keysOf(api, name),
    takeZoneKeys: (name, keys, step) =>
      step('dns.claves', async () => {
        await inTurn(() => takeKeys(api, name, keys))
        await options.persist?.()
      }),
    auditZones: (zones, audit) =>
      auditZones({ api, inTurn, publish: (zone) => publish(api, zone) }, zones, audit),
    version: () => api.version(),
  }
}

type Published = { written: boolean; serial: number }

/** Makes the served zone the wanted one, and reads back that it is. */
async function publish(api: PowerDnsApi, zone: DesiredZone): Promise<Published> {
  const served = await api.zone(zone.name)
  if (!served) {
    const made = await api.create(zone.name, SETTINGS, wholeZone(zone))
    // The server remembers each name that it refused to answer for, until it is told to forget it.
    for (const name of new Set([zone.name, ...hostNames(zone)])) await api.flush(name)
    return { written: true, serial: servedSerial(zone, made) }
  }
  const drift = driftOf(zone, served)
  const behind = isSerialAhead(zone.serial, serialOf(served))
  if (!behind && !hasDrift(drift)) return { written: false, serial: serialOf(served) }
  // Settings first: with another SOA-EDIT-API the server would change the serial that is set below.
  if (drift.settings) await api.configure(zone.name, SETTINGS)
  if (behind || drift.soa || !isEmptyDiff(drift.diff)) {
    // Content that changes under a serial already seen would never reach a secondary or a mirror.
    const serial = behind ? zone.serial : (serialOf(served) + 1) % 2 ** 32
    await api.change(zone.name, changesOf(zone, drift.diff, serial))
  }
  return { written: true, serial: servedSerial(zone, await api.zone(zone.name)) }
}

/** The names of a new zone that somebody may have asked for already: those that a path can hold. */
function hostNames({ name, rrsets }: DesiredZone): string[] {
  const owners = rrsets.map((rrset) => (rrset.name === '@' ? name : `${rrset.name}.${name}`))
  return owners.filter((owner) => /^[a-z0-9._-]+$/.test(owner)).slice(0, FLUSHED_NAMES)
}

/** The serial of what was read back; throws when that is not what was published. */
function servedSerial(zone: DesiredZone, served: ApiZone | null): number {
  if (served && isServed(zone, served)) return serialOf(served)
  throw new DnsServerError('fallo', 'the DNS server does not serve what was published')
}

function isServed(zone: DesiredZone, served: ApiZone): boolean {
  return !hasDrift(driftOf(zone, served)) && !isSerialAhead(zone.serial, serialOf(served))
}

async function sign(api: PowerDnsApi, name: string, active: boolean): Promise<void> {
  const served = await api.zone(name)
  if (!served && !active) return
  if (!served) throw new DnsServerError('rechazado', 'the zone is not on the DNS server')
  if (served.dnssec !== active) await api.configure(name, { dnssec: active })
  await api.flush(name)
}

/** DS of the keys in use, without SHA-1, which must not be made any more (RFC 8624 section 3.3). */
async function dsOf(api: PowerDnsApi, name: string): Promise<string[]> {
  const keys = await api.keys(name)
  const ds = keys
    .filter((key) => key.active && key.published && (key.flags & 1) === 1)
    .flatMap((key) => key.ds ?? [])
    .filter((text) => text.split(' ')[2] !== '1')
  if (ds.length === 0) throw new DnsServerError('fallo', 'the DNS server has no key for the zone')
  return ds
}

async function keysOf(api: PowerDnsApi, name: string): Promise<ZoneKey[]> {
  const known = await api.keys(name)
  const keys = await Promise.all(known.map(({ id }) => api.secretKey(name, id)))
  return keys.flatMap((key) =>
    key
      ? [
          {
            type: key.keytype,
            active: key.active,
            published: key.published,
            content: new Secret(key.privatekey),
          },
        ]
      : [],
  )
}

/** Those that it has already stay; others would be made again under the same content. */
async function takeKeys(api: PowerDnsApi, name: string, keys: ZoneKey[]): Promise<void> {
  const wanted = keys.map(({ content }) => content.reveal())
  const held: string[] = []
  for (const { id } of await api.keys(name)) {
    const content = (await api.secretKey(name, id))?.privatekey ?? ''
    if (wanted.includes(content) && !held.includes(content)) held.push(content)
    else await api.removeKey(name, id)
  }
  for (const { type, active, published, content } of keys) {
    if (held.includes(content.reveal())) continue
    await api.addKey(name, { keytype: type, active, published, privatekey: content.reveal() })
  }
  await api.flush(name)
}

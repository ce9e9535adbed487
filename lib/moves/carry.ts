import { and, eq } from 'drizzle-orm'
import { rrsets, siteNames, zones } from '../../schema/tables.ts'
import { desiredZone } from '../dns/zones.ts'
import type { Services } from '../endpoint/context.ts'
import { carriedPlace } from '../secrets/sealed.ts'
import { Secret } from '../secrets/secret.ts'
import { requireDriver } from '../work/driver.ts'
import { moveOf } from './facts.ts'
import type { Leg } from './leg.ts'

type Key = { type: string; active: boolean; published: boolean; content: string }
type Certificate = { host: string; chainPem: string; keyPem: string }
type Carried = { zones: { name: string; keys: Key[] }[]; certificates: Certificate[] }

/** What nobody could make anew as it is: keys whose DS stand at registrars, and certificates. Sealed. */
export async function carriedBy({ services, client }: Leg): Promise<string> {
  const driver = requireDriver(services)
  const names = await services.db.read
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(eq(siteNames.clientId, client.id))
  const certificates = await driver.certificates(names.map(({ name }) => name))
  const carried: Carried = {
    zones: [],
    certificates: certificates.map(({ keyPem, ...rest }) => ({ ...rest, keyPem: keyPem.reveal() })),
  }
  for (const { name, dnssec } of await zonesOf(services, client.id)) {
    if (!dnssec) continue
    const keys = await driver.zoneKeys(name)
    carried.zones.push({ name, keys: keys.map((key) => ({ ...key, content: key.content.reveal() })) })
  }
  const { keys, random } = services
  return keys.seal(carriedPlace(client.id), JSON.stringify(carried), random)
}

/** On the new node: it answers for the client's zones under the keys that they have, and has their certificates. */
export async function takeCarried({ services, client, step }: Leg): Promise<void> {
  const driver = requireDriver(services)
  const sealed = (await moveOf(services.db.read, client.id))?.carried ?? null
  // Written by `carriedBy` alone.
  const carried: Carried =
    sealed === null
      ? { zones: [], certificates: [] }
      : JSON.parse(await services.keys.open(carriedPlace(client.id), sealed))
  await driver.takeCertificates(
    carried.certificates.map(({ keyPem, ...rest }) => ({ ...rest, keyPem: new Secret(keyPem) })),
    step,
  )
  for (const zone of await zonesOf(services, client.id)) {
    await driver.publishZone(await wholeZone(services, zone), step)
    const keys = carried.zones.find(({ name }) => name === zone.name)?.keys ?? []
    if (keys.length === 0) continue
    const held = keys.map((key) => ({ ...key, content: new Secret(key.content) }))
    await driver.takeZoneKeys(zone.name, held, step)
    await driver.setDnssec(zone.name, true, step)
  }
}

type Zone = typeof zones.$inferSelect

export const zonesOf = ({ db }: Services, clientId: number): Promise<Zone[]> =>
  db.read
    .select()
    .from(zones)
    .where(and(eq(zones.clientId, clientId), eq(zones.state, 'activa')))

/** A zone as the database has it. */
export const wholeZone = async ({ db }: Services, zone: Zone) =>
  desiredZone(zone, await db.read.select().from(rrsets).where(eq(rrsets.zoneId, zone.id)))

import type { zones } from '../../schema/tables.ts'
import type { ZoneView } from '../dns/shapes.ts'
import { nameServersOf } from '../dns/template.ts'
import { wireTime } from '../endpoint/page.ts'

/** Whether the names of a site are proven, as it is returned. */
export const siteProof = (unproven: number) => ({ probado: unproven === 0 })

type Facts = {
  zone: Pick<typeof zones.$inferSelect, 'name' | 'provenAt' | 'delegation'>
  /** The name servers of its node. */
  nameServers: string[]
  /** The name servers of the provider that it is mirrored to. */
  mirrors: string[]
}

/** Whether a zone is proven and where its parents lead, as it is returned. */
export function zoneProof(facts: Facts): Pick<ZoneView, 'probado' | 'delegacion'> {
  const { provenAt, delegation } = facts.zone
  return {
    probado: provenAt !== null,
    delegacion: delegation && {
      estado: delegation.state,
      servidores: delegation.servers,
      esperados: expectedServers(facts),
      comprobada: wireTime(new Date(delegation.at)),
    },
  }
}

/** The name servers that a zone's parents are to name: its node's, and those that hold a copy of it. */
export function expectedServers({
  zone,
  nameServers,
  mirrors,
}: Omit<Facts, 'zone'> & { zone: { name: string } }) {
  const all = [...nameServersOf(zone.name, { addresses: [], nameServers }), ...mirrors]
  return [...new Set(all.map((name) => name.toLowerCase().replace(/\.$/, '')))]
}

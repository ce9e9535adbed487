import * as v from 'valibot'
import { PLACES } from '../../schema/states.ts'
import { delegationShape } from '../dns/shapes.ts'
import { named, timestamp, told } from '../endpoint/fields.ts'
import { wireTime } from '../endpoint/page.ts'
import type { connectionOf, SeenName } from './connection.ts'

export const seenNameShape = named(
  'NombreVisto',
  'Where a name leads, as recursive resolvers tell.',
  v.strictObject({
    nombre: told(v.string(), 'The name.', 'www.ejemplo.es'),
    estado: told(
      v.picklist(PLACES),
      '`aqui`: to this server alone. `parcial`: to others too. `fuera`: only to others. `cambiando`: resolvers disagree, since a change is on its way. `sin_registros`: it has no address. `sin_respuesta`: no resolver could tell.',
      'fuera',
    ),
    visto: told(v.array(v.string()), 'The addresses that were found.', ['198.51.100.7']),
  }),
)

export const connectionShape = named(
  'ConexionDeSitio',
  'Whether the names of a site lead to this server, and what to set so that they do.',
  v.strictObject({
    domain: told(v.string(), 'The site.', 'ejemplo.es'),
    conectado: told(v.boolean(), 'Whether all of its names lead here and nowhere else.', false),
    direcciones: told(v.array(v.string()), 'The addresses of A and AAAA records that lead here.', [
      '192.0.2.1',
      '2001:db8::1',
    ]),
    zona: told(v.nullable(v.string()), 'Its zone on the panel; null without one.', 'ejemplo.es'),
    servidores: told(
      v.array(v.string()),
      'The name servers to enter at the registrar, so that the zone on the panel counts; empty without one.',
      ['ns1.ejemplo.net', 'ns2.ejemplo.net'],
    ),
    nombres: told(v.array(seenNameShape), 'The domain and its aliases, the first twenty.'),
    delegacion: told(
      v.nullable(
        v.strictObject({
          estado: delegationShape.entries.estado,
          servidores: delegationShape.entries.servidores,
        }),
      ),
      'Where the parents of the zone lead; null without a zone.',
    ),
    comprobada: told(timestamp, 'When the resolvers were asked.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const seenNameView = ({ name, place, seen }: SeenName) => ({
  nombre: name,
  estado: place,
  visto: seen,
})

type Connection = Awaited<ReturnType<typeof connectionOf>>

/** The connection of a site as it is returned. */
export function connectionView(domain: string, found: Connection, at: Date): ConnectionView {
  const { addresses, zone, servers, seen, delegation } = found
  return {
    domain,
    conectado: seen.length > 0 && seen.every(({ place }) => place === 'aqui'),
    direcciones: addresses,
    zona: zone,
    servidores: servers,
    nombres: seen.map(seenNameView),
    delegacion: delegation && { estado: delegation.state, servidores: delegation.servers },
    comprobada: wireTime(at),
  }
}

export type ConnectionView = v.InferOutput<typeof connectionShape>

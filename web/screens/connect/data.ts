import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'

export type Connection = OutputOf<'GET /api/sitios/:domain/conexion'>

/** The panel lets resolvers be asked thirty times a minute at most. */
const LOOK_MS = 30_000

/** Where a site's names lead, asked again until they lead here. */
export const useConnection = (domain: string) =>
  useRead(
    'GET /api/sitios/:domain/conexion',
    { params: { domain } },
    { again: ({ conectado }) => (conectado ? false : LOOK_MS) },
  )

/** The records to set at another DNS provider: each name by each address. */
export const recordsOf = ({ nombres, direcciones }: Connection) =>
  nombres.flatMap(({ nombre }) =>
    direcciones.map((address) => ({
      name: nombre,
      type: address.includes(':') ? 'AAAA' : 'A',
      value: address,
    })),
  )

/** The lines of a hosts file by which one computer finds the site here, whatever the DNS says; empty without an address. */
export const hostsLinesOf = ({ nombres, direcciones }: Connection): string =>
  direcciones.map((address) => [address, ...nombres.map(({ nombre }) => nombre)].join(' ')).join('\n')

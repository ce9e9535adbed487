import { nameWire } from '../names.ts'
import { concat, u16 } from './bytes.ts'
import { RdataError } from './error.ts'
import type { Fields, Rdata } from './fields.ts'

/** CNAME and PTR (RFC 1035 sections 3.3.1, 3.3.12). */
export function oneName(fields: Fields): Rdata {
  const name = fields.name()
  return { presentation: name, wire: nameWire(name) }
}

/** NS (RFC 1035 section 3.3.11); the root is no name server of anybody's zone. */
export function ns(fields: Fields): Rdata {
  const name = fields.host()
  if (name === '.') {
    throw new RdataError('nombre_invalido', 'Not the name of a server.', 'No es el nombre de un servidor.')
  }
  return { presentation: name, wire: nameWire(name) }
}

/** MX (RFC 1035 section 3.3.9); `0 .` says that the name takes no mail (RFC 7505). */
export function mx(fields: Fields): Rdata {
  const preference = fields.number(65535)
  const name = fields.host()
  return { presentation: `${preference} ${name}`, wire: concat([u16(preference), nameWire(name)]) }
}

/** SRV (RFC 2782): priority, weight, port, target; target `.` says that there is no such service. */
export function srv(fields: Fields): Rdata {
  const numbers = [fields.number(65535), fields.number(65535), fields.number(65535)]
  const name = fields.host()
  return { presentation: `${numbers.join(' ')} ${name}`, wire: concat([...numbers.map(u16), nameWire(name)]) }
}

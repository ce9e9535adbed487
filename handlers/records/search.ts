import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { named, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, placeAt } from '../../lib/endpoint/page.ts'
import { client } from '../../lib/endpoint/shapes.ts'
import { idsWith, trigramsOf } from '../../lib/store/search.ts'
import { namePart } from '../../lib/text/host-names.ts'
import { clients, recordDocs, rrsets, zones } from '../../schema/tables.ts'

const foundRecord = named(
  'RegistroEncontrado',
  'A record set of any zone.',
  v.strictObject({
    zona: told(v.string(), 'Its zone.', 'ejemplo.es'),
    cliente: client,
    nombre: told(v.string(), 'Relative to the zone; `@` is the zone itself.', 'www'),
    tipo: told(v.string(), 'The type of the records.', 'A'),
    valores: told(v.array(v.string()), 'The values as in a zone file.', ['192.0.2.1']),
  }),
)

export default handler({
  method: 'GET',
  path: '/registros',
  access: allow('token', 'admin', 'client'),
  summary: 'List or search the records of all zones',
  description:
    '`buscar` is any part, of three characters at least, of a whole name or of a value, such as an address.',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(
      told(v.pipe(text(253), v.minLength(3, 'demasiado_corto')), 'A part of a name or a value.', '192.0.2.1'),
    ),
  }),
  output: page(foundRecord),
  errors: ['cursor_invalido'],
  async run({ tx, actor }, { query: { desde, limite, buscar } }) {
    const place = placeAt(desde)
    const rows = await tx
      .select({ id: recordDocs.id, zone: zones.name, client: clients.name, record: rrsets })
      .from(recordDocs)
      .innerJoin(zones, and(eq(zones.id, recordDocs.zoneId), eq(zones.state, 'activa')))
      .innerJoin(clients, eq(clients.id, zones.clientId))
      .innerJoin(
        rrsets,
        sql`${rrsets.zoneId} = ${recordDocs.zoneId} and ${rrsets.name} = ${recordDocs.name} and ${rrsets.type} = ${recordDocs.type}`,
      )
      .where(
        and(
          buscar === undefined ? undefined : hasPart(buscar),
          visibleTo(actor),
          place === undefined ? undefined : gt(recordDocs.id, place),
        ),
      )
      .orderBy(asc(recordDocs.id))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ id }) => String(id),
        ({ zone, client, record }) => ({
          zona: zone,
          cliente: client,
          nombre: record.name,
          tipo: record.type,
          valores: record.values,
        }),
      ),
    )
  },
})

/** Records are of ASCII alone; the index only tells which of them may have the text. */
function hasPart(text: string) {
  const part = namePart(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return and(
    inArray(recordDocs.id, idsWith('record_search', trigramsOf(part))),
    sql`(instr(lower(iif(${rrsets.name} = '@', '', ${rrsets.name} || '.') || ${zones.name}), ${part}) > 0
      or exists (select 1 from json_each(${rrsets.values}) where instr(lower(value), ${part}) > 0))`,
  )
}

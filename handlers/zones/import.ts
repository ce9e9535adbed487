import * as v from 'valibot'
import { applyDiff, askForRecords, replacementOf, requireSound } from '../../lib/dns/records.ts'
import { importShape } from '../../lib/dns/shapes.ts'
import { type ParsedZone, parseZoneFile } from '../../lib/dns/zonefile.ts'
import { recordsOf, requireMatch, zoneToChange } from '../../lib/dns/zones.ts'
import { domain, si } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { invalidField } from '../../lib/validate.ts'

export default handler({
  method: 'POST',
  path: '/zonas/:zona/importar',
  access: allow('token', 'admin', 'client'),
  summary: 'Replace a zone by a zone file',
  description:
    'The zone becomes what the file says; its own NS and SOA stay. Where a line is refused, nothing is changed and `rechazados` says why. With `simular=si` nothing is changed in any case.',
  params: v.strictObject({ zona: domain }),
  query: v.strictObject({ simular: v.optional(si, 'no') }),
  consumes: 'text/dns',
  body: v.instance(Uint8Array),
  ifMatch: true,
  output: importShape,
  errors: ['zona_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  // Read before the transaction: a large file must not hold the write lock.
  async prepare(_services, { params, body }, ctx): Promise<ParsedZone> {
    const text = decode(body)
    if (text === null) throw invalidField('', 'caracteres_no_admitidos', ctx.request.language)
    return parseZoneFile(text, params.zona)
  },
  async run(ctx, { params, query }, { rrsets, refused }) {
    const { zone, client } = await zoneToChange(ctx, params.zona)
    requireMatch(ctx, zone)
    const rechazados = refused.map(({ linea, motivo }) => ({ linea, motivo: motivo[ctx.request.language] }))
    if (refused.length > 0) return ok({ anadidos: 0, cambiados: 0, borrados: 0, rechazados })
    await askForRecords(ctx, zone)
    const diff = await replacementOf(ctx, zone, rrsets)
    const apexNs = (await recordsOf(ctx.tx, zone.id)).filter(
      ({ name, type }) => name === '@' && type === 'NS',
    )
    await requireSound(ctx, zone, [
      ...apexNs,
      ...rrsets.filter(({ name, type }) => name !== '@' || type !== 'NS'),
    ])
    const counts = {
      anadidos: diff.created.length,
      cambiados: diff.changed.length,
      borrados: diff.deleted.length,
    }
    ctx.audit.detail = { ...counts, simular: query.simular }
    if (query.simular === 'no') applyDiff(ctx, { zone, client }, diff)
    return ok({ ...counts, rechazados })
  },
  settled: async (_ctx, _input, answer) => answer,
})

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

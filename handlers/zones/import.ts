import * as v from 'valibot'
import { decideImport } from '../../lib/dns/decide-records.ts'
import { queueRecords, recordFacts } from '../../lib/dns/records.ts'
import { importShape } from '../../lib/dns/shapes.ts'
import { type ParsedZone, parseZoneFile } from '../../lib/dns/zonefile/zonefile.ts'
import { ruled } from '../../lib/dns/zones.ts'
import { domain, si } from '../../lib/endpoint/fields.ts'
import { allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'

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
    const facts = await recordFacts(ctx, params.zona)
    const rechazados = refused.map(({ linea, motivo }) => ({ linea, motivo: motivo[ctx.request.language] }))
    if (refused.length > 0) {
      ctx.audit.outcome = 'datos_invalidos'
      const nothing = ok({ anadidos: 0, cambiados: 0, borrados: 0, rechazados })
      if (query.simular === 'si') throw new DryRun(nothing)
      return nothing
    }
    const change = ruled(ctx, () => decideImport(facts, rrsets, ctx.now()))
    const { created, changed, deleted } = change.diff
    const counts = { anadidos: created.length, cambiados: changed.length, borrados: deleted.length }
    if (query.simular === 'si') throw new DryRun(ok({ ...counts, rechazados }))
    ctx.audit.detail = counts
    ctx.tx.later(...queueRecords(ctx, facts, change))
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

import * as v from 'valibot'
import { decideImport, IMPORT_MODES } from '../../lib/dns/decide-records.ts'
import { queueRecords, recordFacts } from '../../lib/dns/records.ts'
import { importShape } from '../../lib/dns/shapes.ts'
import { type ParsedZone, readZoneFile } from '../../lib/dns/zonefile/zonefile.ts'
import { etagOf, ruled } from '../../lib/dns/zones.ts'
import { domain, si, told } from '../../lib/endpoint/fields.ts'
import { allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { oneOfEach } from '../../lib/store/turns.ts'

/** A large file takes a tenth of a second of the panel's time. */
const inTurn = oneOfEach<string>(4)

export default handler({
  method: 'POST',
  path: '/zonas/:zona/importar',
  access: allow('token', 'admin', 'client'),
  summary: 'Import a zone file into a zone',
  description:
    'The zone becomes what the file says or, with `modo=fusionar`, gets what the file says: record sets of a name and type that the file has are added or changed, and nothing is deleted. In both cases its own NS and SOA stay. Where a line is refused, nothing is changed and `rechazados` says why, of the first hundred. With `simular=si` nothing is changed in any case.',
  params: v.strictObject({ zona: domain }),
  query: v.strictObject({
    simular: v.optional(si, 'no'),
    modo: v.optional(
      told(
        v.picklist(IMPORT_MODES),
        '`reemplazar`: what the file does not have is deleted. `fusionar`: it stays.',
        'fusionar',
      ),
      'reemplazar',
    ),
  }),
  consumes: 'text/dns',
  body: v.instance(Uint8Array),
  etag: true,
  ifMatch: true,
  output: importShape,
  errors: ['zona_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  // Read before the transaction: a large file must not hold the write lock.
  async prepare(_services, { params, body }, ctx): Promise<ParsedZone> {
    const text = decode(body)
    if (text === null) throw invalidField('', 'caracteres_no_admitidos', ctx.request.language)
    const { actor } = ctx
    const read = () => readZoneFile(text, params.zona)
    return actor.kind === 'session' ? inTurn(actor.personId, read) : read()
  },
  async run(ctx, { params, query }, { rrsets, refused }) {
    const facts = await recordFacts(ctx, params.zona)
    const unchanged = { etag: etagOf(facts.zone) }
    const rechazados = refused.map(({ linea, motivo }) => ({ linea, motivo: motivo[ctx.request.language] }))
    if (refused.length > 0) {
      ctx.audit.outcome = 'datos_invalidos'
      const nothing = ok({ anadidos: 0, cambiados: 0, borrados: 0, rechazados }, unchanged)
      if (query.simular === 'si') throw new DryRun(nothing)
      return nothing
    }
    const change = ruled(ctx, () => decideImport(facts, { wanted: rrsets, mode: query.modo }, ctx.now()))
    const { created, changed, deleted } = change.diff
    const counts = { anadidos: created.length, cambiados: changed.length, borrados: deleted.length }
    if (query.simular === 'si') throw new DryRun(ok({ ...counts, rechazados }, unchanged))
    ctx.audit.detail = query.modo === 'fusionar' ? { ...counts, modo: query.modo } : counts
    ctx.tx.later(...queueRecords(ctx, facts, change))
    return ok({ ...counts, rechazados }, { etag: etagOf({ ...facts.zone, serial: change.serial }) })
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

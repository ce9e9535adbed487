import * as v from 'valibot'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { queueSigning, zoneReading, zoneToChange } from '../../lib/dns/zones.ts'
import type { ReadCtx, WriteCtx } from '../../lib/endpoint/context.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'

type Input = { params: { zona: string } }

/** What turning signing on and off have in common; both answer the zone with its DS records. */
export function setSigning(active: boolean) {
  return {
    path: '/zonas/:zona/dnssec',
    access: allow('token', 'admin', 'client'),
    params: v.strictObject({ zona: domain }),
    output: zoneShape,
    errors: ['zona_no_existe' as const, 'cliente_en_otro_nodo' as const, 'cliente_eliminandose' as const],
    async run(ctx: WriteCtx, { params }: Input) {
      const found = await zoneToChange(ctx, params.zona)
      ctx.tx.later(...queueSigning(ctx, found, active))
      return ok(zoneReading(ctx, params.zona))
    },
    settled: async (ctx: ReadCtx, { params }: Input) =>
      ok(await readNow(ctx.tx, zoneReading(ctx, params.zona))),
  }
}

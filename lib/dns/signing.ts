import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { zones } from '../../schema/tables.ts'
import type { ReadCtx, WriteCtx } from '../context.ts'
import { domain } from '../fields.ts'
import { allow, ok } from '../handler.ts'
import { readNow } from '../reading.ts'
import { zoneShape } from './shapes.ts'
import { signZone, zoneReading, zoneToChange } from './zones.ts'

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
      const { zone, client } = await zoneToChange(ctx, params.zona)
      await ctx.tx.update(zones).set({ dnssec: active, updatedAt: ctx.now() }).where(eq(zones.id, zone.id))
      signZone(ctx, client, zone.name)
      return ok(zoneReading(ctx, zone.name))
    },
    settled: async (ctx: ReadCtx, { params }: Input) =>
      ok(await readNow(ctx.tx, zoneReading(ctx, params.zona))),
  }
}

import { and, eq, ne } from 'drizzle-orm'
import { clients, zones } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Actor, Ctx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Db } from '../store/database.ts'
import { mapped, type Reading, reading, readNow } from '../store/reading.ts'
import { type MirrorView, mirrorNamed, mirrorView, type RankedMirror } from './view.ts'

export type MirrorableZone = {
  id: number
  name: string
  node: string
  client: { id: number; name: string; planId: number | null }
}

/** A zone that the path names, as far as the actor may know of it; else 404 `zona_no_existe`. */
export function findMirrorableZone(db: Db, actor: Actor, name: string): Promise<MirrorableZone> {
  return readNow(db, mirrorableZone(db, actor, name))
}

/** `findMirrorableZone` as a reading. */
export function mirrorableZone(db: Db, actor: Actor, name: string): Reading<MirrorableZone> {
  const query = db
    .select({
      id: zones.id,
      name: zones.name,
      node: zones.node,
      client: clients.name,
      clientId: clients.id,
      planId: clients.planId,
    })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.name, name), ne(zones.state, 'eliminando'), visibleTo(actor)))
  return reading(query, ([row]) => {
    if (!row) throw new AppError('zona_no_existe')
    const { client, clientId, planId, ...zone } = row
    return { ...zone, client: { id: clientId, name: client, planId } }
  })
}

/** The mirror of the zone that the path names, read with the commit. */
export function mirrorReading(db: Db, name: string, now: Date): Reading<RankedMirror> {
  return mapped(mirrorNamed(db, name, now), (found) => {
    if (!found) throw new AppError('espejo_no_existe')
    return found
  })
}

/** `mirrorReading` as the view that is returned. */
export function mirrorAnswer(ctx: Pick<Ctx, 'tx' | 'now' | 'request'>, name: string): Reading<MirrorView> {
  const { language } = ctx.request
  return mapped(mirrorReading(ctx.tx, name, ctx.now()), (found) => mirrorView(found, language))
}

/** A node's own panel never does another node's work (docs/api.md, "Work on the node"). */
export function requireOwnNode(ctx: Pick<Ctx, 'config'>, zone: { node: string }): void {
  if (ctx.config.node !== null && ctx.config.node !== zone.node) {
    throw new AppError('cliente_en_otro_nodo', { nodo: zone.node })
  }
}

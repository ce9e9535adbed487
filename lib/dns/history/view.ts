import type * as v from 'valibot'
import type { SetContent } from '../../../schema/tables.ts'
import { isCustomer } from '../../endpoint/access.ts'
import type { Actor } from '../../endpoint/context.ts'
import { wireTime } from '../../endpoint/page.ts'
import type { Change, ChangedSet } from './changes.ts'
import type { zoneChangeShape } from './shapes.ts'

type Told = { name: string; type: string; before: SetContent | null; after: SetContent | null }

/** A change as it is returned. A customer is not told which operator it was. */
export function changeView(
  change: Change,
  sets: ChangedSet[],
  actor: Actor,
): v.InferOutput<typeof zoneChangeShape> {
  const changed = sets.find(({ changeId }) => changeId === change.id)
  const told: Told[] = changed ? JSON.parse(changed.sets) : []
  const hidden = isCustomer(actor) && change.actorName !== actor.email
  return {
    cambio: change.id,
    cuando: wireTime(change.at),
    serie: change.serial,
    actor:
      change.actorKind === null ? null : { tipo: change.actorKind, nombre: hidden ? null : change.actorName },
    conjuntos: changed?.all ?? 0,
    cambios: told.map(({ name, type, before, after }) => ({
      nombre: name,
      tipo: type,
      anterior: contentView(before),
      posterior: contentView(after),
    })),
  }
}

const contentView = (content: SetContent | null) => content && { ttl: content.ttl, valores: content.values }

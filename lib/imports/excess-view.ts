import { excessesOf } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { limitsOf } from '../plans/view.ts'
import type { Excess } from './errors.ts'
import type { Item } from './planned.ts'

/** Limits are told together, of all of an archive: a decision on one thing of it meets none. */
export const unlimited = ({ consumed }: Room): Room => ({
  plan: null,
  consumed: { ...consumed, disco_bytes: 0, inodos: 0 },
})

/** What a client would have, where that is more than its plan allows. */
export function excessOf(items: Item[], { plan, consumed }: Room, aliases: number): Excess[] {
  const count = (kind: Item['kind']) => items.filter((item) => item.kind === kind).length
  const bytes = items.reduce((sum, { kind, wanted }) => sum + (kind === 'sitio' ? (wanted.bytes ?? 0) : 0), 0)
  const after = {
    ...consumed,
    sitios: consumed.sitios + count('sitio'),
    aliases: consumed.aliases + aliases,
    bases: consumed.bases + count('base'),
    programadas: consumed.programadas + count('programada'),
    zonas: consumed.zonas + count('zona'),
    disco_bytes: consumed.disco_bytes + bytes,
  }
  return excessesOf(after, limitsOf(plan)).filter(({ recurso }) => after[recurso] > consumed[recurso])
}

import type { events } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import type { EventView } from './shapes.ts'

export type Event = typeof events.$inferSelect

/** The key of an event, which is also the cursor behind it. */
export const eventKey = ({ id }: Pick<Event, 'id'>): string => String(id)

/** The event as it is returned and as webhooks carry it: the same each time. */
export function eventView(row: Event): EventView {
  return {
    evento: eventKey(row),
    tipo: row.type,
    cuando: wireTime(row.at),
    cliente: row.client,
    objeto: row.object,
    datos: row.data,
  }
}

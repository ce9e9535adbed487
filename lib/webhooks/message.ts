import { wireTime } from '../endpoint/page.ts'
import { type Event, eventKey, eventView } from '../events/view.ts'
import type { Delivery } from './rows.ts'
import type { Message } from './sign.ts'

/** The type of a message that only tries a webhook out. */
export const TEST_TYPE = 'aviso.prueba'

/**
 * What is sent, the same at each attempt: `type`, `timestamp` and `data` (Standard Webhooks, "Payload structure"). The
 * data is the event as `GET /eventos` tells it; a test has none.
 */
export function messageOf(event: Event | null, { queuedAt }: Pick<Delivery, 'queuedAt'>): Message {
  if (event === null) {
    const timestamp = wireTime(queuedAt)
    return message(`prueba_${queuedAt.getTime()}`, { type: TEST_TYPE, timestamp, data: {} })
  }
  const timestamp = wireTime(event.at)
  return message(eventKey(event), { type: event.type, timestamp, data: eventView(event) })
}

const message = (id: string, payload: { type: string; timestamp: string; data: object }): Message => ({
  id: `evt_${id}`,
  body: JSON.stringify(payload),
})

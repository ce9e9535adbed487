import type { PlacedRow } from '../endpoint/ports/logs.ts'
import { logRowView } from './view.ts'

const COMMENT_MS = 15_000
const LOOK_MS = 2_000
const COMMENT = ':\n\n'

/**
 * Rows as server-sent events, with a comment every 15 seconds, by which both sides know that the other is there. `look`
 * is asked every two seconds whether the caller still may read them: it ends the events by throwing.
 */
export function logEvents(
  rows: AsyncGenerator<PlacedRow[]>,
  first: PlacedRow[],
  look: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let commented = performance.now()
  let looked = performance.now()
  const next = async (): Promise<string | null> => {
    for (;;) {
      const { done, value } = await rows.next()
      if (done) return null
      if (performance.now() - looked >= LOOK_MS) {
        await look()
        looked = performance.now()
      }
      const due = performance.now() - commented >= COMMENT_MS
      if (due) commented = performance.now()
      const text = value.map(eventOf).join('') + (due ? COMMENT : '')
      if (text !== '') return text
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      // Something at once, so that whoever follows knows it has begun.
      start: (controller) => controller.enqueue(encoder.encode(COMMENT + first.map(eventOf).join(''))),
      async pull(controller) {
        // Whatever ends it: the bytes so far are whole events.
        const text = await next().catch(() => null)
        if (text !== null) return controller.enqueue(encoder.encode(text))
        controller.close()
        await rows.return(undefined)
      },
      cancel: async () => void (await rows.return(undefined)),
    },
    { highWaterMark: 1 },
  )
}

const eventOf = ({ row, place }: PlacedRow): string =>
  `id: ${place}\nevent: fila\ndata: ${JSON.stringify(logRowView(row))}\n\n`

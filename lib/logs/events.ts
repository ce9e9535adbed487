import type { PlacedRow } from '../endpoint/ports/logs.ts'
import { eventStream } from '../endpoint/stream/events.ts'
import { logRowView } from './view.ts'

/** Rows as server-sent events, each with its place as id, while `look` lets the caller read on. */
export const logEvents = (
  rows: AsyncGenerator<PlacedRow[]>,
  first: PlacedRow[],
  look: () => Promise<void>,
): ReadableStream<Uint8Array> => eventStream(told(rows), first.map(eventOf), look)

async function* told(batches: AsyncGenerator<PlacedRow[]>) {
  for await (const rows of batches) yield rows.map(eventOf)
}

const eventOf = ({ row, place }: PlacedRow) => ({ id: place, event: 'fila', data: logRowView(row) })

const COMMENT_MS = 15_000
const LOOK_MS = 2_000
const COMMENT = ':\n\n'

/** One server-sent event; what follows again asks for those after its `id`. */
export type ServerEvent = { id?: string; event: string; data: unknown }

/**
 * Server-sent events, with a comment every 15 seconds, by which both sides know that the other is there. `look` is asked
 * every two seconds whether the caller still may read them: it ends the events by throwing. Batches come at least
 * every few seconds, empty where nothing happened.
 */
export function eventStream(
  batches: AsyncGenerator<ServerEvent[]>,
  first: ServerEvent[],
  look: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let commented = performance.now()
  let looked = performance.now()
  const next = async (): Promise<string | null> => {
    for (;;) {
      const { done, value } = await batches.next()
      if (done) return null
      if (performance.now() - looked >= LOOK_MS) {
        await look()
        looked = performance.now()
      }
      const due = performance.now() - commented >= COMMENT_MS
      if (due) commented = performance.now()
      const text = value.map(textOf).join('') + (due ? COMMENT : '')
      if (text !== '') return text
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      // Something at once, so that whoever follows knows it has begun.
      start: (controller) => controller.enqueue(encoder.encode(COMMENT + first.map(textOf).join(''))),
      async pull(controller) {
        // Whatever ends it: the bytes so far are whole events.
        const text = await next().catch(() => null)
        if (text !== null) return controller.enqueue(encoder.encode(text))
        controller.close()
        await batches.return(undefined)
      },
      cancel: async () => void (await batches.return(undefined)),
    },
    { highWaterMark: 1 },
  )
}

const textOf = ({ id, event, data }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

import { useEffect, useState } from 'react'
import { openStream } from './client.ts'
import { ApiError, asApiError } from './errors.ts'
import { eventsIn } from './events.ts'
import type { InputOf, ItemOf, PagedOperation } from './operations.ts'

/** Rows that are kept on the screen. */
const MOST = 500
const AGAIN_MS = 2_000

export type Followed<T> = { rows: T[]; error: ApiError | null; live: boolean }

/** Follows a listing that is written to: the newest row first. Goes on where it was when a connection breaks off. */
export function useFollowed<K extends PagedOperation>(
  op: K,
  input: InputOf<K>,
  enabled: boolean,
): Followed<ItemOf<K>> {
  const [state, setState] = useState<Followed<ItemOf<K>>>({ rows: [], error: null, live: false })
  const asked = JSON.stringify(input)
  useEffect(() => {
    setState({ rows: [], error: null, live: false })
    if (!enabled) return
    const ended = new AbortController()
    const { signal } = ended
    const live = (live: boolean) => setState((now) => ({ ...now, live }))
    const row = (one: ItemOf<K>) => setState((now) => ({ ...now, rows: [one, ...now.rows].slice(0, MOST) }))
    void followed(op, JSON.parse(asked), { signal, live, row }).catch((error: unknown) => {
      if (!signal.aborted) setState((now) => ({ ...now, live: false, error: asApiError(error) }))
    })
    return () => ended.abort()
  }, [op, asked, enabled])
  return state
}

type Told<T> = { signal: AbortSignal; live(live: boolean): void; row(row: T): void }

async function followed<K extends PagedOperation>(
  op: K,
  input: InputOf<K>,
  { signal, live, row }: Told<ItemOf<K>>,
): Promise<void> {
  let last: string | null = null
  while (!signal.aborted) {
    try {
      const stream: ReadableStream<Uint8Array> = await openStream(op, input, { signal, last })
      live(true)
      for await (const event of eventsIn(stream)) {
        last = event.id
        // The server writes rows of the operation's own schema.
        row(JSON.parse(event.data) as ItemOf<K>)
      }
    } catch (error) {
      // Only a panel that cannot be reached, or has much to do, is asked again.
      const passing = !(error instanceof ApiError) || [0, 429, 502, 503].includes(error.status)
      if (signal.aborted || !passing) throw error
    }
    live(false)
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

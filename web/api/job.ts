import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openStream } from './client.ts'
import type { ApiError } from './errors.ts'
import { eventsIn } from './events.ts'
import { queries, useRead } from './hooks.ts'
import type { OutputOf } from './operations.ts'

export type Job = OutputOf<'GET /api/tareas/:id'>

/** How often it is asked about beside its events, which a proxy may hold back. */
const LOOK_MS = 5_000

export const isGoingOn = ({ estado }: Pick<Job, 'estado'>): boolean =>
  estado === 'pendiente' || estado === 'en_curso'

/** A job as it is now: the panel tells each change as it happens. */
export function useJob(id: string): UseQueryResult<Job, ApiError> {
  const input = { params: { id } }
  const read = useRead('GET /api/tareas/:id', input, { again: (job) => (isGoingOn(job) ? LOOK_MS : false) })
  const going = read.data !== undefined && isGoingOn(read.data)
  useEffect(() => {
    if (!going) return
    const ended = new AbortController()
    // Where the events break off, it is still asked about.
    void follow(id, ended.signal).catch(() => undefined)
    return () => ended.abort()
  }, [id, going])
  return read
}

/** Follows until the job is over; the panel ends the events each minute. */
async function follow(id: string, signal: AbortSignal): Promise<void> {
  const input = { params: { id } }
  while (!signal.aborted) {
    const stream = await openStream('GET /api/tareas/:id', input, { signal, last: null })
    for await (const { data } of eventsIn(stream)) {
      // The server writes jobs of the operation's own schema.
      const job = JSON.parse(data) as Job
      queries.setQueryData(['GET /api/tareas/:id', input], job)
      if (!isGoingOn(job)) return
    }
  }
}

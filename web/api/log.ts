import { createStore } from './store.ts'

/** One request as the request log shows it: never a body, so never a secret. */
export type Logged = {
  n: number
  method: string
  path: string
  /** 0 when no answer came. */
  status: number
  ms: number
  peticion: string | null
}

const KEPT = 60

/** The last requests of this page, newest first: whatever the interface does can be seen here. */
export const requestLog = createStore<Logged[]>([])

export function logRequest(entry: Omit<Logged, 'n'>): void {
  const before = requestLog.get()
  requestLog.set([{ ...entry, n: (before[0]?.n ?? 0) + 1 }, ...before].slice(0, KEPT))
}

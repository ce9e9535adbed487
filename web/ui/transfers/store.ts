import type { ApiError } from '../../api/errors.ts'
import { session } from '../../api/session.ts'
import { createStore } from '../../api/store.ts'

/** What goes on beside the screens: a file on its way up or down, or long work of the panel. */
export type Transfer = {
  n: number
  kind: 'up' | 'down' | 'work'
  name: string
  state: 'waiting' | 'going' | 'ending' | 'stopped' | 'taken' | 'failed'
  done: number
  /** Null where nobody knows before the end. */
  total: number | null
  error: ApiError | null
  /** The id of the panel's work. */
  work: string | null
  cancel(): void
  /** Goes on after it was cut off. */
  resume?: () => void
  /** Answers that the file which has its name already is to be replaced. */
  replace?: () => void
  /** Does the panel's work again, with a word on what was in its way. */
  again?: (existing: 'sustituir' | 'omitir') => void
}

/** They live beside the screens: going elsewhere in the panel ends none of them. */
export const transfers = createStore<Transfer[]>([])
let last = 0

type New = Pick<Transfer, 'kind' | 'name' | 'cancel'> & Partial<Transfer>

export function addTransfer(transfer: New): number {
  last++
  const fresh = {
    state: 'going',
    done: 0,
    total: null,
    error: null,
    work: null,
    ...transfer,
    n: last,
  } as const
  transfers.set([...transfers.get(), fresh])
  return last
}

export function changeTransfer(n: number, change: Partial<Transfer>): void {
  transfers.set(transfers.get().map((one) => (one.n === n ? { ...one, ...change } : one)))
}

export function dropTransfer(n: number): void {
  transfers.set(transfers.get().filter((one) => one.n !== n))
}

/** Whether leaving the page would cut something off. */
export const isBusy = (all: Transfer[]): boolean =>
  all.some(({ kind, state }) => kind !== 'work' && ['waiting', 'going', 'ending'].includes(state))

// Whoever signs out leaves nothing behind that goes on in this browser; the panel's own work does.
session.subscribe(() => {
  if (session.get().kind !== 'out') return
  for (const { kind, n, cancel } of transfers.get()) {
    if (kind === 'work') dropTransfer(n)
    else cancel()
  }
})

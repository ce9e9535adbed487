import { useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { queries } from '../../../api/hooks.ts'
import { number } from '../../../text/format.ts'
import { announce } from '../../../ui/toast.tsx'
import { type Entry, type Left, restoreAll } from './restore-all.ts'
import { texts } from './texts.ts'

export type Restoring = {
  /** Null while nothing is being restored. */
  progress: { done: number; total: number } | null
  left: Left[]
  error: ApiError | null
  run: (entries: Entry[]) => Promise<void>
}

/** Brings entries of a bin back; of a single one that cannot be, `ask` has the person choose another place. */
export function useRestoring(domain: string, ask: (left: Left) => void): Restoring {
  const [progress, setProgress] = useState<Restoring['progress']>(null)
  const [left, setLeft] = useState<Left[]>([])
  const [error, setError] = useState<ApiError | null>(null)
  const run = async (entries: Entry[]) => {
    const total = entries.length
    setProgress({ done: 0, total })
    setLeft([])
    setError(null)
    try {
      const remain = await restoreAll(domain, entries, (done) => setProgress({ done, total }))
      const [first] = remain
      if (total === 1 && first) return ask(first)
      setLeft(remain)
      const back = total - remain.length
      if (back > 0) announce(back === 1 ? texts.restored : texts.manyRestored(number(back)))
    } catch (thrown) {
      setError(asApiError(thrown))
    } finally {
      setProgress(null)
      void queries.invalidateQueries()
    }
  }
  return { progress, left, error, run }
}

import { queries } from '../../api/hooks.ts'
import { preload } from '../../boot/preload.ts'

/** Until the first screen stands: what it reads itself comes before. */
const FIRST_MS = 1_500
const AGAIN_MS = 200

/**
 * Fetches the files of the other screens, one after another: going there is instant, and works while the panel
 * restarts. None is run before it is shown: running them all would hold up the first screen for longer than it takes.
 */
export function fetchAhead(): () => void {
  let stopped = false
  const fetchAll = async () => {
    for (const path of new Set(globalThis.boot?.parts)) {
      while (!stopped && queries.isFetching() > 0) await after(AGAIN_MS)
      if (stopped) return
      await preload(path, 'low')
    }
  }
  void after(FIRST_MS).then(fetchAll)
  return () => {
    stopped = true
  }
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

import { startTransition, useDeferredValue, useEffect, useState } from 'react'

/** As many rows as most windows show. */
const FIRST_ROWS = 12

/**
 * What has come, once it may be drawn: an answer draws the whole of a screen at once, which a phone takes long for, but
 * this in slices between which the browser can answer. What is there from the beginning is drawn at once.
 */
export const useArrived = (isThere: boolean): boolean => useDeferredValue(isThere) && isThere

/** How many of so many rows are drawn: as many as a window shows, and the rest after those, also in slices. */
export function useDrawn(rows: number): number {
  const [rest, drawRest] = useState(false)
  useEffect(() => startTransition(() => drawRest(true)), [])
  return rest ? rows : Math.min(rows, FIRST_ROWS)
}

import type { Page } from 'playwright-core'
import type { Visitor } from './browser.ts'

declare global {
  interface Window {
    /** On each page that `watchShifts` watches. */
    seen: Seen
  }
}

/** How late each answer comes, so that what arrives after another is also drawn after it. */
const LATENCY_MS = 60

type Network = { latencyMs?: number; slowdown?: number }

/** Notes each movement of what is shown on all pages from now on, behind a network and on a processor of their own. */
export async function watchShifts({ context, page }: Visitor, network: Network = {}): Promise<void> {
  const { latencyMs: latency = LATENCY_MS, slowdown = 1 } = network
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 },
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    type Source = { node?: Node; previousRect: DOMRect; currentRect: DOMRect }
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const seen = { shifts: [] as Shift[], long: [] as number[], slow: [] as number[] }
    window.seen = seen
    const told = ({ node, previousRect, currentRect }: Source) => {
      const element = node instanceof Element ? node : node?.parentElement
      const name = `${element?.tagName.toLowerCase()}.${String(element?.className).slice(0, 30)}`
      return `${name}, ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}`
    }
    const observe = (type: string, note: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        ...{ type, buffered: true, ...more },
      })
    observe('layout-shift', (entry) => {
      const { value, hadRecentInput, sources } = entry as Entry
      if (!hadRecentInput) seen.shifts.push({ value, moved: sources.map(told) })
    })
    observe('longtask', ({ duration }) => seen.long.push(duration))
    observe('event', ({ duration }) => seen.slow.push(duration), { durationThreshold: 16 })
  })
}

type Shift = { value: number; moved: string[] }
/** What moved, how long the page could not answer at a time, and how late it answered to what was done. */
type Seen = { shifts: Shift[]; long: number[]; slow: number[] }

/** What was seen since the page began, once nothing of it is still to be drawn. */
export const seenOn = (page: Page): Promise<Seen> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return window.seen
  })

/** The sum of all movements, which is at least the browser's own figure for the worst five seconds. */
export const shiftOf = ({ shifts }: Seen): number => shifts.reduce((sum, { value }) => sum + value, 0)

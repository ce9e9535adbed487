import type { Page } from 'playwright-core'

/** How long a window that was just made smaller has to be drawn anew. */
const DRAWN_MS = 3000

/** Pixels by which the page is wider than its window, once it has been drawn for it. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(async (drawnMs) => {
    const late = performance.now() + drawnMs
    for (;;) {
      await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth || performance.now() > late) return scrollWidth - clientWidth
    }
  }, DRAWN_MS)
}

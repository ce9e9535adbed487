import { afterEach, beforeEach } from 'bun:test'
import type { Services } from '../../lib/endpoint/context.ts'
import { testServices } from '../usage/store.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** How far the clock is set back: less than any back-off knows, a day, and so long that nobody would wait. */
export const BACK = [
  ['90 minutes', 90 * MINUTE_MS],
  ['a day', DAY_MS],
  ['a month', 30 * DAY_MS],
] as const

/** The store of the test that runs, and its clock. */
export let base: Awaited<ReturnType<typeof testServices>>
export let services: Services

/** Gives each test of a file a store of its own. */
export function storeForEachTest(): void {
  beforeEach(async () => {
    base = await testServices()
    services = base.services
  })
  afterEach(() => base.close())
}

/** Runs the rest of a test with other services, such as a driver. */
export const use = (other: Services) => {
  services = other
}

export const move = (ms: number) => {
  base.clock.now = new Date(base.clock.now.getTime() + ms)
}
export const back = (ms: number) => move(-ms)

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzz, type World } from './fuzz.ts'
import { world } from './world.ts'

setDefaultTimeout(120_000)

let made: World
beforeAll(async () => {
  made = await world()
})
afterAll(() => made.panel.stop())

test.each([1, 2, 3])(
  'seed %p: every answer is one that the document tells, and a refusal changes nothing',
  async (seed) => {
    const { faults, statuses } = await fuzz(made, seed, 300)
    expect(faults).toEqual([])
    expect(statuses).toEqual(expect.arrayContaining([200, 401, 404, 422]))
  },
)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inconsistencies, settled } from '../../support/consistency.ts'
import { startWorld, type World } from '../../support/node-world.ts'
import { boxOf } from './box.ts'
import { defineAttacks } from './define.ts'
import { LIMITS } from './resources.ts'
import { type Stage, setStage } from './stage.ts'

const TOLD = 'canario-del-entorno-88213'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await startWorld({ env: { PANEL_CRON_SECRET: TOLD } })
  stage = await setStage(boxOf(world, TOLD), LIMITS)
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

defineAttacks(() => stage)

test('after all of that the node is as its database says', async () => {
  await settled(world.panel)
  expect(await inconsistencies(world.panel)).toEqual([])
})

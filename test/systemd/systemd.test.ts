import { afterAll, beforeAll, describe } from 'bun:test'
import { installing } from './install.ts'
import { living, logging } from './life.ts'
import { CHECKOUT, Installed } from './support/installed.ts'
import { Machine } from './support/machine.ts'
import { removing, upgrading } from './upgrade.ts'
import { until, type World } from './world.ts'

const world = { until } as World // `beforeAll` fills it in before any test, and the first test makes the site.

beforeAll(async () => {
  world.machine = await Machine.boot()
  world.machine.checkout(CHECKOUT)
  world.panel = new Installed(world.machine)
}, 60_000)
afterAll(() => world.machine?.remove(), 60_000)

describe('installing', () => installing(world))
describe('running', () => living(world))
describe('logs', () => logging(world))
describe('upgrading', () => upgrading(world))
describe('removing', () => removing(world))

import { afterAll, beforeAll, describe } from 'bun:test'
import { attacking, CRON_SECRET } from './attacks.ts'
import { installing } from './install.ts'
import { living, logging } from './life.ts'
import { serveBun } from './support/downloads.ts'
import { CHECKOUT, Installed } from './support/installed.ts'
import { Machine } from './support/machine.ts'
import { removing, upgrading } from './upgrade.ts'
import { until, type World } from './world.ts'

const world = { until } as World // `beforeAll` fills it in before any test, and the first test makes the site.

let registry: ReturnType<typeof serveBun> | undefined

beforeAll(async () => {
  world.machine = await Machine.boot()
  world.machine.checkout(CHECKOUT)
  registry = serveBun(world.machine.outside)
  world.machine.write('/root/.npmrc', `@oven:registry=${registry.url}\n`)
  // Its address is none that a panel would publish by itself.
  world.machine.write(
    '/etc/controlpanel.env',
    `PANEL_IPS=${world.machine.address}\nPANEL_CRON_SECRET=${CRON_SECRET}\n`,
  )
  world.machine.run('chmod', '0600', '/etc/controlpanel.env')
  world.panel = new Installed(world.machine)
}, 300_000)
afterAll(async () => {
  await world.machine?.remove()
  await registry?.stop()
}, 60_000)

describe('installing', () => installing(world))
describe('running', () => living(world))
describe('attacks on', () => attacking(world))
describe('logs', () => logging(world))
describe('upgrading', () => upgrading(world))
describe('removing', () => removing(world))

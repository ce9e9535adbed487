import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inconsistencies, settled, statusOf, unfinishedBelow } from '../support/consistency.ts'
import { type ProbedWorld, startProbedWorld } from '../support/node-world.ts'
import type { Answer } from '../support/panel.ts'

const WORKERS = 5
const KILLS = 5
const MAKER = resolve(import.meta.dir, '../../deploy/node/host/unfinished.ts')
/** Of the data directory: where files of the panel's own are made. */
const PLACES = [
  ...['', 'tls', 'acme', 'acme/orders', 'acme/held', 'correo'],
  ...['dns', 'dns/datos', 'web', 'web/tmp', 'web/acme'],
]
/** What a client must be like: by its last acknowledged change, and by one whose answer the kill took. */
type State = 'absent' | 'active' | 'suspended'
type Tracked = { name: string; known: State; perhaps: State | null }

let world: ProbedWorld

beforeAll(async () => {
  world = await startProbedWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

test('killed at random under load, all that was acknowledged is there and nothing that was ended is served', async () => {
  const { panel } = world
  const tracked: Tracked[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const load = { on: true }
    const workers = Array.from({ length: WORKERS }, (_, at) => churn(load, `r${kill}x${at}x`, tracked))
    // Any moment is a good one: the time is the input here, not a wait for something.
    await Bun.sleep(150 + Math.random() * 500)
    await panel.kill()
    load.on = false
    await Promise.all(workers)
    if (kill === 0) leaveUnfinished(panel.dataDir)
    await panel.up()
    await settled(panel)
    expect(await inconsistencies(panel)).toEqual([])
    for (const one of tracked) await expectKnown(one)
  }
  expect(tracked.length).toBeGreaterThan(2 * KILLS)
}, 120_000)

test('the neighbour was answered all the time', async () => {
  expect(await world.prober.stop()).toEqual([])
  expect(world.prober.good()).toBeGreaterThan(100)
})

/** Makes, changes, suspends and deletes clients one after another until the panel is gone. */
async function churn(load: { on: boolean }, prefix: string, tracked: Tracked[]): Promise<void> {
  for (let at = 0; load.on; at++) {
    const one: Tracked = { name: `${prefix}${at}`, known: 'absent', perhaps: null }
    tracked.push(one)
    const { name } = one
    const body = { cliente: name, correo: `${name}@r.es`, domain: `${name}.es`, enviar: false }
    const changes: [State, () => Promise<Answer>][] = [
      ['active', () => world.call('PUT', `/altas/${name}`, body)],
      ['active', () => world.call('PATCH', `/sitios/${name}.es`, { aliases: [`www.${name}.es`] })],
      ['suspended', () => world.call('POST', `/clientes/${name}/suspender`)],
      ['active', () => world.call('POST', `/clientes/${name}/activar`)],
      ['absent', () => world.call('DELETE', `/clientes/${name}`)],
    ]
    // Not each goes all the way, so that every state is found after a kill.
    for (const [state, change] of changes.slice(0, 1 + (at % changes.length))) {
      one.perhaps = state
      const answer = await change().catch(() => null)
      if (answer === null) return
      expect(answer.status).toBeLessThan(300)
      one.known = state
      one.perhaps = null
    }
  }
}

/** Leaves in each of the panel's directories what a process leaves that is killed while it writes a file there. */
function leaveUnfinished(dataDir: string): void {
  const dead = Bun.spawnSync(['bun', '-e', `console.log((await import('${MAKER}')).unfinishedIn('.'))`])
  const name = dead.stdout.toString().trim()
  expect(name).toMatch(/^\.unfinished-/)
  for (const place of PLACES) {
    mkdirSync(join(dataDir, place), { recursive: true })
    writeFileSync(join(dataDir, place, name), 'half')
  }
  expect(unfinishedBelow(dataDir).length).toBeGreaterThanOrEqual(PLACES.length)
}

async function expectKnown(one: Tracked): Promise<void> {
  const { name, known, perhaps } = one
  const { status, body } = await world.call('GET', `/clientes/${name}`)
  const state: State = status === 404 ? 'absent' : body.estado === 'suspendido' ? 'suspended' : 'active'
  expect([name, [known, perhaps]]).toEqual([name, expect.arrayContaining([state])])
  const served = { absent: 404, active: 200, suspended: 503 }[state]
  expect([name, await statusOf(world.panel, `${name}.es`)]).toEqual([name, served])
  Object.assign(one, { known: state, perhaps: null })
}

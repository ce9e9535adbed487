import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { PanelConfig } from '../../lib/endpoint/context.ts'
import { openProvider, resealCredentials } from '../../lib/mirror/account.ts'
import { runNext } from '../../lib/mirror/worker.ts'
import { KeyRing } from '../../lib/secrets/keys.ts'
import { credentialPlace } from '../../lib/secrets/sealed.ts'
import { dnsAccounts } from '../../schema/tables.ts'
import { NODE, type Panel, startPanel } from '../support/providers/panel.ts'
import { WORLDS, type World } from '../support/providers/world.ts'
import { SMALL } from './records.ts'

let panel: Panel
let world: World
beforeEach(async () => {
  panel = await startPanel()
  world = await (WORLDS.desec as NonNullable<(typeof WORLDS)[string]>)(() => panel.clock.ms) // one of the four
  await panel.addAccount(world)
  await panel.addZone('ejemplo.es', SMALL)
  await panel.addMirror('ejemplo.es')
})
afterEach(async () => {
  await world.stop()
  await panel.stop()
})

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
const key = (id: string) => ({ id, bytes: random(32) })
const services = (keys: KeyRing) => ({
  fetch: globalThis.fetch,
  resolvers: [],
  config: { test: true } as PanelConfig, // only this is read
  keys,
})

test('a sealed credential opens in its own row, and one moved to another row fails closed', async () => {
  const ring = new KeyRing([key('a')])
  await panel.setAccount({ credential: await ring.seal(credentialPlace(NODE), world.credential, random) })
  const open: NonNullable<Parameters<Panel['deps']>[1]>['open'] = (account, remainingMs) =>
    openProvider(services(ring), account, remainingMs)
  expect((await runNext(panel.deps(world, { open })))?.outcome).toBe('synced')

  await panel.setAccount({ credential: await ring.seal(credentialPlace('nodo2'), world.credential, random) })
  await panel.setRow('ejemplo.es', { state: 'en_cola', nextAt: new Date(panel.clock.ms) })
  world.proxy.calls.length = 0
  expect((await panel.run(world, { open }))?.outcome).toBe('fault')
  expect(world.proxy.calls).toEqual([])
  expect((await panel.account()).refusedAt).not.toBeNull()
  expect(panel.notices).toEqual([{ kind: 'credencial_rechazada', provider: 'desec' }])
})

test('a rotation seals the credential anew, and the old key is no longer needed', async () => {
  const [older, newer] = [key('a'), key('b')]
  const old = new KeyRing([older])
  await panel.setAccount({ credential: await old.seal(credentialPlace(NODE), 'secreto', random) })
  const ring = new KeyRing([newer, older])
  expect(await panel.db.write((tx) => resealCredentials(tx, old, ring, random))).toBe(1)
  const [row] = await panel.db.read.select().from(dnsAccounts).where(eq(dnsAccounts.node, NODE))
  expect(await new KeyRing([newer]).open(credentialPlace(NODE), row?.credential ?? '')).toBe('secreto')
})

test('a refusal of an old credential says nothing about the one that was put meanwhile', async () => {
  world.proxy.fault = () => ({ kind: 'answer', status: 401, body: '{}' })
  world.proxy.before = null
  const run = panel.run(world, {
    open: async (account, remainingMs) => {
      const provider = await panel.deps(world).open(account, remainingMs)
      await panel.setAccount({ epoch: 2 })
      return provider
    },
  })
  expect((await run)?.outcome).toBe('fault')
  expect((await panel.account()).refusedAt).toBeNull()
})

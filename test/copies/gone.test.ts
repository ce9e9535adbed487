import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { rows } from '../api/store.ts'
import { command } from '../bases/world.ts'
import { eventually } from '../support/wait.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

const DAY = 86_400

let world: CopiesWorld
beforeAll(async () => {
  world = await startCopies()
  const { status } = await world.putDestination({ tipo: 'carpeta', url: world.store, contrasena: PASSWORD })
  expect(status).toBe(200)
}, 240_000)
afterAll(() => world?.stop())

test('what the destination keeps of a deleted client goes once nothing can bring back its key', async () => {
  await world.copied()
  await world.result('/clientes/bea/copias')
  const kept = () =>
    readdirSync(world.store)
      .map((name) => name.split('-')[0])
      .sort()
  await world.done('DELETE', '/clientes/ana')
  await eventually(async () => (await world.call('GET', '/clientes/ana')).status === 404, 'its end', 60_000)
  for (const [days, left] of [
    [0, ['c1', 'c2', 'nodo']],
    [189, ['c1', 'c2', 'nodo']],
    [191, ['c2', 'nodo']],
  ] as const) {
    await world.panel.setClock(days * DAY)
    expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
    expect(kept()).toEqual([...left])
  }
  const told = rows(world.panel, "select target, detail from audit where operation = 'copias.retirar'")
  expect(told).toEqual([{ target: expect.stringMatching(/^c1-/), detail: expect.stringContaining('ana') }])
  const { lines } = await world.panel.command('doctor')
  expect(lines[0]).toContainEqual(expect.objectContaining({ comprobacion: 'destino de copias', bien: true }))
}, 240_000)

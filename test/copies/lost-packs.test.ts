import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { giveFile } from '../support/owned.ts'
import type { Json } from '../support/panel.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

let world: CopiesWorld
let root: string

beforeAll(async () => {
  world = await startCopies()
  root = join(world.folder, 'public')
  const { status } = await world.putDestination({ tipo: 'carpeta', url: world.store, contrasena: PASSWORD })
  expect(status).toBe(200)
}, 240_000)
afterAll(() => world?.stop())

const packs = () => [...new Bun.Glob('c1-*/data/*/*').scanSync({ cwd: world.store, absolute: true })]
/** Loses what the latest copy has of Ana's large file. */
function losePack(): void {
  const large = packs().filter((path) => statSync(path).size > 500_000)
  const [latest = ''] = large.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  rmSync(latest)
}
const states = async () => {
  const { datos } = await world.done('GET', '/clientes/ana/copias')
  return new Map<string, string>(datos.map(({ copia, estado }: Json) => [copia, estado]))
}
const asked = async (copia: string, body: Json): Promise<string> => {
  const path = `/clientes/ana/copias/${copia}/restaurar`
  return (await world.done('POST', path, { sitio: 'ana.es', ...body })).tarea.id
}
const doctor = async () => {
  const { lines } = await world.panel.command('doctor')
  return lines[0].find(({ comprobacion }: Json) => comprobacion === 'copias dañadas')
}

/** The folder's own time is copied, too. */
const asBefore = () => utimesSync(root, 1_700_000_000, 1_700_000_000)

/** A file that no other pack has, and a copy of it. */
let content: string
let first: string
beforeEach(async () => {
  content = randomBytes(2_000_000).toString('hex')
  giveFile(root, 'grande.txt', content)
  asBefore()
  first = await world.copied()
  losePack()
})

const restored = async (copia: string) => {
  giveFile(root, 'grande.txt', 'perdido')
  const { estado } = await world.ended(await asked(copia, { ruta: '/public/grande.txt', modo: 'sustituir' }))
  return [estado, readFileSync(join(root, 'grande.txt'), 'utf8') === content]
}

describe('after the destination has lost a pack that nothing has read since', () => {
  test('the next copy keeps anew what was lost, and the one before is whole again, too', async () => {
    const next = await world.copied()
    const all = await states()
    expect([all.get(next), all.get(first)]).toEqual(['completa', 'completa'])
    expect(await doctor()).toMatchObject({ bien: true })
    expect(await restored(next)).toEqual(['hecha', true])
  }, 240_000)

  test('what nobody has leaves the copies before damaged, and not the next one, until it is there again', async () => {
    const [kept, aside] = [join(root, 'grande.txt'), join(world.store, 'aparte')]
    renameSync(kept, aside)
    const next = await world.copied()
    const all = await states()
    expect([all.get(next), all.get(first)]).toEqual(['completa', 'danada'])
    expect(await doctor()).toMatchObject({ bien: false, consejo: expect.stringContaining('ana') })
    renameSync(aside, kept)
    asBefore()
    await world.copied()
    expect((await states()).get(first)).toBe('completa')
    expect(await doctor()).toMatchObject({ bien: true })
  }, 240_000)

  test('the copy of what a restore replaces undoes it', async () => {
    const { estado, resultado } = await world.ended(
      await asked(first, { ruta: '/public/index.html', modo: 'sustituir' }),
    )
    expect([estado, (await states()).get(first)]).toEqual(['hecha', 'danada'])
    expect(await restored(resultado.deshacer)).toEqual(['hecha', true])
    await world.copied()
  }, 240_000)
})

test('restores that find it end for good with that, and the copy that waits behind them mends it', async () => {
  const restores = [await asked(first, { modo: 'aparte' }), await asked(first, { modo: 'aparte' })]
  const { tarea } = await world.done('POST', '/clientes/ana/copias')
  for (const id of restores) {
    const job = await world.ended(id)
    expect(job).toMatchObject({ estado: 'fallida', intentos: 1, resultado: { codigo: 'copia_danada' } })
  }
  const began = performance.now()
  expect((await world.ended(tarea.id)).resultado).toMatchObject({ estado: 'completa' })
  expect(performance.now() - began).toBeLessThan(60_000)
  expect((await states()).get(first)).toBe('completa')
  expect(await doctor()).toMatchObject({ bien: true })
  expect(await restored(first)).toEqual(['hecha', true])
}, 300_000)

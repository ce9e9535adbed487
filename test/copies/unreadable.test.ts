import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { giveFile } from '../support/owned.ts'
import type { Json } from '../support/panel.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

let world: CopiesWorld
let copia: string
let root: string

const SITE = { sitio: 'ana.es', modo: 'sustituir' }
/** What Ana cannot read by the time of the restore: a file and a folder of root's, and a file that she closed herself. */
const CLOSED = ['/public/album/cerrado.txt', '/public/malo.txt', '/public/privada']

const put = (name: string, content: string) => giveFile(root, name, content)
const read = (name: string) => readFileSync(join(root, name), 'utf8')
async function asked(body: Json, from = copia): Promise<Json> {
  const told = await world.call('POST', `/clientes/ana/copias/${from}/restaurar`, { ...SITE, ...body })
  // A job that ends at once is answered as such.
  if (told.status >= 400) return { estado: 'fallida', resultado: { codigo: told.body.codigo } }
  return world.ended(told.body.tarea.id)
}
const latest = async (): Promise<Json> => (await world.done('GET', '/clientes/ana/copias')).datos[0]
/** What a restore is refused with. */
const refusal = async (body: Json) => {
  const { estado, resultado } = await asked(body)
  return [estado, resultado?.codigo]
}

beforeAll(async () => {
  world = await startCopies()
  root = join(world.folder, 'public')
  await world.putDestination({ tipo: 'carpeta', url: world.store, contrasena: PASSWORD })
  mkdirSync(join(root, 'album'))
  mkdirSync(join(root, 'privada'))
  const { uid, gid } = statSync(root)
  for (const name of ['album', 'privada']) chownSync(join(root, name), uid, gid)
  for (const name of ['malo.txt', 'album/cerrado.txt', 'album/foto.txt', 'privada/dentro.txt'])
    put(name, 'antes')
  copia = await world.copied()
  for (const name of ['index.html', 'malo.txt', 'album/cerrado.txt', 'album/foto.txt', 'privada/dentro.txt'])
    put(name, 'después')
  put('album/nueva.txt', 'después')
  for (const name of ['malo.txt', 'privada']) chownSync(join(root, name), 0, 0)
  chmodSync(join(root, 'malo.txt'), 0o600)
  chmodSync(join(root, 'privada'), 0o700)
  chmodSync(join(root, 'album/cerrado.txt'), 0)
}, 240_000)
afterAll(() => world?.stop())

const expectClosedAsBefore = () => {
  for (const name of ['malo.txt', 'album/cerrado.txt', 'privada/dentro.txt'])
    expect(read(name)).toBe('después')
  expect(statSync(join(root, 'malo.txt'))).toMatchObject({ uid: 0, mode: 0o100600 })
}

test('a file that its owner cannot read keeps no other one from being restored', async () => {
  expect(await asked({ ruta: '/public/index.html' })).toMatchObject({ estado: 'hecha', error: null })
  expect(read('index.html')).toBe('antes')
  put('index.html', 'después')
  expectClosedAsBefore()
}, 240_000)

test('what its owner cannot read stays as it is in a site that is restored, and is named', async () => {
  const job = await asked({ parte: 'archivos' })
  expect(job).toMatchObject({ estado: 'hecha', resultado: { sin_tocar: CLOSED } })
  expect([read('index.html'), read('album/foto.txt')]).toEqual(['antes', 'antes'])
  expect(existsSync(join(root, 'album/nueva.txt'))).toBe(false)
  expectClosedAsBefore()
  const undo = await latest()
  expect([undo.copia, undo.estado]).toEqual([job.resultado.deshacer, 'incompleta'])
  for (const path of CLOSED) expect(undo.contenido[0].error).toContain(path)

  const undone = await asked({ parte: 'archivos' }, job.resultado.deshacer)
  expect(undone).toMatchObject({ estado: 'hecha', resultado: { sin_tocar: CLOSED } })
  for (const name of ['index.html', 'album/foto.txt', 'album/nueva.txt']) expect(read(name)).toBe('después')
  expectClosedAsBefore()
}, 240_000)

test('a restore of nothing but what its owner cannot read is refused', async () => {
  expect(await refusal({ ruta: '/public/malo.txt' })).toEqual(['fallida', 'prohibido'])
  expectClosedAsBefore()
}, 240_000)

test('what was not copied for another reason keeps what holds it from being replaced, and nothing else', async () => {
  const deep = join(root, 'hondo', ...Array<string>(300).fill('d'))
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'fondo.txt'), 'x')
  Bun.spawnSync(['chmod', '-R', 'a+rX', join(root, 'hondo')])
  expect(await refusal({ parte: 'archivos' })).toEqual(['fallida', 'copia_incompleta'])
  expect((await latest()).contenido[0].error).toContain('/public/hondo/d/d')
  expect([read('index.html'), existsSync(join(deep, 'fondo.txt'))]).toEqual(['después', true])
  expect((await asked({ ruta: '/public/index.html' })).estado).toBe('hecha')
  expect(read('index.html')).toBe('antes')
  rmSync(join(root, 'hondo'), { recursive: true })
}, 240_000)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startWorld, type World } from '../support/node-world.ts'

const SECRET = 'secreto-de-perdida'
let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

async function get(host: string, path: string): Promise<{ status: number; body: string }> {
  const url = `http://127.0.0.1:${world.panel.httpPort}${path}`
  const answer = await fetch(url, { headers: { host }, keepalive: false })
  return { status: answer.status, body: await answer.text() }
}

test('a client made after an older backup was restored gets nothing of one that the backup does not know', async () => {
  const { panel } = world
  const copy = join(panel.dataDir, 'copia.db')
  expect((await panel.command('backup', copy)).status).toBe(0)
  const lostRoot = await world.client('perdida')
  writeFileSync(join(lostRoot, 'secreto.txt'), SECRET, { mode: 0o644 })
  writeFileSync(join(lostRoot, 'quien.php'), `<?php echo "${SECRET}";`, { mode: 0o644 })
  expect((await get('perdida.es', '/quien.php')).body).toBe(SECRET)
  const lostUid = statSync(lostRoot).uid
  await panel.kill()
  expect((await panel.command('restore', copy, '--misma-identidad')).status).toBe(0)
  await panel.up()
  for (const path of ['/secreto.txt', '/quien.php'])
    expect([path, (await get('perdida.es', path)).body.includes(SECRET)]).toEqual([path, false])
  const root = await world.client('nueva')
  expect(root).not.toBe(lostRoot)
  expect(dirname(dirname(root))).not.toBe(dirname(dirname(lostRoot)))
  expect(readdirSync(root)).toEqual([])
  expect(statSync(root).uid).not.toBe(lostUid)
  const read = `<?php echo posix_getuid(), json_encode([@file_get_contents('${lostRoot}/secreto.txt'), @scandir('${lostRoot}')]);`
  writeFileSync(join(root, 'leer.php'), read, { mode: 0o644 })
  expect((await get('nueva.es', '/leer.php')).body).toBe(`${statSync(root).uid}[false,false]`)
  // The lost one's name is free again, and brings nothing of its back.
  const again = await world.client('perdida')
  expect([again === lostRoot, lstatSync(again).uid === lostUid]).toEqual([false, false])
  expect((await get('perdida.es', '/secreto.txt')).status).toBe(404)
  // Nothing is destroyed, and the operator is told.
  expect(readFileSync(join(lostRoot, 'secreto.txt'), 'utf8')).toBe(SECRET)
  const { lines } = await panel.command('doctor')
  const told = lines[0].find(({ comprobacion }: { comprobacion: string }) => comprobacion === 'restos')
  expect([told?.bien, told?.consejo.includes(dirname(dirname(lostRoot)))]).toEqual([false, true])
  expect(panel.log).toContain('clients that the database does not know')
}, 120_000)

test('a directory that stands where a new site will be goes to the bin', async () => {
  const { panel } = world
  const root = await world.client('planta')
  const [home, next] = [dirname(dirname(root)), Number(dirname(root).split('/').at(-1)) + 1]
  mkdirSync(join(home, String(next), 'public'), { recursive: true })
  writeFileSync(join(home, String(next), 'public', 'secreto.txt'), SECRET, { mode: 0o644 })
  await world.done('POST', '/sitios', { cliente: 'planta', domain: 'otro.planta.es' })
  expect((await get('otro.planta.es', '/secreto.txt')).status).toBe(404)
  const { lines } = await panel.command('papelera')
  const [entry] = lines[0].filter(({ id }: { id: string }) => id === `sitio-${next}`)
  expect(entry).toMatchObject({ nombre: '?' })
  const { lines: back } = await panel.command('papelera', 'restaurar', entry.id)
  expect(existsSync(join(back[0].ruta, 'public', 'secreto.txt'))).toBe(true)
}, 60_000)

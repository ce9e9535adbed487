import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { partDirectory } from '../support/consistency.ts'
import { startWorld, type World } from '../support/node-world.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(120_000)
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose](), 60_000)

const PLAIN = { nombre: null, color: null, soporte: null }
const NONE = { provisional: null, suspendida: null, desconocida: null }
const page = (titulo: string) => ({ titulo, texto: 'Uno.\n\nDos.' })

async function shown(host: string): Promise<string> {
  const url = `http://127.0.0.1:${world.panel.httpPort}/`
  const answer = await fetch(url, { headers: { host }, keepalive: false })
  return `${answer.status} ${/<h1>(.*)<\/h1>/.exec(await answer.text())?.[1]}`
}
const all = async () => [await shown('nueva.es'), await shown('parada.es'), await shown('nadie.es')]

test('an operator’s pages are shown when the answer comes, stay where they are left out, and end with null', async () => {
  const { call, client, done } = world
  await client('nueva', { aliases: [] })
  await client('parada', { aliases: [] })
  await done('POST', '/clientes/parada/suspender')
  expect((await call('GET', '/apariencia')).body.paginas).toEqual(NONE)
  const own = ['200 Sitio en preparación', '503 Sitio suspendido', '404 No encontrado']
  expect(await all()).toEqual(own)
  const paginas = { provisional: page('Pronto'), suspendida: page('Pausa'), desconocida: page('Nada') }
  const { status, body } = await call('PUT', '/apariencia', { ...PLAIN, paginas })
  expect([status, body]).toEqual([200, { ...PLAIN, logo: null, icono: null, paginas }])
  expect(await all()).toEqual(['200 Pronto', '503 Pausa', '404 Nada'])
  const less = await call('PUT', '/apariencia', { ...PLAIN, paginas: { desconocida: null } })
  expect(less.body.paginas).toEqual({ ...paginas, desconocida: null })
  expect(await all()).toEqual(['200 Pronto', '503 Pausa', own[2] ?? ''])
  await call('PUT', '/apariencia', { ...PLAIN, color: '#7A1F5C' })
  expect((await call('GET', '/apariencia')).body.paginas).toEqual({ ...paginas, desconocida: null })
  await call('PUT', '/apariencia', { ...PLAIN, paginas: NONE })
  expect(await all()).toEqual(own)
})

test('nobody outside is told of the pages, and a refused one changes nothing', async () => {
  const { call, panel } = world
  await call('PUT', '/apariencia', { ...PLAIN, paginas: { desconocida: page('Nada') } })
  const outside = await panel.fetch('/acceso/apariencia')
  expect(Object.keys((await outside.json()) as object)).toEqual([
    'nombre',
    'color',
    'soporte',
    'logo',
    'icono',
  ])
  const wrong = { suspendida: page('Pausa'), desconocida: { titulo: '', texto: 'a' } }
  const refused = await call('PUT', '/apariencia', { ...PLAIN, paginas: wrong })
  expect([refused.status, refused.body.campos[0].campo]).toEqual([422, 'paginas.desconocida.titulo'])
  expect(await all()).toEqual(['200 Sitio en preparación', '503 Sitio suspendido', '404 Nada'])
})

test('a page that was changed or lost behind the panel’s back is put back at its start, and told of', async () => {
  const { panel } = world
  await world.call('PUT', '/apariencia', { ...PLAIN, paginas: { desconocida: page('Nada') } })
  const files = () => `${partDirectory(panel, 'web')}/nginx`
  await panel.kill()
  writeFileSync(`${files()}/missing.html`, '<h1>Otra</h1>')
  rmSync(`${files()}/suspended.html`)
  expect(await shown('nadie.es')).toBe('404 Otra')
  await panel.up()
  await eventually(async () => (await shown('nadie.es')) === '404 Nada', 'the page')
  expect(panel.log).toContain('a page differed from the database')
  const told = async () => {
    const { lines } = await panel.command('doctor')
    return lines[0].find(({ comprobacion }: { comprobacion: string }) => comprobacion === 'diferencias')
  }
  expect((await eventually(told, 'the word of it')).consejo).toContain('pages put in place again: missing')
})

test('a panel that is restored shows the pages of its copy', async () => {
  const { panel, call } = world
  await call('PUT', '/apariencia', { ...PLAIN, paginas: { desconocida: page('Antes') } })
  const copy = `${panel.dataDir}/copia-del-panel`
  await panel.command('backup', copy)
  await call('PUT', '/apariencia', { ...PLAIN, paginas: { desconocida: page('Después') } })
  expect(await shown('nadie.es')).toBe('404 Después')
  await panel.kill()
  expect((await panel.command('restore', copy, '--misma-identidad')).status).toBe(0)
  await panel.up()
  await eventually(async () => (await shown('nadie.es')) === '404 Antes', 'the page of the copy')
})

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { textOf, visitor } from './wordpress.ts'
import { codeOf, startWordPress, VERSION, WANTED, type WordPressWorld } from './wordpress-world.ts'

setDefaultTimeout(120_000)

let world: WordPressWorld

beforeAll(async () => {
  world = await startWordPress()
})
afterAll(() => world?.stop())

test('Debian’s package is installed by a token in English, without its own settings and other languages', async () => {
  const root = await world.addSite('ana', 'debian.es')
  const end = await world.installed('debian.es', { idioma: 'fr_BE' })
  expect(end).toMatchObject({ estado: 'hecha', resultado: { version: VERSION, idioma: 'en_US' } })
  expect(readdirSync(join(root, 'wp-content/languages'))).toEqual([])
  expect(textOf(await visitor(world.panel, 'debian.es')('/'))).toContain('<html lang="en-US"')
})

test('a site that serves another folder gets WordPress there, with its task', async () => {
  await world.addSite('ana', 'carpeta.es')
  expect((await world.api('PATCH', '/sitios/carpeta.es', { raiz_web: 'web/blog' })).status).toBe(200)
  expect((await world.installed('carpeta.es', { titulo: 'En su carpeta' })).estado).toBe('hecha')
  const front = await visitor(world.panel, 'carpeta.es')('/')
  expect([front.status, textOf(front).includes('En su carpeta')]).toEqual([200, true])
  const { datos } = (await world.api('GET', '/sitios/carpeta.es/programadas')).body
  expect(datos.map(({ orden }: Json) => orden[1])).toEqual(['web/blog/wp-cron.php'])
}, 120_000)

describe('refused', () => {
  test('is a site that is not empty, that has one, or that somebody else has', async () => {
    const root = await world.addSite('ana', 'llena.es')
    writeFileSync(join(root, 'a.txt'), 'a')
    expect(codeOf(await world.api('POST', '/sitios/llena.es/aplicacion', WANTED))).toEqual([
      409,
      'sitio_no_vacio',
    ])
    expect(readdirSync(root)).toEqual(['a.txt'])
    expect(codeOf(await world.api('POST', '/sitios/debian.es/aplicacion', WANTED))).toEqual([
      409,
      'ya_existe',
    ])
    await world.api('POST', '/clientes', { cliente: 'bea', correo: 'bea@cliente.es' })
    await world.addSite('bea', 'bea.es')
    const theirs = await world.api('POST', '/sitios/bea.es/aplicacion', WANTED, world.ana.bearer)
    expect(codeOf(theirs)).toEqual([404, 'sitio_no_existe'])
    expect((await world.api('GET', '/sitios/bea.es/aplicacion', undefined, world.ana.bearer)).status).toBe(
      404,
    )
  })

  test('are other fields than there are, and a plan or a site without what it needs', async () => {
    const wrong = await world.api('POST', '/sitios/bea.es/aplicacion', {
      ...WANTED,
      idioma: '../es',
      contrasena: 'x',
    })
    expect([wrong.status, wrong.body.campos.map(({ campo }: Json) => campo).sort()]).toEqual([
      422,
      ['contrasena', 'idioma'],
    ])
    await world.api('POST', '/planes', { plan: 'sin', funciones: ['php', 'bases'] })
    await world.api('POST', '/clientes/bea/plan', { plan: 'sin' })
    const paid = await world.api('POST', '/sitios/bea.es/aplicacion', WANTED)
    expect([...codeOf(paid), paid.body.funcion]).toEqual([402, 'funcion_de_pago', 'aplicaciones'])
    await world.api('POST', '/planes', { plan: 'una', funciones: ['php', 'bases', 'aplicaciones'], bases: 0 })
    await world.api('POST', '/clientes/bea/plan', { plan: 'una' })
    expect(codeOf(await world.api('POST', '/sitios/bea.es/aplicacion', WANTED))).toEqual([
      409,
      'limite_del_plan',
    ])
    await world.api('POST', '/clientes/bea/plan', { plan: null })
    await world.api('PATCH', '/sitios/bea.es', { php: null })
    expect(codeOf(await world.api('POST', '/sitios/bea.es/aplicacion', WANTED))).toEqual([
      409,
      'php_no_disponible',
    ])
    expect((await world.api('GET', '/bases?cliente=bea')).body.datos).toEqual([])
  })
})

/** Nothing of an installation is there: the site may have another one. */
async function expectNothing(cliente: string, domain: string, root: string): Promise<void> {
  expect(await world.show(domain)).toMatchObject({ aplicacion: null, estado: null })
  expect(readdirSync(root)).toEqual([])
  expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  await eventually(
    async () => (await world.api('GET', `/bases?cliente=${cliente}`)).body.datos.length === 0,
    'the end of its database',
  )
}

describe('an installation that does not come to its end leaves nothing', () => {
  const correo = 'leo@cliente.es'
  let root: string
  beforeAll(async () => {
    await world.api('POST', '/clientes', { cliente: 'leo', correo })
    root = await world.addSite('leo', 'leo.es')
  })

  test('where an archive is not what its checksum tells', async () => {
    world.shelf.add('6.9', true)
    const end = await world.installed('leo.es', { correo, idioma: 'es_ES' })
    expect(end).toMatchObject({ estado: 'fallida', resultado: { codigo: 'aplicacion_no_disponible' } })
    await expectNothing('leo', 'leo.es', root)
    rmSync(join(world.shelf.directory, 'wordpress-6.9-es_ES.tar.gz'))
    world.shelf.add(VERSION)
  })

  test('where its owner gives it up, and the next one is whole', async () => {
    const wanted = { ...WANTED, correo }
    const asked = await world.api('POST', '/sitios/leo.es/aplicacion', wanted)
    expect(codeOf(await world.api('POST', '/sitios/leo.es/aplicacion', wanted))).toEqual([409, 'ya_en_curso'])
    await world.api('DELETE', `/tareas/${asked.body.tarea.id}`)
    expect((await world.ended(asked.body.tarea.id)).estado).toBe('cancelada')
    await expectNothing('leo', 'leo.es', root)
    expect((await world.installed('leo.es', { correo })).estado).toBe('hecha')
    expect((await visitor(world.panel, 'leo.es')('/')).status).toBe(200)
  })

  test('and one that is tried again by hand touches no later one', async () => {
    const { datos } = (await world.api('GET', '/tareas?estado=fallida')).body
    const old = datos.find(({ objeto }: Json) => objeto.startsWith('leo.es '))
    await world.api('POST', `/tareas/${old.id}/reintentar`)
    expect((await world.ended(old.id)).estado).toBe('fallida')
    expect((await world.api('GET', '/bases?cliente=leo')).body.datos).toMatchObject([{ estado: 'activa' }])
    expect((await visitor(world.panel, 'leo.es')('/')).status).toBe(200)
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { partDirectory } from '../support/consistency.ts'
import { giveFile } from '../support/owned.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

let world: CopiesWorld
let copia: string
let login: string

const SETTINGS = {
  redirecciones: [{ de: '/viejo', a: 'https://otra.es/', codigo: 302 }],
  protegidas: [{ ruta: '/privado', usuario: 'ana' }],
  paginas_error: { 404: '/404.html' },
  indice: ['index.html'],
  php_ajustes: {
    ...{ memoria_bytes: 134_217_728, subida_bytes: 8_388_608, segundos: 30, max_input_vars: 2000 },
    mostrar_errores: true,
  },
}
const TASK = { cuando: '7 3 * * *', orden: ['php8.2', 'public/tarea.php'], activa: false }
const NOTHING = { redirecciones: [], protegidas: [], paginas_error: {}, indice: null, php_ajustes: null }

const site = async () => {
  const found = await world.done('GET', '/sitios/ana.es')
  return Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, found[key]]))
}
const tasks = async (): Promise<Json[]> =>
  (await world.done('GET', '/sitios/ana.es/programadas')).datos.map(({ cuando, orden, activa }: Json) => ({
    ...{ cuando, orden, activa },
  }))
async function visit(path: string, who?: string) {
  const headers = { host: 'ana.es', ...(who ? { authorization: `Basic ${btoa(who)}` } : {}) }
  const url = `http://127.0.0.1:${world.panel.httpPort}${path}`
  const answer = await fetch(url, { headers, redirect: 'manual', keepalive: false })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') }
}
const restored = (body: Json, from = copia) =>
  world.result(`/clientes/ana/copias/${from}/restaurar`, { modo: 'sustituir', ...body })

beforeAll(async () => {
  world = await startCopies()
  await world.putDestination({ tipo: 'carpeta', url: world.store, contrasena: PASSWORD })
  giveFile(join(world.folder, 'public'), 'privado.html', 'secreto')
  await world.done('PATCH', '/sitios/ana.es', {
    ...SETTINGS,
    protegidas: [{ ruta: '/privado.html', usuario: 'ana' }],
  })
  const asked = `/sitios/ana.es/protegidas/${encodeURIComponent('/privado.html')}/contrasena`
  const { body } = await world.panel.api('POST', asked, { bearer: world.admin.bearer })
  login = `${body.usuario}:${body.contrasena}`
  await world.done('POST', '/sitios/ana.es/programadas', TASK)
  copia = await world.copied()
}, 240_000)
afterAll(() => world?.stop())

async function forget(): Promise<void> {
  await world.done('PATCH', '/sitios/ana.es', NOTHING)
  const { datos } = await world.done('GET', '/sitios/ana.es/programadas')
  for (const { id } of datos) await world.done('DELETE', `/sitios/ana.es/programadas/${id}`)
}

async function expectBack(): Promise<void> {
  expect(await site()).toMatchObject({ ...SETTINGS, protegidas: [{ ruta: '/privado.html', usuario: 'ana' }] })
  expect(await tasks()).toEqual([TASK])
  expect((await visit('/privado.html')).status).toBe(401)
  expect((await visit('/privado.html', login)).text).toBe('secreto')
  expect((await visit('/viejo')).to).toBe('https://otra.es/')
}

test('a whole site gets what it was set to, its tasks too, and is never open meanwhile; that can be undone', async () => {
  await forget()
  rmSync(join(world.folder, 'public', 'privado.html'))
  await world.done('POST', '/sitios/ana.es/programadas', { ...TASK, cuando: '9 9 * * *' })
  const met = new Set<number>()
  let goesOn = true
  const asking = (async () => {
    while (goesOn) met.add((await visit('/privado.html')).status)
  })()
  const { deshacer, ajustes, omitidos } = await restored({ sitio: 'ana.es' })
  goesOn = false
  await asking
  expect([ajustes, omitidos, met.has(200)]).toEqual([true, undefined, false])
  await expectBack()
  await restored({ sitio: 'ana.es', parte: 'todo' }, deshacer)
  expect((await site()).redirecciones).toEqual([])
  expect((await tasks()).map(({ cuando }) => cuando)).toEqual(['9 9 * * *'])
}, 240_000)

test('the settings come back alone, and the files alone', async () => {
  await forget()
  giveFile(join(world.folder, 'public'), 'index.html', 'ahora')
  await restored({ sitio: 'ana.es', parte: 'ajustes' })
  await eventually(async () => (await visit('/viejo')).status === 302, 'the redirect')
  expect([(await visit('/')).text, await tasks()]).toEqual(['ahora', [TASK]])
  await forget()
  await restored({ sitio: 'ana.es', parte: 'archivos' })
  expect([(await visit('/')).text, await tasks()]).toEqual(['antes', []])
  expect((await site()).redirecciones).toEqual([])
  for (const body of [
    { sitio: 'ana.es', ruta: '/public', modo: 'sustituir', parte: 'ajustes' },
    { sitio: 'ana.es', modo: 'aparte', parte: 'todo' },
  ])
    expect((await world.call('POST', `/clientes/ana/copias/${copia}/restaurar`, body)).body).toMatchObject({
      codigo: 'datos_invalidos',
      campos: [{ campo: 'parte', codigo: 'valor_no_admitido' }],
    })
}, 240_000)

test.each([
  ['a site whose folder and names were lost', () => world.folder],
  ['a site whose client’s whole directory was lost', () => dirname(world.folder)],
])(
  '%s is served again at the end of one restore',
  async (_what, lost) => {
    const web = partDirectory(world.panel, 'web')
    await forget()
    rmSync(lost(), { recursive: true })
    for (const name of readdirSync(join(web, 'h')))
      if (/(?:^|\.)ana\.es$/.test(name)) unlinkSync(join(web, 'h', name))
    expect((await visit('/')).status).toBe(404)
    expect((await restored({ sitio: 'ana.es' })).deshacer).toBe(null)
    expect((await visit('/')).text).toBe('antes')
    await expectBack()
    // Nothing moves it away afterwards.
    await world.panel.command('cron', 'diferencias')
    await Bun.sleep(2_000)
    expect(readFileSync(join(world.folder, 'public', 'index.html'), 'utf8')).toBe('antes')
  },
  240_000,
)

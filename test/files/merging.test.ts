import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/wait.ts'
import { codeOf, type Site, startSite } from './site.ts'

setDefaultTimeout(60_000)

let panel: Site['panel']
let folder: Site['folder']
let put: Site['put']
let operate: Site['operate']
let names: Site['names']
let visited: Site['visited']
let staged: Site['staged']
let asClient: Site['asClient']

beforeAll(async () => {
  ;({ panel, folder, put, operate, names, visited, staged, asClient } = await startSite())
})
afterAll(() => panel.stop())

/** A folder below `public` with these files, all of which the web server answers. */
async function tree(root: string, files: Record<string, string>): Promise<void> {
  const wanted = new Set<string>([root])
  for (const name of Object.keys(files)) {
    const above = name.split('/').slice(0, -1)
    for (const index of above.keys()) wanted.add(`${root}/${above.slice(0, index + 1).join('/')}`)
  }
  for (const one of wanted) await operate({ operacion: 'carpeta', rutas: [one] })
  for (const [name, text] of Object.entries(files)) await put(`${root}/${name}`, text)
}

describe('what goes to where something is', () => {
  test('names what is in the way, at each depth, and changes nothing before that is answered', async () => {
    await tree('/public/m', { 'index.html': 'vieja', 'css/a.css': 'vieja a', 'css/propia.css': 'propia' })
    await tree('/public/m2', { 'index.html': 'nueva', 'css/a.css': 'nueva a', 'css/b.css': 'nueva b' })
    const both = {
      operacion: 'mover',
      rutas: ['/public/m2/index.html', '/public/m2/css'],
      destino: '/public/m',
    }
    const strict = await operate(both)
    expect(codeOf(strict)).toEqual([409, 'ya_existe'])
    expect(strict.body.existentes).toEqual([
      { ruta: '/public/m/index.html', sustituible: true },
      { ruta: '/public/m/css', sustituible: false },
    ])
    const asked = await operate({ ...both, si_existe: 'rechazar' })
    expect(codeOf(asked)).toEqual([409, 'ya_existe'])
    expect(asked.body.existentes_total).toBe(2)
    expect(asked.body.existentes).toEqual([
      { ruta: '/public/m/index.html', sustituible: true },
      { ruta: '/public/m/css/a.css', sustituible: true },
    ])
    expect(asked.body.detail).toContain('/public/m/index.html')
    expect([await names('/public/m2'), visited('/m/index.html')]).toEqual([['css', 'index.html'], 'vieja'])
    const answered = await operate({
      ...both,
      ...{ si_existe: 'rechazar', sustituir: ['/public/m/index.html'], omitir: ['/public/m/css/a.css'] },
    })
    expect(answered.status).toBe(200)
    expect([visited('/m/index.html'), visited('/m/css/a.css'), visited('/m/css/b.css')]).toEqual([
      ...['nueva', 'vieja a', 'nueva b'],
    ])
    expect(visited('/m/css/propia.css')).toBe('propia')
    // What was skipped stays where it was, and only that.
    expect([await names('/public/m2'), await names('/public/m2/css')]).toEqual([['css'], ['a.css']])
    expect(staged()).toEqual([])
  })

  test('is copied over it or left out, as was said for all', async () => {
    await tree('/public/c', { 'a.txt': 'a', 'd/b.txt': 'b' })
    await tree('/public/c2', { 'x/a.txt': 'otra' })
    await tree('/public/c2/x/d', { 'b.txt': 'otra' })
    const copy = { operacion: 'copiar', rutas: ['/public/c/a.txt', '/public/c/d'], destino: '/public/c2/x' }
    expect((await operate({ ...copy, si_existe: 'omitir' })).status).toBe(200)
    expect([visited('/c2/x/a.txt'), visited('/c2/x/d/b.txt')]).toEqual(['otra', 'otra'])
    expect((await operate({ ...copy, si_existe: 'sustituir' })).status).toBe(200)
    expect([visited('/c2/x/a.txt'), visited('/c2/x/d/b.txt')]).toEqual(['a', 'b'])
    expect([await names('/public/c'), staged()]).toEqual([['a.txt', 'd'], []])
  })

  test('never takes a folder for a file, nor itself for another', async () => {
    await tree('/public/t', { 'uno/dos': 'archivo' })
    await tree('/public/t2', { 'uno/dos/tres': 'dentro' })
    const move = {
      operacion: 'mover',
      rutas: ['/public/t/uno'],
      destino: '/public/t2',
      si_existe: 'sustituir',
    }
    const refused = await operate(move)
    expect(codeOf(refused)).toEqual([409, 'ya_existe'])
    expect(refused.body.existentes).toEqual([{ ruta: '/public/t2/uno/dos', sustituible: false }])
    const itself = {
      operacion: 'copiar',
      rutas: ['/public/t/uno'],
      destino: '/public/t',
      si_existe: 'sustituir',
    }
    expect((await operate(itself)).body.existentes).toEqual([{ ruta: '/public/t/uno', sustituible: false }])
    expect((await operate({ ...move, si_existe: 'omitir' })).status).toBe(200)
    expect([visited('/t/uno/dos'), visited('/t2/uno/dos/tres')]).toEqual(['archivo', 'dentro'])
  })

  test('replaces a link itself, and not what it leads to', async () => {
    await tree('/public/l', { 'meta.txt': 'meta' })
    await tree('/public/l2', { 'enlace.txt': 'archivo' })
    symlinkSync('meta.txt', join(folder, 'public/l/enlace.txt'))
    const move = { operacion: 'mover', rutas: ['/public/l2/enlace.txt'], destino: '/public/l' }
    expect((await operate({ ...move, si_existe: 'sustituir' })).status).toBe(200)
    expect(lstatSync(join(folder, 'public/l/enlace.txt')).isSymbolicLink()).toBe(false)
    expect([visited('/l/meta.txt'), visited('/l/enlace.txt')]).toEqual(['meta', 'archivo'])
  })

  test('is unpacked among what is there, all or nothing', async () => {
    await tree('/public/z', { 'index.html': 'del zip', 'img/a.txt': 'zip a', 'img/b.txt': 'zip b' })
    const pack = { operacion: 'comprimir', rutas: ['/public/z/index.html', '/public/z/img'] }
    expect((await operate({ ...pack, destino: '/public/z.zip' })).status).toBe(200)
    await tree('/public/sitio', { 'index.html': 'de antes', 'img/a.txt': 'antes a', 'img/c.txt': 'antes c' })
    const out = { operacion: 'extraer', rutas: ['/public/z.zip'], destino: '/public/sitio' }
    expect(codeOf(await operate(out))).toEqual([409, 'ya_existe'])
    const asked = await operate({ ...out, si_existe: 'rechazar' })
    expect(asked.body.existentes.map(({ ruta }: { ruta: string }) => ruta).sort()).toEqual([
      '/public/sitio/img/a.txt',
      '/public/sitio/index.html',
    ])
    expect([await names('/public/sitio/img'), staged()]).toEqual([['a.txt', 'c.txt'], []])
    const answer = { si_existe: 'omitir', sustituir: ['/public/sitio/index.html'] }
    expect((await operate({ ...out, ...answer })).status).toBe(200)
    expect([visited('/sitio/index.html'), visited('/sitio/img/a.txt')]).toEqual(['del zip', 'antes a'])
    expect(await names('/public/sitio/img')).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(staged()).toEqual([])
  })

  test('tells a hundred of it, and how much there is', async () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`${at}.txt`, '']))
    asClient(`foreach (['n', 'n2'] as $d) { mkdir($d); for ($i = 0; $i < 130; $i++) touch("$d/$i.txt"); }`)
    const move = { operacion: 'mover', rutas: Object.keys(many).map((name) => `/public/n/${name}`) }
    const { body } = await operate({ ...move, destino: '/public/n2', si_existe: 'rechazar' })
    expect([body.existentes.length, body.existentes_total]).toEqual([100, 130])
  })
})

test('a copy over what is there goes on after the panel was killed in the middle of it', async () => {
  const COUNT = 4000
  const made = (name: string, text: string) =>
    `mkdir('${name}'); for ($n = 0; $n < ${COUNT}; $n++) file_put_contents("${name}/$n", '${text}');`
  asClient(`mkdir('destino'); ${made('bulto', 'nuevo')}`)
  asClient(`mkdir('destino/bulto'); file_put_contents('destino/bulto/7', 'viejo');`)
  const copy = { operacion: 'copiar', rutas: ['/public/bulto'], destino: '/public/destino' }
  const asked = operate({ ...copy, si_existe: 'omitir' }).catch(() => null)
  await eventually(
    async () => existsSync(join(folder, 'public/destino/bulto/0')),
    'the first to be in its place',
    60_000,
  )
  await panel.kill()
  await asked
  await panel.up()
  await eventually(
    async () => filesIn('destino/bulto') === COUNT && staged().length === 0,
    'all of it',
    60_000,
  )
  expect(visited('/destino/bulto/7')).toBe('viejo')
}, 120_000)

const filesIn = (path: string) => readdirSync(join(folder, 'public', path)).length

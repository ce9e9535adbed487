import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/panel.ts'
import { codeOf, path, SITE, type Site, startSite } from './site.ts'

setDefaultTimeout(60_000)

let panel: Site['panel']
let token: Site['token']
let ana: Site['ana']
let bea: Site['bea']
let folder: Site['folder']
let put: Site['put']
let get: Site['get']
let list: Site['list']
let operate: Site['operate']
let names: Site['names']
let visited: Site['visited']
let staged: Site['staged']
let asClient: Site['asClient']

beforeAll(async () => {
  ;({ panel, token, ana, bea, folder, put, get, list, operate, names, visited, staged, asClient } =
    await startSite())
  await put('/public/hola.txt', 'hola\n')
})
afterAll(() => panel.stop())

describe('what a customer can put into its tree', () => {
  test('is shown and can be deleted whatever its name', async () => {
    asClient(
      String.raw`mkdir('raros'); foreach (["\xff\xfe", "\xee\xbf\xbf", "linea\nnueva", str_repeat('n', 255), ' ', '-rf', '%2e%2e', 'a\\b', "\u{1f600}"] as $n) file_put_contents("raros/$n", 'x');`,
    )
    const shown: string[] = await names('/public/raros')
    expect(shown).toHaveLength(9)
    expect(shown).toContain('linea\nnueva')
    expect(shown).toContain('\uefff\ueffe')
    for (const name of shown) expect([name, (await get(`/public/raros/${name}`)).body]).toEqual([name, 'x'])
    for (const name of shown) {
      const gone = await panel.api('DELETE', path(`/public/raros/${name}`), { bearer: token })
      expect([name, gone.status]).toEqual([name, 200])
    }
    expect(await names('/public/raros')).toEqual([])
    expect(codeOf(await put(`/public/${'n'.repeat(256)}`, 'x'))).toEqual([422, 'ruta_invalida'])
  })

  test('never leads out of the site, nor makes a read hang', async () => {
    asClient(
      `posix_mkfifo('tubo', 0644); foreach (['clave' => '/etc/passwd', 'raiz' => '/', 'arriba' => '../../..', 'vuelta' => 'vuelta',
        'vecina' => '/sitios/bea-sitio.es', 'bien' => 'hola.txt', 'colgado' => '/etc/nueva'] as $n => $to) symlink($to, $n);`,
    )
    const outside = [
      '/public/clave',
      '/public/raiz/etc/passwd',
      '/public/arriba/etc/passwd',
      '/public/vecina/x',
      '/public/tubo',
      '/public',
      '/.controlpanel/x',
    ]
    for (const ruta of outside) {
      const answer = await get(ruta)
      expect([ruta, answer.status]).toEqual([ruta, ruta.includes('vecina') ? 404 : 422])
    }
    for (const ruta of [
      '/public/clave',
      '/public/raiz/etc/x',
      '/public/colgado',
      '/public/tubo',
      '/public/arriba/x',
      '/x/../y',
      'x',
      '/a//b',
      '/a\0b',
      '',
    ]) {
      const answer = await put(ruta, 'x')
      expect([ruta, answer.status, answer.body.codigo]).toEqual([ruta, 422, 'ruta_invalida'])
    }
    expect((await get('/public/vuelta')).status).toBe(404)
    expect((await get('/public/bien')).body).toBe('hola\n')
    await put('/public/bien', 'adiós')
    expect((await get('/public/hola.txt')).body).toBe('adiós')
    const links = ['clave', 'raiz', 'arriba', 'vuelta', 'vecina', 'bien', 'colgado', 'tubo']
    expect((await operate({ operacion: 'borrar', rutas: links.map((one) => `/public/${one}`) })).status).toBe(
      200,
    )
    expect(staged()).toEqual([])
  })

  test('is told in pages that neither repeat nor leave out a name', async () => {
    asClient("mkdir('muchos'); for ($n = 0; $n < 3000; $n++) touch(sprintf('muchos/f%05d', $n));")
    const seen: string[] = []
    for (let desde: string | null = ''; desde !== null; ) {
      const { body } = await list(
        '/public/muchos',
        `&limite=200${desde && `&desde=${encodeURIComponent(desde)}`}`,
      )
      seen.push(...body.datos.map(({ nombre }: Json) => nombre))
      desde = body.siguiente
    }
    expect([seen.length, new Set(seen).size, seen[2999]]).toEqual([3000, 3000, 'f02999'])
  })

  test('is not touched by another customer, whose answers are those of no site at all', async () => {
    const bearer = bea.bearer
    const other = (method: string, more: string, call = {}) =>
      panel.api(method, `/sitios/${SITE}/archivos${more}`, { bearer, ...call })
    for (const answer of [
      await other('GET', '?ruta=/'),
      await other('GET', '/contenido?ruta=/public/hola.txt'),
      await other('GET', '/zip?ruta=/public'),
      await other('PUT', '/contenido?ruta=/public/hola.txt', { raw: 'x' }),
      await other('DELETE', '/contenido?ruta=/public/hola.txt'),
      await other('POST', '/operaciones', { body: { operacion: 'borrar', rutas: ['/public'] } }),
    ])
      expect(codeOf(answer)).toEqual([404, 'sitio_no_existe'])
    expect((await list('/', '', ana.bearer)).body.datos.map(({ nombre }: Json) => nombre)).toEqual([
      'public',
      'registros',
    ])
    expect((await put('/public/suyo.txt', 'x', {}, ana.bearer)).status).toBe(201)
  })
})

describe('a search', () => {
  const search = async (nombre: string, ruta = '/', bearer = token) =>
    panel.api(
      'GET',
      `/sitios/${SITE}/archivos/buscar?nombre=${encodeURIComponent(nombre)}&ruta=${encodeURIComponent(ruta)}`,
      { bearer },
    )
  const found = async (nombre: string, ruta?: string) =>
    (await search(nombre, ruta)).body.datos.map((one: Json) => one.ruta)

  test('finds names in either case below a folder, the nearest first, and follows no link', async () => {
    asClient("mkdir('busca/a/Canción b', 0750, true);")
    await put('/public/busca/a/Canción b/CANCIÓN.txt', 'a')
    await put('/public/busca/canción.txt', 'ab')
    asClient("symlink('/sitios/ana-sitio.es/public/busca', 'busca/a/vuelta');")
    const { body } = await search('canción', '/public/busca')
    expect(body.completo).toBe(true)
    expect(body.datos[0]).toMatchObject({ ruta: '/public/busca/canción.txt', tipo: 'archivo', bytes: 2 })
    expect(body.datos.map(({ ruta }: Json) => ruta).slice(1)).toEqual([
      '/public/busca/a/Canción b',
      '/public/busca/a/Canción b/CANCIÓN.txt',
    ])
    expect(await found('vuelta')).toEqual(['/public/busca/a/vuelta'])
    expect(await found('vuelta', '/public/busca/a/Canción b')).toEqual([])
  })

  test('ends at its bounds and says so, and sees neither the staging folder nor what it may not', async () => {
    asClient("mkdir('hondo'); $p = 'hondo'; for ($n = 0; $n < 40; $n++) mkdir($p .= '/nivel');")
    const deep = (await search('nivel')).body
    expect([deep.datos.length < 40, deep.completo]).toEqual([true, false])
    asClient("for ($n = 0; $n < 300; $n++) touch(sprintf('hondo/tope%03d', $n));")
    const many = (await search('tope')).body
    expect([many.datos.length, many.completo]).toEqual([200, false])
    asClient("mkdir('cerrado'); touch('cerrado/escondido'); chmod('cerrado', 0);")
    expect((await search('escondido')).body).toEqual({ datos: [], completo: false })
    asClient("chmod('cerrado', 0700);")
    expect(await found('.controlpanel')).toEqual([])
    expect(codeOf(await search('x', '/public/no'))).toEqual([404, 'archivo_no_existe'])
    expect(codeOf(await search('x', '/.controlpanel'))).toEqual([422, 'ruta_invalida'])
    expect(codeOf(await search(''))).toEqual([422, 'datos_invalidos'])
    expect(codeOf(await search('x', '/', bea.bearer))).toEqual([404, 'sitio_no_existe'])
  })
})

describe('the bin', () => {
  const bin = async (bearer = token) => {
    const address = `/sitios/${SITE}/archivos/papelera?limite=2`
    const all: Json[] = []
    for (let desde = ''; ; ) {
      const answer = await panel.api('GET', address + desde, { bearer })
      expect(answer.status).toBe(200)
      all.push(...answer.body.datos)
      if (answer.body.siguiente === null) return all
      desde = `&desde=${answer.body.siguiente}`
    }
  }
  const discard = async (...rutas: string[]) =>
    expect((await operate({ operacion: 'papelera', rutas })).status).toBe(200)
  const ids = async () => (await bin()).map(({ id }) => id)

  test('holds what was deleted until it is restored to where it was, with the folders that have gone', async () => {
    await operate({ operacion: 'carpeta', rutas: ['/public/cubo', '/public/cubo/dentro'] })
    await put('/public/cubo/dentro/a.php', 'a')
    await put('/public/cubo/b.txt', 'bb')
    await discard('/public/cubo/dentro', '/public/cubo/dentro/a.php')
    await discard('/public/cubo/b.txt')
    await discard('/public/cubo')
    expect((await bin()).map(({ ruta, tipo, bytes }) => [ruta, tipo, tipo === 'archivo' && bytes])).toEqual([
      ['/public/cubo', 'carpeta', false],
      ['/public/cubo/b.txt', 'archivo', 2],
      ['/public/cubo/dentro', 'carpeta', false],
    ])
    const [first] = await bin()
    expect(Date.parse(first.caduca) - Date.parse(first.borrado)).toBe(7 * 86_400_000)
    // It is the client's own, and counts for it; the web server cannot read it.
    const { uid, mode } = statSync(join(folder, '.controlpanel/papelera'))
    expect([uid, mode & 0o7777]).toEqual([statSync(join(folder, 'public')).uid, 0o700])
    const [, file, inside] = await ids()
    const both = { operacion: 'restaurar', borrados: [file, inside] }
    expect((await operate(both)).body).toEqual({ operacion: 'restaurar', rutas: [], destino: null })
    expect((await get('/public/cubo/dentro/a.php')).body).toBe('a')
    expect(visited('/cubo/b.txt')).toBe('bb')
    expect(codeOf(await operate(both))).toEqual([409, 'archivo_no_existe'])
  })

  test('brings nothing back over what is there, and to another place on request', async () => {
    const [id] = await ids()
    const restore = (destino?: string) =>
      operate({ operacion: 'restaurar', borrados: [id], ...(destino ? { destino } : {}) })
    expect(codeOf(await restore())).toEqual([409, 'ya_existe'])
    expect(codeOf(await restore('/public/cubo/b.txt/c'))).toEqual([409, 'ya_existe'])
    expect(codeOf(await restore('/.controlpanel/x'))).toEqual([422, 'ruta_invalida'])
    expect(codeOf(await restore('/nueva/x'))).toEqual([403, 'prohibido'])
    expect(await ids()).toEqual([id])
    expect((await restore('/public/otro/cubo')).status).toBe(200)
    expect([await names('/public/otro'), staged()]).toEqual([['cubo'], []])
    // A note is the client's own: what it names is checked like what is asked for.
    await discard('/public/otro/cubo')
    asClient(
      "foreach (glob('../.controlpanel/papelera/*/note.json') as $f) file_put_contents($f, json_encode(['path' => '/../../x']));",
    )
    const [changed] = await ids()
    expect(codeOf(await operate({ operacion: 'restaurar', borrados: [changed] }))).toEqual([
      422,
      'ruta_invalida',
    ])
  })

  test('is emptied in part, as a whole, and of what is older than a week', async () => {
    for (const name of ['a', 'b', 'c']) {
      await put(`/public/${name}.tmp`, name)
      await discard(`/public/${name}.tmp`)
    }
    const [newest] = await bin()
    expect(newest.ruta).toBe('/public/c.tmp')
    expect((await operate({ operacion: 'vaciar', borrados: [newest.id] })).status).toBe(200)
    expect((await bin()).map(({ ruta }) => ruta).slice(0, 2)).toEqual(['/public/b.tmp', '/public/a.tmp'])
    expect(codeOf(await operate({ operacion: 'vaciar', borrados: [newest.id] }))).toEqual([
      409,
      'archivo_no_existe',
    ])
    expect((await operate({ operacion: 'vaciar' })).status).toBe(200)
    expect([await bin(), staged()]).toEqual([[], []])
    expect((await operate({ operacion: 'vaciar' })).status).toBe(200)
    await put('/public/d.tmp', 'd')
    await discard('/public/d.tmp')
    await panel.setClock(6 * 86_400)
    await panel.command('cron', 'archivos')
    expect(await ids()).toHaveLength(1)
    await panel.setClock(7 * 86_400 + 60)
    expect((await panel.command('cron', 'archivos')).lines[0].resultado).toEqual({ restos: 1 })
    await panel.setClock(0)
    expect([await ids(), staged()]).toEqual([[], []])
  })

  test('of another customer is that of no site', async () => {
    const bearer = bea.bearer
    expect(codeOf(await panel.api('GET', `/sitios/${SITE}/archivos/papelera`, { bearer }))).toEqual([
      404,
      'sitio_no_existe',
    ])
  })
})

import { afterAll, beforeAll, describe, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultHttpStack, Upload } from 'tus-js-client'
import { newCustomer, ROOMY } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let ana: SignedIn
let bea: SignedIn
/** The folder of Ana's site on the disk. */
let folder: string

const SITE = 'ana-sitio.es'
const path = (ruta: string, site = SITE) =>
  `/sitios/${site}/archivos/contenido?ruta=${encodeURIComponent(ruta)}`
const put = (ruta: string, raw: string | Uint8Array, headers: Record<string, string> = {}, bearer = token) =>
  panel.api('PUT', path(ruta), { bearer, raw, headers })
const get = (ruta: string, headers: Record<string, string> = {}) =>
  panel.api('GET', path(ruta), { bearer: token, headers })
const list = (ruta: string, more = '', bearer = token) =>
  panel.api('GET', `/sitios/${SITE}/archivos?ruta=${encodeURIComponent(ruta)}${more}`, { bearer })
const codeOf = ({ status, body }: Answer) => [status, body.codigo]
/** What the web server answers to a visitor. */
const visited = (route: string) =>
  spawnSync('curl', [
    '-sS',
    '-H',
    `Host: ${SITE}`,
    `http://127.0.0.1:${panel.httpPort}${route}`,
  ]).stdout.toString()
const staged = () => readdirSync(join(folder, '.controlpanel'))

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await newCustomer(panel, token, 'ana')
  bea = await newCustomer(panel, token, 'bea')
  for (const cliente of ['ana', 'bea']) {
    const body = { cliente, domain: `${cliente}-sitio.es` }
    expect((await panel.api('POST', '/sitios', { bearer: token, body })).status).toBe(201)
  }
  const site = await panel.api('GET', `/sitios/${SITE}`, { bearer: token })
  folder = join(site.body.raiz, '..')
})
afterAll(() => panel.stop())

describe('a file', () => {
  test('that was written is served, listed and read', async () => {
    const made = await put('/public/hola.txt', 'hola\n')
    expect([made.status, made.body]).toEqual([201, { ruta: '/public/hola.txt' }])
    expect(visited('/hola.txt')).toBe('hola\n')
    const { body } = await list('/public')
    expect(body).toEqual({
      datos: [
        {
          nombre: 'hola.txt',
          tipo: 'archivo',
          bytes: 5,
          modificado: expect.stringMatching(/Z$/),
          permisos: '0640',
        },
      ],
      siguiente: null,
    })
    const read = await get('/public/hola.txt')
    expect([read.status, read.body]).toEqual([200, 'hola\n'])
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(read.headers.get('content-type')).toBe('application/octet-stream')
    expect(staged()).toEqual([])
    const owner = statSync(join(folder, 'public/hola.txt')).uid
    expect([owner > 0, owner]).toEqual([true, statSync(join(folder, 'public')).uid])
  })

  test('is told in part, and as unchanged to who has it', async () => {
    await put('/public/cifras.txt', '0123456789')
    const etag = (await get('/public/cifras.txt')).headers.get('etag') ?? ''
    const part = await get('/public/cifras.txt', { range: 'bytes=2-4' })
    expect([part.status, part.body, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
    expect((await get('/public/cifras.txt', { range: 'bytes=-3' })).body).toBe('789')
    expect((await get('/public/cifras.txt', { range: 'bytes=7-' })).body).toBe('789')
    expect(codeOf(await get('/public/cifras.txt', { range: 'bytes=10-' }))).toEqual([416, 'rango_invalido'])
    expect((await get('/public/cifras.txt', { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200)
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag }
    const same = await panel.fetch(`/api${path('/public/cifras.txt')}`, { headers })
    expect([same.status, await same.text()]).toEqual([304, ''])
    const head = await panel.fetch(`/api${path('/public/cifras.txt')}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      '10',
      etag,
    ])
  })

  test('that changed meanwhile is not overwritten or deleted by a request with its old ETag', async () => {
    const first = (await put('/public/pagina.html', 'uno')).headers.get('etag') ?? ''
    expect((await put('/public/pagina.html', 'dos', { 'if-match': first })).status).toBe(200)
    expect(codeOf(await put('/public/pagina.html', 'tres', { 'if-match': first }))).toEqual([
      412,
      'version_distinta',
    ])
    expect(codeOf(await put('/public/pagina.html', 'tres', { 'if-none-match': '*' }))).toEqual([
      412,
      'version_distinta',
    ])
    const bearer = token
    const stale = { bearer, headers: { 'if-match': first } }
    expect(codeOf(await panel.api('DELETE', path('/public/pagina.html'), stale))).toEqual([
      412,
      'version_distinta',
    ])
    expect((await get('/public/pagina.html')).body).toBe('dos')
    expect((await panel.api('DELETE', path('/public/pagina.html'), { bearer })).status).toBe(200)
    expect(codeOf(await get('/public/pagina.html'))).toEqual([404, 'archivo_no_existe'])
    expect(codeOf(await put('/public/pagina.html', 'x', { 'if-match': '*' }))).toEqual([
      412,
      'version_distinta',
    ])
    expect((await put('/public/pagina.html', 'x', { 'if-none-match': '*' })).status).toBe(201)
    expect(staged()).toEqual([])
  })

  test('keeps its permissions when it gets another content', async () => {
    await put('/public/cerrado.txt', 'a')
    spawnSync('chmod', ['0600', join(folder, 'public/cerrado.txt')])
    await put('/public/cerrado.txt', 'b')
    expect(
      (await list('/public')).body.datos.find(({ nombre }: Json) => nombre === 'cerrado.txt').permisos,
    ).toBe('0600')
  })

  test('of 512 MiB comes and goes without the panel growing by half of it', async () => {
    const before = memory()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, memory())
    }, 20)
    const target = `https://localhost:${panel.port}/api${path('/public/grande.bin')}`
    onTestFinished(() => clearInterval(watch))
    const curl = ['-sS', '--cacert', panel.certPath, '-H', `Authorization: Bearer ${token}`]
    const size = 512 * 1024 * 1024
    const whole = join(panel.dataDir, 'whole')
    writeFileSync(whole, crypto.getRandomValues(Buffer.alloc(65536)))
    spawnSync('/usr/bin/truncate', ['-s', String(size), whole])
    const up = Bun.spawn(['curl', ...curl, '-T', whole, '-o', '/dev/null', '-w', '%{http_code}', target])
    expect(await new Response(up.stdout).text()).toBe('201')
    const down = Bun.spawn(['curl', ...curl, '-o', `${whole}.back`, '-w', '%{http_code}', target])
    expect(await new Response(down.stdout).text()).toBe('200')

    expect(spawnSync('cmp', [whole, `${whole}.back`]).status).toBe(0)
    expect(most - before).toBeLessThan(size / 2)
  })
})

const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${panel.pid}/status`, 'utf8'))?.[1]) * 1024

const operate = (body: object, bearer = token) =>
  panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, { bearer, body })
const names = async (ruta: string) => (await list(ruta)).body.datos.map(({ nombre }: Json) => nombre)
/** Runs PHP as the client in its document root, as its programs would. */
function asClient(code: string) {
  const { uid, gid } = statSync(join(folder, 'public'))
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', 'php8.2', '-r', code]
  const done = spawnSync('/usr/bin/setpriv', user, { cwd: join(folder, 'public') })
  expect([done.stdout.toString(), done.stderr.toString(), done.status]).toEqual(['', '', 0])
}

type Member = { name: string; type?: string; link?: string; data?: string }

/** A member of a tar file (POSIX ustar). */
function member({ name, type = '0', link = '', data = '' }: Member): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(
    `0000644\0${'0000000\0'.repeat(2)}${data.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        `,
    100,
  )
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\x0000', 257)
  header.write('0000001\x000000003\0', 329)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, Buffer.from(data), Buffer.alloc((512 - (data.length % 512)) % 512)])
}

const archive = (...members: Buffer[]) => Bun.gzipSync(Buffer.concat([...members, Buffer.alloc(1024)]))

describe('an operation', () => {
  test('makes, moves, copies and deletes folders with all that is in them', async () => {
    const lost = { operacion: 'carpeta', rutas: ['/public/op/en/medio'] }
    expect(codeOf(await operate(lost))).toEqual([409, 'archivo_no_existe'])
    const wanted = { operacion: 'carpeta', rutas: ['/public/op', '/public/op/dentro'] }
    expect((await operate(wanted)).body).toEqual({ ...wanted, destino: null })
    expect(codeOf(await operate(wanted))).toEqual([409, 'ya_existe'])
    // All of them or none.
    for (const rutas of [
      ['/public/op/uno', '/public/op/uno'],
      ['/public/op/uno', '/public/op'],
      ['/public/op/uno', '/public/op/no/hay'],
    ])
      expect((await operate({ operacion: 'carpeta', rutas })).status).toBe(409)
    expect(await names('/public/op')).toEqual(['dentro'])
    await put('/public/op/dentro/a.txt', 'a')
    const copied = await operate({
      operacion: 'copiar',
      rutas: ['/public/op/dentro'],
      destino: '/public/op/otro',
    })
    expect([copied.status, copied.body.destino]).toEqual([200, '/public/op/otro'])
    expect(visited('/op/otro/a.txt')).toBe('a')
    await operate({ operacion: 'carpeta', rutas: ['/public/op/en'] })
    const moved = {
      operacion: 'mover',
      rutas: ['/public/op/otro', '/public/op/dentro'],
      destino: '/public/op/en',
    }
    expect((await operate(moved)).status).toBe(200)
    expect(await names('/public/op')).toEqual(['en'])
    expect(await names('/public/op/en')).toEqual(['dentro', 'otro'])
    expect(codeOf(await operate(moved))).toEqual([409, 'archivo_no_existe'])
    expect((await operate({ operacion: 'borrar', rutas: ['/public/op'] })).status).toBe(200)
    expect(codeOf(await list('/public/op'))).toEqual([404, 'archivo_no_existe'])
    expect(staged()).toEqual([])
  })

  test('that cannot be done changes nothing', async () => {
    for (const name of ['uno', 'dos']) await put(`/public/${name}.txt`, name)
    const both = ['/public/uno.txt', '/public/dos.txt']
    const refused: [object, [number, string]][] = [
      [{ operacion: 'mover', rutas: ['/public/uno.txt'], destino: '/public/dos.txt' }, [409, 'ya_existe']],
      [{ operacion: 'copiar', rutas: [...both, '/public/nada'], destino: '/public' }, [409, 'ya_existe']],
      [{ operacion: 'mover', rutas: both, destino: '/public/nada' }, [422, 'ruta_invalida']],
      [{ operacion: 'mover', rutas: ['/public/../etc'], destino: '/public/x' }, [422, 'ruta_invalida']],
      [{ operacion: 'borrar', rutas: [...both, '/public/nada'] }, [409, 'archivo_no_existe']],
      [{ operacion: 'borrar', rutas: ['/'] }, [422, 'ruta_invalida']],
      [{ operacion: 'borrar', rutas: ['/.controlpanel'] }, [422, 'ruta_invalida']],
      [{ operacion: 'permisos', rutas: both, permisos: '4755' }, [422, 'datos_invalidos']],
      [
        { operacion: 'permisos', rutas: [...both, '/public/nada'], permisos: '0600' },
        [409, 'archivo_no_existe'],
      ],
      [{ operacion: 'comprimir', rutas: both, destino: '/public/x.rar' }, [422, 'ruta_invalida']],
      [{ operacion: 'carpeta', rutas: ['/nueva'] }, [403, 'prohibido']],
    ]
    for (const [body, expected] of refused)
      expect([body, codeOf(await operate(body))]).toEqual([body, expected])
    expect((await names('/public')).filter((name: string) => /^(uno|dos|nada|x)/.test(name))).toEqual([
      'dos.txt',
      'uno.txt',
    ])
    expect(staged()).toEqual([])
  })

  test('leaves nothing of its paths in the database once it is over, and is not tried again', async () => {
    const rutas = Array.from({ length: 500 }, (_, at) => `/public/nada-${at}-${'x'.repeat(200)}`)
    expect(codeOf(await operate({ operacion: 'borrar', rutas }))).toEqual([409, 'archivo_no_existe'])
    await put('/public/olvidada.txt', 'x')
    expect((await operate({ operacion: 'borrar', rutas: ['/public/olvidada.txt'] })).status).toBe(200)
    const kept = rows<{ id: string; state: string; bytes: number }>(
      panel,
      "select id, state, length(payload) as bytes from jobs where kind = 'archivos.operar' order by id desc",
    )
    expect(kept.slice(0, 2).map(({ state }) => state)).toEqual(['hecha', 'fallida'])
    expect(kept.filter(({ bytes }) => bytes > 2)).toEqual([])
    const again = await panel.api('POST', `/tareas/${kept[1]?.id}/reintentar`, { bearer: token })
    expect(codeOf(again)).toEqual([409, 'tarea_no_fallida'])
    // Nobody has to look after a refusal: it goes like what was done.
    await panel.setClock(14 * 86_400 + 60)
    await panel.command('cron', 'caducidad')
    await panel.setClock(0)
    expect(rows(panel, "select id from jobs where kind = 'archivos.operar'")).toEqual([])
  })

  test('waits with fifty others of its client at the most', async () => {
    const own = rows<{ id: number }>(
      panel,
      "select client_id as id from sites where domain = 'ana-sitio.es'",
    )[0]?.id
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)'
    const columns = '(id, kind, node, subject, target, payload, state, next_at, created_at)'
    const made = `insert into jobs ${columns} select 'job_w' || i, 'archivos.operar', 'nodo1', ?, i, '{}', 'pendiente', ?, ? from n`
    const now = Date.now()
    plant(panel, `${many} ${made}`, `archivos:${own}`, now + 600_000, now)
    const one = { operacion: 'carpeta', rutas: ['/public/espera'] }
    expect(codeOf(await operate(one))).toEqual([429, 'espera'])
    const others = await panel.api('POST', '/sitios/bea-sitio.es/archivos/operaciones', {
      bearer: token,
      body: one,
    })
    expect(others.status).toBe(200)
    plant(panel, "delete from jobs where id = 'job_w50'")
    expect((await operate(one)).status).toBe(200)
    plant(panel, "delete from jobs where id like 'job_w%'")
  })

  test('gives permissions, and never a set-id bit', async () => {
    await put('/public/modo.txt', 'x')
    expect(
      (await operate({ operacion: 'permisos', rutas: ['/public/modo.txt'], permisos: '0604' })).status,
    ).toBe(200)
    expect(statSync(join(folder, 'public/modo.txt')).mode & 0o7777).toBe(0o604)
  })
})

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

describe('an archive', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(5000))

  test('of each kind holds what was packed, and the web server reads what comes out of it', async () => {
    await operate({ operacion: 'carpeta', rutas: ['/public/caja'] })
    await put('/public/caja/-x.bin', bytes)
    await put('/public/caja/@ñ\n.txt', 'texto')
    for (const kind of ['zip', 'tar.gz', 'tar.zst']) {
      const packed = await operate({
        operacion: 'comprimir',
        rutas: ['/public/caja'],
        destino: `/public/c.${kind}`,
      })
      expect([kind, packed.status]).toEqual([kind, 200])
      const out = await operate({
        operacion: 'extraer',
        rutas: [`/public/c.${kind}`],
        destino: `/public/de-${kind}`,
      })
      expect([kind, out.status]).toEqual([kind, 200])
      expect(await names(`/public/de-${kind}/caja`)).toEqual(['-x.bin', '@ñ\n.txt'])
      expect(visited(`/de-${kind}/caja/@%C3%B1%0A.txt`)).toBe('texto')
    }
    const zip = await panel.fetch(`/api/sitios/${SITE}/archivos/zip?ruta=/public/caja`, {
      headers: { authorization: `Bearer ${token}` },
    })
    writeFileSync(join(panel.dataDir, 'caja.zip'), new Uint8Array(await zip.arrayBuffer()))
    // Names in the archive are UTF-8, which bsdtar tells in that locale alone.
    const reading = { env: { LC_ALL: 'C.UTF-8' } }
    const zipPath = join(panel.dataDir, 'caja.zip')
    const listed = spawnSync('/usr/bin/bsdtar', ['-tf', zipPath], reading).stdout.toString()
    expect(listed.split('\n').filter(Boolean).sort()).toEqual([
      './caja/',
      './caja/-x.bin',
      './caja/@ñ\\n.txt',
    ])
    expect(
      codeOf(await operate({ operacion: 'extraer', rutas: ['/public/c.zip'], destino: '/public/caja' })),
    ).toEqual([409, 'ya_existe'])
    expect(staged()).toEqual([])
  })

  test('that leads out of its folder, holds devices or too many entries is refused and leaves nothing', async () => {
    const archives = {
      'punto.tgz': archive(member({ name: '../fuera.txt', data: 'x' })),
      'enlace.tgz': archive(
        member({ name: 'l', type: '2', link: '/sitios' }),
        member({ name: 'l/fuera.txt', data: 'x' }),
      ),
      'aparato.tgz': archive(member({ name: 'nulo', type: '3' })),
      'muchos.tgz': archive(...Array.from({ length: 200_001 }, () => member({ name: 'a' }))),
    }
    for (const [name, content] of Object.entries(archives)) await put(`/public/${name}`, content)
    await put('/public/roto.zip', 'no es nada')
    for (const name of Object.keys(archives)) {
      const answer = await operate({
        operacion: 'extraer',
        rutas: [`/public/${name}`],
        destino: '/public/sale',
      })
      expect([name, ...codeOf(answer)]).toEqual([name, 422, 'archivo_peligroso'])
    }
    const broken = { operacion: 'extraer', rutas: ['/public/roto.zip'], destino: '/public/sale' }
    expect(codeOf(await operate(broken))).toEqual([422, 'ruta_invalida'])
    expect((await names('/public')).filter((name: string) => /sale|fuera/.test(name))).toEqual([])
    expect(staged()).toEqual([])
  })
})

describe('an upload in parts', () => {
  const content = crypto.getRandomValues(Buffer.alloc(3 * 1024 * 1024))
  const headersOf = (ruta: string, length: number, more = '') => ({
    'tus-resumable': '1.0.0',
    'upload-length': String(length),
    'upload-metadata': `ruta ${Buffer.from(ruta).toString('base64')}${more}`,
  })
  const begin = (ruta: string, length: number, more = '', bearer = token) =>
    panel.api('POST', `/sitios/${SITE}/subidas`, { bearer, headers: headersOf(ruta, length, more) })
  const add = (address: string, offset: number, raw: Uint8Array) =>
    panel.request('PATCH', address, {
      bearer: token,
      raw,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
    })
  const reached = async (address: string) => {
    const answer = await panel.fetch(address, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    return [answer.status, answer.headers.get('upload-offset'), answer.headers.get('upload-length')]
  }

  test('appears in one step when all of it has come, also after the panel was killed in between', async () => {
    const made = await begin('/public/video.bin', content.length)
    const address = made.headers.get('location') ?? ''
    expect([made.status, made.headers.get('tus-resumable')]).toEqual([201, '1.0.0'])
    expect((await add(address, 0, content.subarray(0, 1_000_000))).headers.get('upload-offset')).toBe(
      '1000000',
    )
    await panel.kill()
    await panel.up()
    expect(await reached(address)).toEqual([200, '1000000', String(content.length)])
    expect(codeOf(await add(address, 0, content))).toEqual([409, 'desplazamiento_distinto'])
    expect((await get('/public/video.bin')).status).toBe(404)
    expect((await add(address, 1_000_000, content.subarray(1_000_000))).status).toBe(204)
    expect(Buffer.compare(readFileSync(join(folder, 'public/video.bin')), content)).toBe(0)
    expect((await reached(address))[0]).toBe(404)
    expect(staged()).toEqual([])
  })

  test('goes up and on with a client of others, whose connection breaks', async () => {
    let aborted = false
    const tried = (resume: string | null) =>
      new Promise<string>((resolve, reject) => {
        const upload = new Upload(Buffer.from(content), {
          endpoint: `${panel.origin}/api/sitios/${SITE}/subidas`,
          ...(resume ? { uploadUrl: resume } : {}),
          chunkSize: 500_000,
          httpStack: new DefaultHttpStack({ ca: panel.ca }),
          metadata: { ruta: '/public/ñandú.bin' },
          headers: { authorization: `Bearer ${token}` },
          onChunkComplete(_size, accepted) {
            if (resume || accepted < 1_000_000 || aborted) return
            aborted = true
            void upload.abort().then(() => resolve(upload.url ?? ''))
          },
          onSuccess: () => resolve('done'),
          onError: reject,
        })
        upload.start()
      })
    const address = await tried(null)
    expect(address).toStartWith(panel.origin)
    expect(await tried(address)).toBe('done')
    expect(Buffer.compare(readFileSync(join(folder, 'public/ñandú.bin')), content)).toBe(0)
  })

  test('takes the place of a file only when that was asked for, and nothing that is refused is left', async () => {
    await put('/public/ya.txt', 'ya')
    expect(codeOf(await begin('/public/ya.txt', 3))).toEqual([409, 'ya_existe'])
    expect(codeOf(await begin('/public/../x', 3))).toEqual([422, 'ruta_invalida'])
    expect(codeOf(await begin('/public/nada/x', 3))).toEqual([409, 'archivo_no_existe'])
    expect(staged()).toEqual([])
    const made = await begin('/public/ya.txt', 3, `,sustituir ${Buffer.from('si').toString('base64')}`)
    await add(made.headers.get('location') ?? '', 0, Buffer.from('sí'))
    expect((await get('/public/ya.txt')).body).toBe('sí')
    expect((await begin('/public/vacío.txt', 0)).status).toBe(201)
    expect((await get('/public/vacío.txt')).body).toBe('')
    const dropped = (await begin('/public/otra.txt', 9)).headers.get('location') ?? ''
    expect((await panel.request('DELETE', dropped, { bearer: token })).status).toBe(204)
    expect(staged()).toEqual([])
  })

  test('that nobody continues is removed after a day', async () => {
    const made = await begin('/public/tarde.txt', 9)
    expect((await panel.command('cron', 'archivos')).lines[0].resultado).toEqual({ restos: 0 })
    await panel.setClock(86_400 + 60)
    expect((await panel.command('cron', 'archivos')).lines[0].resultado).toEqual({ restos: 2 })
    await panel.setClock(0)
    expect((await reached(made.headers.get('location') ?? ''))[0]).toBe(404)
    expect(staged()).toEqual([])
  })

  test('is removed from the other sites where what a client keeps in one cannot be', async () => {
    asClient("mkdir('../.controlpanel/a/b', 0700, true); touch('../.controlpanel/a/b/x');")
    asClient("chmod('../.controlpanel/a/b', 0);")
    const headers = headersOf('/public/tarde.txt', 9)
    const made = await panel.api('POST', '/sitios/bea-sitio.es/subidas', { bearer: token, headers })
    expect(made.status).toBe(201)
    const site = await panel.api('GET', '/sitios/bea-sitio.es', { bearer: token })
    const staging = join(site.body.raiz, '../.controlpanel')
    expect(readdirSync(staging)).toHaveLength(2)
    await panel.setClock(86_400 + 60)
    const swept = await panel.command('cron', 'archivos')
    await panel.setClock(0)
    expect(swept.status).toBe(1)
    expect(swept.error).toContain(`leftovers of uploads could not be removed from ${SITE}: Not allowed`)
    expect([readdirSync(staging), staged()]).toEqual([[], ['a']])
    asClient("chmod('../.controlpanel/a/b', 0700); unlink('../.controlpanel/a/b/x');")
    asClient("rmdir('../.controlpanel/a/b'); rmdir('../.controlpanel/a');")
  })
})

describe('a client whose plan has no room for it', () => {
  test('is refused a file with 507, whether its length was told or not, and nothing of it is left', async () => {
    // The cron may count in any minute what the tests before have left.
    await panel.command('cron', 'uso')
    const { consumo } = (await panel.api('GET', '/clientes/ana/uso', { bearer: token })).body
    const body = { plan: 'justo', disco_bytes: consumo.disco_bytes.usado + 1_000_000 }
    await panel.api('POST', '/planes', { bearer: token, body })
    await panel.api('POST', '/clientes/ana/plan', { bearer: token, body: { plan: 'justo' } })
    const large = Buffer.alloc(2_000_000, 'x')
    expect(codeOf(await put('/public/grande.txt', large))).toEqual([507, 'sin_espacio'])
    const untold = await panel.fetch(`/api${path('/public/grande.txt')}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: new Blob([large]).stream(),
    })
    expect([untold.status, (await untold.json()).codigo]).toEqual([507, 'sin_espacio'])
    expect((await get('/public/grande.txt')).status).toBe(404)
    expect(staged()).toEqual([])
    expect((await put('/public/cabe.txt', 'x')).status).toBe(201)
    const without = { plan: 'sin', funciones: ['php'] }
    await panel.api('POST', '/planes', { bearer: token, body: without })
    await panel.api('POST', '/clientes/ana/plan', { bearer: token, body: { plan: 'sin' } })
    expect(codeOf(await list('/'))).toEqual([402, 'funcion_de_pago'])
  })

  test('is refused while suspended, like everybody who asks for its files', async () => {
    await panel.api('POST', '/clientes/ana/plan', { bearer: token, body: { plan: null } })
    await panel.api('POST', '/clientes/ana/suspender', { bearer: token })
    for (const bearer of [token, ana.bearer])
      expect(codeOf(await list('/', '', bearer))).toEqual([409, 'cliente_suspendido'])
    await panel.api('POST', '/clientes/ana/activar', { bearer: token })
    expect((await list('/', '', ana.bearer)).status).toBe(200)
  })
})

describe('a panel that is killed in the middle', () => {
  const COUNT = 3000
  const whole = (name: string) => {
    const path = join(folder, 'public', name)
    return existsSync(path) && readdirSync(path).length === COUNT
  }
  beforeAll(async () => {
    const made = `file_put_contents("bulto/$n", str_repeat("$n ", 2000))`
    asClient(`mkdir('bulto'); for ($n = 0; $n < ${COUNT}; $n++) ${made};`)
    const packing = { operacion: 'comprimir', rutas: ['/public/bulto'], destino: '/public/bulto.tar.gz' }
    await operate(packing)
    await eventually(async () => existsSync(join(folder, 'public/bulto.tar.gz')), 'the archive', 60_000)
  }, 120_000)

  test.each([
    [
      'an extraction',
      { operacion: 'extraer', rutas: ['/public/bulto.tar.gz'], destino: '/public/fuera' },
      'fuera/bulto',
    ],
    ['a copy', { operacion: 'copiar', rutas: ['/public/bulto'], destino: '/public/doble' }, 'doble'],
  ] as const)(
    'does %s once it runs again, and leaves nothing of the first attempt',
    async (_, body, made) => {
      const before = staged()
      const asked = operate(body).catch(() => null)
      await eventually(async () => staged().length > before.length || whole(made), 'the work to begin')
      await panel.kill()
      await asked
      const part = existsSync(join(folder, 'public', made))
      expect([part, part && !whole(made)]).toEqual([part, false])
      await panel.up()
      await eventually(async () => whole(made) && staged().length === before.length, 'the whole', 60_000)
      expect(readFileSync(join(folder, 'public', made, '7'), 'utf8')).toBe('7 '.repeat(2000))
    },
    120_000,
  )

  test('has a deleted folder in its place or in the bin, and never in both or in none', async () => {
    const asked = operate({ operacion: 'papelera', rutas: ['/public/bulto'] }).catch(() => null)
    await eventually(async () => staged().includes('papelera'), 'the bin')
    await panel.kill()
    await asked
    await panel.up()
    const bin = async () =>
      (await panel.api('GET', `/sitios/${SITE}/archivos/papelera`, { bearer: token })).body
    await eventually(async () => (await bin()).datos.length === 1, 'the folder in the bin', 60_000)
    expect(existsSync(join(folder, 'public/bulto'))).toBe(false)
    const borrados = [(await bin()).datos[0].id]
    expect((await operate({ operacion: 'restaurar', borrados })).status).toBe(200)
    expect(whole('bulto')).toBe(true)
  }, 120_000)
})

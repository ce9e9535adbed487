import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newCustomer, outcome } from '../api/people.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let token: string
let ana: { bearer: string }
let folder: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  ana = await newCustomer(panel, token, 'ana')
  const made = await api('POST', '/sitios', { cliente: 'ana', domain: 'ana.es', aliases: ['www.ana.es'] })
  folder = made.body.raiz
  put('index.html', 'portada')
  put('web/index.html', 'de la web')
}, 60_000)
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = token) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })
const change = (body: object, bearer = ana.bearer) => api('PATCH', '/sitios/ana.es', body, bearer)
const put = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

async function get(
  path: string,
  host = 'ana.es',
  who?: string,
): Promise<{ status: number; body: string; to: string | null }> {
  const headers = { host, ...(who ? { authorization: `Basic ${btoa(who)}` } : {}) }
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers, redirect: 'manual' })
  return { status: answer.status, body: await answer.text(), to: answer.headers.get('location') }
}
const body = async (path: string, host?: string) => (await get(path, host)).body

describe('a site’s settings', () => {
  test('are the ordinary ones at first, and each stays as it is where a change leaves it out', async () => {
    const php_ajustes = {
      ...{ memoria_bytes: 268_435_456, subida_bytes: 67_108_864, segundos: 60, max_input_vars: 1000 },
      mostrar_errores: false,
    }
    const ordinary = { raiz_web: 'public', indice_spa: false, redirecciones: [], protegidas: [] }
    expect((await api('GET', '/sitios/ana.es', undefined, ana.bearer)).body).toMatchObject({
      ...ordinary,
      php_ajustes,
    })
    const redirecciones = [{ de: '/viejo', a: 'https://otra.es/a%C3%B1o', codigo: 302 }]
    const changed = await change({
      redirecciones: [{ de: '/viejo/', a: 'https://OTRA.es/año', codigo: 302 }],
    })
    expect([changed.status, changed.body.redirecciones]).toEqual([200, redirecciones])
    expect((await change({ indice_spa: true })).body).toMatchObject({
      ...ordinary,
      indice_spa: true,
      redirecciones,
    })
    expect([(await get('/viejo')).to, await body('/nada', 'www.ana.es')]).toEqual([
      'https://otra.es/a%C3%B1o',
      'portada',
    ])
    expect((await change(ordinary)).body).toMatchObject(ordinary)
    expect([(await get('/viejo')).status, (await get('/nada')).status]).toEqual([404, 404])
  })

  test('limit its PHP, within the bounds of the plan and the node, which a refusal names', async () => {
    put('limite.php', '<?php echo ini_get("memory_limit"), " ", ini_get("max_execution_time");')
    const limits = async (php_ajustes: object | null) => {
      const { status, body } = await change({ php_ajustes })
      return status === 200 ? body.php_ajustes : [status, ...body.campos.map(({ mensaje }: Json) => mensaje)]
    }
    expect(await limits({ memoria_bytes: 33_554_432, segundos: 9 })).toMatchObject({
      memoria_bytes: 33_554_432,
      subida_bytes: 67_108_864,
      segundos: 9,
    })
    expect(await body('/limite.php')).toBe('33554432 9')
    const refused: [object, string][] = [
      [{ memoria_bytes: 1 }, 'Whole bytes, from 16,777,216 (16 MiB) to 1,073,741,824 (1 GiB).'],
      [{ subida_bytes: 1e9 }, 'Whole bytes, from 1,048,576 (1 MiB) to 134,217,728 (128 MiB).'],
      [{ segundos: 121 }, 'A whole number of seconds, from 1 to 120.'],
      [{ max_input_vars: 0 }, 'A whole number from 100 to 20,000.'],
      [{ auto_prepend_file: '/etc/passwd' }, 'There is no such field here.'],
    ]
    for (const [sent, told] of refused) expect(await limits(sent)).toEqual([422, told])
    await api('POST', '/planes', { plan: 'poca', memoria_bytes: 134_217_728 })
    await api('POST', '/clientes/ana/plan', { plan: 'poca' })
    expect(await limits({ memoria_bytes: 134_217_729 })).toEqual([
      422,
      'At most 134217728 bytes, which is all the memory of the plan.',
    ])
    expect(await body('/limite.php')).toBe('33554432 9')
    expect(await limits(null)).toMatchObject({ memoria_bytes: 268_435_456 })
    expect(await body('/limite.php')).toBe('256M 60')
    await api('POST', '/clientes/ana/plan', { plan: null })
  })

  test('tell which extensions its PHP has, as its node does', async () => {
    const wanted = ['apcu', 'bcmath', 'gmp', 'imagick', 'redis', 'soap']
    put('hay.php', `<?php echo implode(' ', array_filter(${JSON.stringify(wanted)}, 'extension_loaded'));`)
    expect(await body('/hay.php')).toBe(wanted.join(' '))
    const site = (await api('GET', '/sitios/ana.es', undefined, ana.bearer)).body
    expect(site.php_extensiones).toEqual(expect.arrayContaining(wanted))
    const node = (await api('GET', `/nodos/${site.nodo}`)).body
    expect(node.php).toContainEqual({ version: site.php, extensiones: site.php_extensiones })
    expect((await api('PATCH', '/sitios/ana.es', { php: null })).body.php_extensiones).toEqual([])
    await api('PATCH', '/sitios/ana.es', { php: site.php })
  })

  test('tell that no mail goes out where the node has no server for it, as does its log', async () => {
    put('correo.php', '<?php var_dump(mail("uno@a.es", "x", "y"));')
    expect(await body('/correo.php')).toBe('bool(false)\n')
    expect((await api('GET', '/sitios/ana.es', undefined, ana.bearer)).body.envia_correo).toBe(false)
    await eventually(async () => {
      const log = await api('GET', '/sitios/ana.es/bitacora?tipo=php', undefined, ana.bearer)
      return log.body.datos.some(({ texto }: Json) => texto.startsWith('sendmail: this server sends no mail'))
    }, 'the line in the log')
  })

  test('serve another folder, which operators are told', async () => {
    const changed = await change({ raiz_web: 'public/web/' }, token)
    expect([changed.body.raiz_web, changed.body.raiz]).toEqual(['public/web', join(folder, 'web')])
    expect(await body('/')).toBe('de la web')
    await panel.kill()
    await panel.up()
    expect(await body('/', 'www.ana.es')).toBe('de la web')
    expect((await change({ raiz_web: 'public' })).body.raiz).toBeUndefined()
    expect(await body('/')).toBe('portada')
  })

  test('name the site’s own pages for errors, which are set as a whole', async () => {
    put('errores/404.html', 'aquí no')
    const pages = { 404: '/errores/404.html' }
    expect((await change({ paginas_error: pages })).body.paginas_error).toEqual(pages)
    expect(await get('/nada', 'www.ana.es')).toMatchObject({ status: 404, body: 'aquí no' })
    for (const page of ['/x.php', '/../a.html', 'a.html', '/.git/a.html', null]) {
      const { status, body: problem } = await change({ paginas_error: { 404: page } })
      expect([page, status, problem.campos[0].campo]).toEqual([page, 422, 'paginas_error.404'])
    }
    expect((await change({ paginas_error: { 418: '/a.html' } })).status).toBe(422)
    expect((await change({ paginas_error: {} })).body.paginas_error).toEqual({})
    expect((await body('/nada')).includes('No encontrado')).toBe(true)
  })

  test('name the files that answer for a folder, and how long browsers keep files of a class', async () => {
    put('portada.html', 'la otra portada')
    const ordinary = ['index.php', 'index.html', 'index.htm']
    expect((await change({ indice: ['portada.html'] })).body.indice).toEqual(['portada.html'])
    expect(await body('/')).toBe('la otra portada')
    const tipos = { html: { segundos: 60, inmutable: true }, estilos: { segundos: 0, inmutable: false } }
    const sent = { tipos: { ...tipos, estilos: { segundos: 0 } } }
    expect((await change({ cache: sent })).body.cache).toEqual({
      ...{ segundos: null, parametros: [], estaticos: false, tipos },
    })
    const page = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: 'ana.es' } })
    expect(page.headers.get('cache-control')).toBe('max-age=60, immutable')
    const protegidas = [{ ruta: '/portada.html', usuario: 'ana' }]
    expect((await change({ protegidas })).status).toBe(200)
    expect((await get('/')).status).toBe(401)
    expect((await change({ protegidas: [] })).status).toBe(200)
    await panel.kill()
    await panel.up()
    expect(await body('/')).toBe('la otra portada')
    for (const [sent, told] of [
      [{ indice: [] }, 'indice indice_invalido'],
      [{ indice: ['a.html', 'a.html'] }, 'indice indice_repetido'],
      [{ indice: ['../a.html'] }, 'indice.0 indice_invalido'],
      [
        { cache: { tipos: { html: { segundos: -1 } } } },
        'cache.tipos.html.segundos segundos_de_archivo_invalidos',
      ],
      [{ cache: { tipos: { otros: { segundos: 1 } } } }, 'cache.tipos.otros campo_desconocido'],
    ] as const) {
      const { status, body: problem } = await change(sent)
      expect([status, ...problem.campos.map(({ campo, codigo }: Json) => `${campo} ${codigo}`)]).toEqual([
        422,
        told,
      ])
    }
    expect((await change({ indice: null, cache: null })).body).toMatchObject({
      indice: ordinary,
      cache: null,
    })
    expect(await body('/')).toBe('portada')
  })

  test('are refused with the bound where they are none, and nothing changes', async () => {
    const refused = async (body: Json): Promise<unknown> => {
      const { status, body: problem } = await change({ indice_spa: true, ...body })
      return [status, ...problem.campos.map(({ campo, codigo }: Json) => `${campo} ${codigo}`)]
    }
    for (const raiz_web of ['', '..', '/etc', 'public/../..', 'public/.git', 'a b', 'x'.repeat(201)]) {
      expect(await refused({ raiz_web })).toEqual([422, 'raiz_web raiz_web_invalida'])
    }
    const redirect = (de: string, a: string, codigo?: number) => ({
      redirecciones: [{ de, a, ...(codigo ? { codigo } : {}) }],
    })
    for (const de of ['viejo', '/a?b', '/a/../b', '/a/b/c/d/e/*', '//a', '/a%0d%0ab', '/=']) {
      expect([de, await refused(redirect(de, '/b'))]).toEqual([
        de,
        [422, 'redirecciones.0.de ruta_de_sitio_invalida'],
      ])
    }
    for (const a of [
      '',
      'b',
      '//otra.es',
      '/*',
      'javascript:alert(1)',
      'ftp://a.es/',
      'https://a.es/\r\nX: y',
      'https://otra.es*',
      'https://otra.es*/a',
      '/a//b',
      '/\\otra.es',
    ]) {
      expect([a, await refused(redirect('/a', a))]).toEqual([
        a,
        [422, 'redirecciones.0.a destino_de_redireccion_invalido'],
      ])
    }
    expect(await refused(redirect('/a', '/b', 200))).toEqual([
      422,
      'redirecciones.0.codigo codigo_de_redireccion_invalido',
    ])
    for (const [de, a] of [
      ['/a', '/a?b=1'],
      ['/a/*', '/a/nuevo'],
      ['/*', '/mantenimiento.html'],
    ] as const) {
      expect(await refused(redirect(de, a))).toEqual([422, 'redirecciones.0 redireccion_en_circulo'])
    }
    const twice = {
      redirecciones: [
        { de: '/a', a: '/b' },
        { de: '/a/', a: '/c' },
      ],
    }
    expect(await refused(twice)).toEqual([422, 'redirecciones ruta_repetida'])
    expect(await refused({ protegidas: [{ ruta: '/a/b/c/d/e', usuario: 'x' }] })).toEqual([
      422,
      'protegidas.0.ruta ruta_protegida_invalida',
    ])
    expect(await refused({ protegidas: [{ ruta: '/a', usuario: 'a:b' }] })).toEqual([
      422,
      'protegidas.0.usuario usuario_de_ruta_invalido',
    ])
    expect((await api('GET', '/sitios/ana.es')).body).toMatchObject({
      raiz_web: 'public',
      indice_spa: false,
      redirecciones: [],
      protegidas: [],
    })
  })
})

describe('the .htaccess files of a site', () => {
  const translate = (simular = '', bearer = ana.bearer) =>
    api('POST', `/sitios/ana.es/htaccess${simular}`, undefined, bearer)

  test('are read where they lie, shown without changing anything, and become settings', async () => {
    expect((await translate()).body).toEqual({
      ...{ toma: [], cambia: [], deja: [], ajustes: {}, completo: true, aplicado: true },
    })
    put(
      '.htaccess',
      'Redirect 301 /antes /despues\nErrorDocument 404 /no.html\nphp_value memory_limit 9G\nFoo bar',
    )
    put('sub/.htaccess', 'Deny from all')
    put('sub/secreto.txt', 'secreto')
    put('no.html', 'no hay tal')
    put('no.htaccess.txt', 'Redirect /x /y')
    await change({ paginas_error: { 404: '/mia.html' } })
    const before = (await api('GET', '/sitios/ana.es')).body
    const looked = await translate('?simular=si')
    expect(looked.body).toMatchObject({
      toma: [
        { archivo: '/.htaccess', linea: 1, texto: 'Redirect 301 /antes /despues', ajuste: 'redirecciones' },
      ],
      cambia: [
        { archivo: '/.htaccess', linea: 3, ajuste: 'php_ajustes', motivo: 'limitado' },
        { archivo: '/sub/.htaccess', linea: 1, ajuste: 'protegidas', motivo: 'cerrada' },
      ],
      deja: [
        { archivo: '/.htaccess', linea: 2, ajuste: 'paginas_error', motivo: 'ya_hay_otra' },
        { archivo: '/.htaccess', linea: 4, ajuste: null, motivo: 'desconocida' },
      ],
      ajustes: {
        redirecciones: [{ de: '/antes/*', a: '/despues/*', codigo: 301 }],
        protegidas: [{ ruta: '/sub', usuario: 'nadie' }],
        php_ajustes: { memoria_bytes: 1_073_741_824 },
      },
      aplicado: false,
    })
    expect((await api('GET', '/sitios/ana.es')).body).toEqual(before)
    const applied = await translate('', token)
    expect(applied.body).toEqual({ ...looked.body, aplicado: true })
    expect([(await get('/antes/a')).to, (await get('/sub/secreto.txt')).status]).toEqual(['/despues/a', 401])
    const site = (await api('GET', '/sitios/ana.es')).body
    expect([site.paginas_error, site.php_ajustes.memoria_bytes]).toEqual([
      { 404: '/mia.html' },
      1_073_741_824,
    ])
    expect((await translate()).body.ajustes).toEqual({})
    // What is sent to change the settings is what was told of them.
    await change({ redirecciones: [], protegidas: [], php_ajustes: null, paginas_error: {} })
    const { status, body: changed } = await change(looked.body.ajustes)
    expect([status, changed.redirecciones]).toEqual([200, site.redirecciones])
    await change({ redirecciones: [], protegidas: [], php_ajustes: null })
  })

  test('above what is served hold where they lead to it, and set nothing', async () => {
    const above = join(folder, '..', '.htaccess')
    writeFileSync(above, 'RewriteEngine on\nRewriteRule ^(.*)$ public/$1 [L]\nRedirect 301 /x /y', {
      mode: 0o644,
    })
    const told = async () => {
      const { toma, deja } = (await translate('?simular=si')).body
      const own = (list: Json[]) => list.filter(({ archivo }) => archivo === '/../.htaccess')
      return [own(toma).map(({ linea }) => linea), own(deja).map(({ linea, motivo }) => [linea, motivo])]
    }
    expect(await told()).toEqual([[1, 2], [[3, 'encima']]])
    rmSync(above)
    symlinkSync('/etc/passwd', above)
    expect(await told()).toEqual([[], []])
    rmSync(above)
  })

  test('lead nowhere else, are bounded, and are nobody else’s business', async () => {
    rmSync(join(folder, '.htaccess'))
    symlinkSync('/etc/passwd', join(folder, '.htaccess'))
    put('mucho/.htaccess', `# ${'x'.repeat(70_000)}`)
    put('bytes/.htaccess', 'Redirect /a /b\0')
    const { deja, toma } = (await translate('?simular=si')).body
    expect(toma.filter(({ archivo }: Json) => archivo === '/.htaccess')).toEqual([])
    expect(deja.map(({ archivo, linea, motivo }: Json) => [archivo, linea, motivo])).toEqual([
      ['/bytes/.htaccess', null, 'no_es_texto'],
      ['/mucho/.htaccess', null, 'demasiado_grande'],
    ])
    const other = await newCustomer(panel, token, 'cid')
    expect(outcome(await translate('', other.bearer))).toEqual([404, 'sitio_no_existe'])
    await api('POST', '/clientes/ana/suspender')
    expect(outcome(await translate())).toEqual([409, 'cliente_suspendido'])
    await api('POST', '/clientes/ana/activar')
    for (const one of ['.htaccess', 'sub', 'mucho', 'bytes']) rmSync(join(folder, one), { recursive: true })
  })
})

describe('a protected part', () => {
  const password = (ruta: string, bearer = ana.bearer) =>
    api('POST', `/sitios/ana.es/protegidas/${encodeURIComponent(ruta)}/contrasena`, undefined, bearer)

  test('opens by the last password alone, which only a person has made and sees once', async () => {
    put('privado/index.html', 'dentro')
    const shown = [{ ruta: '/privado', usuario: 'eva', con_contrasena: false }]
    expect(
      (await change({ protegidas: [{ ruta: '/privado/', usuario: 'eva' }] }, token)).body.protegidas,
    ).toEqual(shown)
    expect((await get('/privado/')).status).toBe(401)
    expect(outcome(await password('/privado', token))).toEqual([403, 'no_con_token'])
    expect(outcome(await password('/otra'))).toEqual([404, 'protegida_no_existe'])
    const first = await password('/privado')
    expect([first.status, first.headers.get('cache-control'), first.body.usuario]).toEqual([
      201,
      'no-store',
      'eva',
    ])
    const as = (made: Json) => get('/privado/', 'www.ana.es', `eva:${made.body.contrasena}`)
    await eventually(async () => (await as(first)).body === 'dentro', 'the password')
    const second = await password('/privado')
    await eventually(async () => (await as(second)).body === 'dentro', 'the other password')
    expect((await as(first)).status).toBe(401)
    const kept = await change({
      protegidas: [
        { ruta: '/privado', usuario: 'eva' },
        { ruta: '/otra', usuario: 'eva' },
      ],
    })
    expect(kept.body.protegidas.map(({ con_contrasena }: Json) => con_contrasena)).toEqual([false, true])
    expect((await as(second)).body).toBe('dentro')
    const other = await change({ protegidas: [{ ruta: '/privado', usuario: 'luz' }] })
    expect(other.body.protegidas).toEqual([{ ruta: '/privado', usuario: 'luz', con_contrasena: false }])
    expect((await as(second)).status).toBe(401)
    expect((await change({ protegidas: [] })).body.protegidas).toEqual([])
    expect(await body('/privado/')).toBe('dentro')
  })

  test('and everything else of a site is another customer’s business to nobody else', async () => {
    const bea = await newCustomer(panel, token, 'bea')
    expect(outcome(await change({ indice_spa: true }, bea.bearer))).toEqual([404, 'sitio_no_existe'])
    expect(outcome(await password('/privado', bea.bearer))).toEqual([404, 'sitio_no_existe'])
  })
})

import { afterAll, beforeAll, describe, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultHttpStack, Upload } from 'tus-js-client'
import type { Json } from '../support/panel.ts'
import { codeOf, path, SITE, type Site, startSite } from './site.ts'

setDefaultTimeout(60_000)

let panel: Site['panel']
let token: Site['token']
let ana: Site['ana']
let folder: Site['folder']
let put: Site['put']
let get: Site['get']
let list: Site['list']
let visited: Site['visited']
let staged: Site['staged']
let asClient: Site['asClient']

beforeAll(async () => {
  ;({ panel, token, ana, folder, put, get, list, visited, staged, asClient } = await startSite())
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

  test('of whose content several writers mean the same one is written by one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const before = (await put('/public/juntos.txt', `antes ${round}`)).headers.get('etag') ?? ''
      const writers = Array.from({ length: 6 }, (_, at) => `${round}: ${at}`)
      const answers = await Promise.all(
        writers.map((text) => put('/public/juntos.txt', text, { 'if-match': before })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412])
      const won = writers[answers.findIndex(({ status }) => status === 200)]
      expect((await get('/public/juntos.txt')).body).toBe(won)
    }
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

test('what is to be put beside what is served is refused with where it can be put', async () => {
  const body = { operacion: 'mover', rutas: ['/public/suelto.txt'], destino: '/suelto.txt' }
  await put('/public/suelto.txt', 'x')
  for (const refused of [
    await put('/tarea.php', 'x'),
    await panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, { bearer: token, body }),
  ]) {
    expect(codeOf(refused)).toEqual([403, 'prohibido'])
    expect(refused.body.detail).toBe(
      "The site's own folder belongs to the panel: use a folder in it, such as /public.",
    )
  }
  const spanish = await put('/tarea.php', 'x', { 'accept-language': 'es' })
  expect(spanish.body.detail).toBe(
    'La carpeta del sitio es del panel: use una carpeta de ella, como /public.',
  )
  asClient('mkdir("cerrada"); chmod("cerrada", 0500);')
  const own = await put('/public/cerrada/x.txt', 'x')
  expect([...codeOf(own), own.body.detail]).toEqual([403, 'prohibido', 'Not allowed.'])
})

test('a site whose folder was moved away takes no file, before and after its helper has ended', async () => {
  await put('/public/antes.txt', 'antes')
  const away = `${folder}.away`
  renameSync(folder, away)
  try {
    for (const name of ['/public/despues.txt', '/public/mas.txt']) {
      expect(codeOf(await put(name, 'x'))).toEqual([503, 'no_disponible'])
      expect(codeOf(await get('/public/antes.txt'))).toEqual([503, 'no_disponible'])
    }
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(join(away, 'public'))).not.toContain('despues.txt')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    renameSync(away, folder)
  }
  expect((await put('/public/despues.txt', 'x')).status).toBe(201)
  expect((await get('/public/antes.txt')).body).toBe('antes')
})

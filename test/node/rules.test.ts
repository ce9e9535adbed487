import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { showAll } from '../../deploy/node/files/shown.ts'
import type { DesiredRules, DesiredSite } from '../../lib/endpoint/node-port.ts'
import { startNode, type TestNode } from './support.ts'

let node: TestNode
const rules = (some: Partial<DesiredRules>): { rules: DesiredRules } => ({
  rules: { webRoot: 'public', singlePage: false, redirects: [], guards: [], ...some },
})
const site = (some: Partial<DesiredRules>, more: Partial<DesiredSite> = {}) =>
  node.site(1, 11, 'uno.es', { aliases: ['www.uno.es'], ...rules(some), ...more })

const secretOf = (password: string): string => {
  const salt = 'sal'
  const digest = createHash('sha1').update(`${password}${salt}`).digest()
  return `{SSHA}${Buffer.concat([digest, Buffer.from(salt)]).toString('base64')}`
}

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.client(2)
  await site({})
  await node.site(2, 21, 'dos.es')
  node.put(1, 11, 'index.html', 'portada')
  node.put(2, 21, 'index.html', 'PRIVADO de dos')
})
afterAll(() => node[Symbol.asyncDispose]())

const location = (headers: string) => /^location: (.*)$/im.exec(headers)?.[1]?.trim() ?? null

describe('another document root', () => {
  test('is served under all names, and nothing above it, neither files nor programs', async () => {
    node.put(1, 11, 'app/web/index.html', 'de la web')
    node.put(1, 11, 'app/web/que.php', '<?php echo $_SERVER["DOCUMENT_ROOT"], " ", __FILE__;')
    node.put(1, 11, 'app/secreto.txt', 'secreto')
    await site({ webRoot: 'public/app/web' })
    for (const host of ['uno.es', 'www.uno.es']) {
      expect(node.get(host).body).toBe('de la web')
      expect(node.getSecure(host, '/index.html').body).toBe('de la web')
    }
    const root = node.path(1, 11, 'app/web')
    expect(node.get('uno.es', '/que.php').body).toBe(`${root} ${root}/que.php`)
    for (const path of [
      '/secreto.txt',
      '/../secreto.txt',
      '/app/secreto.txt',
      '/..%2fsecreto.txt',
      '/app/web/index.html',
    ]) {
      expect([path, node.get('uno.es', path).body.includes('secreto')]).toEqual([path, false])
      expect([400, 404]).toContain(node.get('uno.es', path).status)
    }
  })

  test('that is no folder yet is 404, and is served as soon as it is there', async () => {
    await site({ webRoot: 'public/luego/web' })
    expect(node.get('uno.es').status).toBe(404)
    expect(node.get('uno.es', '/x.php').status).toBe(404)
    node.put(1, 11, 'luego/web/index.html', 'ya')
    expect(node.get('uno.es').body).toBe('ya')
  })

  test('beside public is made for the customer, who writes there', async () => {
    await site({ webRoot: 'web' })
    const path = join(node.node.layout.site(1, 11), 'web')
    expect(node.get('uno.es').body).toContain('todavía no tiene contenido')
    node.put(1, 11, '../web/index.html', 'al lado')
    expect(node.get('uno.es').body).toBe('al lado')
    rmSync(path, { recursive: true })
  })

  test('that a customer made a link leads to no other customer’s files', async () => {
    const link = (to: string) => {
      symlinkSync(to, node.path(1, 11, 'fuera'))
      lchownSync(node.path(1, 11, 'fuera'), node.uid(1), node.uid(1))
    }
    for (const [to, root] of [
      [node.path(2, 21), 'public/fuera'],
      [dirname(node.path(2, 21)), 'public/fuera/public'],
      ['/etc', 'public/fuera'],
    ] as const) {
      link(to)
      await site({ webRoot: root })
      for (const path of ['/', '/index.html', '/passwd', '/hostname', '/nada']) {
        const { status, body } = node.get('uno.es', path)
        expect([root, path, [403, 404].includes(status), /PRIVADO|root:/.test(body)]).toEqual([
          root,
          path,
          true,
          false,
        ])
      }
      unlinkSync(node.path(1, 11, 'fuera'))
    }
    // The folders above are the tests', not the customer's.
    for (const path of ['app', 'app/web']) lchownSync(node.path(1, 11, path), node.uid(1), node.uid(1))
    link('app/web')
    await site({ webRoot: 'public/fuera' })
    expect(node.get('uno.es', '/index.html').body).toBe('de la web')
    unlinkSync(node.path(1, 11, 'fuera'))
  })

  test('that is no way down is refused, and what was served stays', async () => {
    await site({ webRoot: 'public/app/web' })
    for (const webRoot of [
      '',
      '/',
      '..',
      'public/../..',
      '/etc',
      'public/.git',
      'a b',
      'a;b',
      'a//b',
      '$uri',
      'public/',
    ]) {
      expect(site({ webRoot })).rejects.toThrow()
      expect([webRoot, node.get('uno.es').body]).toEqual([webRoot, 'de la web'])
    }
  })

  test('is left by kept pages at once', async () => {
    const cache = { pages: { seconds: 600, parameters: [] }, longLivedFiles: false }
    node.put(1, 11, 'a/index.php', '<?php echo "a";')
    node.put(1, 11, 'b/index.php', '<?php echo "b";')
    await site({ webRoot: 'public/a' }, { cache })
    expect([node.get('uno.es', '/x').body, node.get('uno.es', '/x').headers]).toEqual([
      'a',
      expect.stringMatching(/X-Cache: HIT/),
    ])
    await site({ webRoot: 'public/b' }, { cache })
    expect(node.get('uno.es', '/x').body).toBe('b')
    await site({})
  })
})

describe('one page for all addresses', () => {
  test('answers what is no file, but for parts of a page and what is never served', async () => {
    await site({ singlePage: true })
    node.put(1, 11, 'real.txt', 'real')
    for (const path of ['/', '/pedidos/3', '/usuarios/ana.lopez', '/a/b/?x=1', '/index.html']) {
      const { status, body, headers } = node.get('uno.es', path)
      expect([path, status, body, /Content-Type: text\/html/.test(headers)]).toEqual([
        path,
        200,
        'portada',
        true,
      ])
    }
    expect(node.get('uno.es', '/real.txt').body).toBe('real')
    for (const path of ['/assets/app.3f2a.js', '/logo.png', '/.env', '/copia.sql']) {
      expect([path, node.get('uno.es', path).status]).toEqual([path, 404])
    }
    rmSync(node.path(1, 11, 'index.html'))
    expect(node.get('uno.es', '/pedidos/3').status).toBe(404)
    node.put(1, 11, 'index.html', 'portada')
  })

  test('comes before a front program, also where pages are kept', async () => {
    const cache = { pages: { seconds: 600, parameters: [] }, longLivedFiles: false }
    node.put(1, 11, 'index.php', '<?php echo "programa";')
    await site({ singlePage: true }, { cache })
    expect([node.get('uno.es', '/pedidos/4').body, node.get('uno.es', '/pedidos/4').body]).toEqual([
      'portada',
      'portada',
    ])
    expect(node.get('uno.es', '/index.php').body).toBe('programa')
    rmSync(node.path(1, 11, 'index.php'))
    await site({})
  })
})

describe('a redirect', () => {
  const redirects = [
    { from: '/viejo', to: '/nuevo', status: 301 },
    { from: '/tienda/*', to: 'https://tienda.es/es/*', status: 308 },
    { from: '/tienda/rebajas/*', to: '/ofertas?de=tienda', status: 302 },
    { from: '/año pasado', to: 'https://archivo.es/2025/?q=a/b', status: 307 },
    { from: '/index.php', to: '/', status: 301 },
  ]
  test('answers its address alone, or all below it where it says so; the nearest counts', async () => {
    node.put(1, 11, 'tienda/x.html', 'fichero')
    node.put(1, 11, 'index.php', '<?php echo "programa ", $_SERVER["REQUEST_URI"];')
    await site({ redirects })
    for (const [path, status, to] of [
      ['/viejo', 301, '/nuevo'],
      ['/viejo/', 301, '/nuevo'],
      ['/viejo?a=1&b=%20', 301, '/nuevo?a=1&b=%20'],
      ['/viejo/mas', 200, null],
      ['/tienda', 308, 'https://tienda.es/es'],
      ['/tienda/', 308, 'https://tienda.es/es/'],
      ['/tienda/x.html', 308, 'https://tienda.es/es/x.html'],
      ['/tienda/a/b/c/d/e%20f?g=h', 308, 'https://tienda.es/es/a/b/c/d/e%20f?g=h'],
      ['/tienda/a%0d%0aX-Otra:%20si', 308, 'https://tienda.es/es/a%0d%0aX-Otra:%20si'],
      ['/tienda/rebajas/hoy?x=1', 302, '/ofertas?de=tienda'],
      ['/a%C3%B1o%20pasado', 307, 'https://archivo.es/2025/?q=a%2Fb'],
      ['/index.php', 301, '/'],
      ['/', 200, null],
      ['/otra', 200, null],
    ] as const) {
      for (const answer of [node.get('uno.es', path), node.getSecure('www.uno.es', path)]) {
        expect([path, answer.status, location(answer.headers)]).toEqual([path, status, to])
        expect(answer.headers).not.toContain('\nX-Otra')
      }
    }
    expect(node.get('uno.es', '/otra').body).toBe('programa /otra')
    expect(node.get('uno.es', '/tienda/x.html', ['-X', 'POST', '-d', 'a']).status).toBe(308)
  })

  test('is gone with the setting, with the suspension, and stays through a start', async () => {
    await site({ redirects }, { suspended: true })
    expect(node.get('uno.es', '/viejo').status).toBe(503)
    await site({ redirects })
    const { layout } = node.node
    const before = readdirSync(layout.rules)
    showAll(layout)
    expect(node.get('uno.es', '/viejo').status).toBe(301)
    await site({ redirects })
    expect(readdirSync(layout.rules)).toEqual(before)
    await site({})
    expect([node.get('uno.es', '/viejo').body, readdirSync(layout.rules)]).toEqual(['programa /viejo', []])
    rmSync(node.path(1, 11, 'index.php'))
  })

  test('of the whole site leaves the challenges of an authority alone', async () => {
    await site({ redirects: [{ from: '/*', to: 'https://otra.es/*', status: 301 }] })
    for (const [path, to] of [
      ['/', 'https://otra.es/'],
      ['/a/b', 'https://otra.es/a/b'],
    ] as const) {
      expect(location(node.get('uno.es', path).headers)).toBe(to)
    }
    mkdirSync(node.node.layout.acme, { recursive: true })
    expect(node.get('uno.es', '/.well-known/acme-challenge/nada').status).toBe(404)
  })

  test('that could end a line, leave its tree or lead elsewhere than it says is refused', async () => {
    for (const [from, to] of [
      ['/a', 'https://x.es/\r\nX: y'],
      ['/a', 'javascript:alert(1)'],
      ['/a', '//otra.es/'],
      ['/a/*', '/*'],
      ['/a', '/b/../../c'],
      ['/a', ''],
      ['a', '/b'],
      ['/../../x', '/b'],
      ['/a\nb', '/b'],
      ['/a/b/c/d/e/*', '/b'],
    ] as const) {
      expect(site({ redirects: [{ from, to, status: 301 }] })).rejects.toThrow(TypeError)
    }
    expect(site({ redirects: [{ from: '/a', to: '/b', status: 200 }] })).rejects.toThrow(TypeError)
  })
})

describe('a protected part', () => {
  const guards = [{ path: '/privado', user: 'ana', secret: secretOf('abc123') }]
  const as = (who: string) => ['-u', who]

  test('asks for its password under every way to it, and gives the rest as before', async () => {
    node.put(1, 11, 'privado/index.html', 'dentro')
    node.put(1, 11, 'privado/x.css', 'p{}')
    node.put(1, 11, 'privado/p.php', '<?php echo "php ", $_SERVER["REMOTE_USER"] ?? "nadie";')
    node.put(1, 11, 'privado2/index.html', 'fuera')
    await site({ guards })
    for (const path of [
      '/privado',
      '/privado/',
      '/privado/x.css',
      '/privado/p.php',
      '/privado/nada',
      '//privado//x.css',
      '/x/../privado/x.css',
      '/priv%61do/x.css',
      '/privado%2Fx.css',
    ]) {
      for (const answer of [
        node.get('uno.es', path),
        node.getSecure('www.uno.es', path),
        node.get('uno.es', path, as('ana:otra')),
        node.get('uno.es', path, as('eva:abc123')),
      ]) {
        expect([path, answer.status, /^www-authenticate: Basic/im.test(answer.headers)]).toEqual([
          path,
          401,
          true,
        ])
        expect(answer.body).toContain('Acceso protegido')
      }
    }
    expect(node.get('uno.es', '/privado/', as('ana:abc123')).body).toBe('dentro')
    expect(node.get('uno.es', '/privado/x.css', as('ana:abc123')).body).toBe('p{}')
    expect(node.get('uno.es', '/privado/p.php', as('ana:abc123')).body).toBe('php ana')
    expect(node.get('uno.es', '/privado/nada', as('ana:abc123')).status).toBe(404)
    expect(node.get('uno.es', '/privado2/').body).toBe('fuera')
    expect(node.get('uno.es', '/').body).toBe('portada')
  })

  test('is never kept, though the site keeps its pages', async () => {
    const cache = { pages: { seconds: 600, parameters: [] }, longLivedFiles: false }
    await site({}, { cache })
    node.get('uno.es', '/privado/p.php')
    expect(node.get('uno.es', '/privado/p.php').headers).toContain('X-Cache: HIT')
    await site({ guards }, { cache })
    expect(node.get('uno.es', '/privado/p.php').status).toBe(401)
    for (let time = 0; time < 2; time++) {
      const { headers, body } = node.get('uno.es', '/privado/p.php', as('ana:abc123'))
      expect([body, /X-Cache: (HIT|MISS)/.test(headers)]).toEqual(['php ana', false])
    }
  })

  test('without a password lets nobody in, and the whole site can be one', async () => {
    await site({ guards: [{ path: '/', user: 'ana', secret: null }] })
    for (const path of ['/', '/privado2/', '/real.txt', '/nada']) {
      expect([path, node.get('uno.es', path).status, node.get('uno.es', path, as('ana:')).status]).toEqual([
        path,
        401,
        401,
      ])
    }
    await site({ guards: [{ path: '/', user: 'ana', secret: secretOf('x') }, ...guards] })
    expect(node.get('uno.es', '/', as('ana:x')).body).toBe('portada')
    expect(node.get('uno.es', '/privado/', as('ana:x')).status).toBe(401)
    expect(node.get('uno.es', '/privado/', as('ana:abc123')).body).toBe('dentro')
  })

  test('whose rules were lost is not served as if it were open', async () => {
    await site({ guards })
    const { layout } = node.node
    rmSync(layout.rules, { recursive: true })
    mkdirSync(layout.rules, { mode: 0o711 })
    expect(node.get('uno.es', '/privado/').status).toBe(503)
    await site({ guards })
    expect(node.get('uno.es', '/privado/').status).toBe(401)
  })

  test('with a user or secret that would be read as another line is refused', async () => {
    for (const guard of [
      { path: '/a', user: 'a:b', secret: null },
      { path: '/a', user: 'a\nb', secret: null },
      { path: '/a', user: 'a', secret: '{PLAIN}x' },
      { path: '/a', user: 'a', secret: `${secretOf('x')}\nb:{PLAIN}x` },
      { path: '../a', user: 'a', secret: null },
    ]) {
      expect(site({ guards: [guard] })).rejects.toThrow(TypeError)
    }
  })
})

describe('limits of a site’s PHP', () => {
  const MIB = 1024 ** 2
  const LIMITS = {
    memoryBytes: 32 * MIB,
    uploadBytes: 4 * MIB,
    seconds: 7,
    inputVariables: 100,
    showErrors: true,
  }
  const NAMES = [
    'memory_limit',
    'upload_max_filesize',
    'post_max_size',
    'max_execution_time',
    'max_input_vars',
  ]
  const told = (host: string) => node.get(host, '/limites.php').body.split(' ')
  const limited = (some: Partial<typeof LIMITS> = {}) => site({}, { phpSettings: { ...LIMITS, ...some } })
  /** The status, and what PHP got of a file of this size. */
  const upload = (megabytes: number, host = 'uno.es') => {
    const path = join(node.directory, `subida-${megabytes}`)
    writeFileSync(path, '')
    truncateSync(path, megabytes * MIB)
    const { status, body } = node.get(host, '/subida.php', ['-H', 'Expect:', '-F', `f=@${path}`])
    rmSync(path)
    return [status, status === 200 ? body : '']
  }

  test('hold for it alone, from its next request on, and end no other client’s PHP', async () => {
    for (const [client, number] of [
      [1, 11],
      [1, 13],
      [2, 21],
    ] as const) {
      if (number === 13) await node.site(1, 13, 'hermano.es')
      node.put(
        client,
        number,
        'limites.php',
        `<?php echo implode(' ', array_map('ini_get', ${JSON.stringify(NAMES)})), ' ', ini_get('display_errors') ? 'shown' : '', ' ', getmypid();`,
      )
      node.put(client, number, 'subida.php', '<?php echo $_FILES["f"]["error"], " ", $_FILES["f"]["size"];')
    }
    await site({})
    const ordinary = ['256M', '64M', '64M', '60', '1000', '']
    const others = told('dos.es')
    expect([told('uno.es').slice(0, 6), others.slice(0, 6)]).toEqual([ordinary, ordinary])
    await limited()
    expect(told('uno.es').slice(0, 6)).toEqual([
      `${32 * MIB}`,
      `${4 * MIB}`,
      `${4 * MIB}`,
      '7',
      '100',
      'shown',
    ])
    expect(told('hermano.es').slice(0, 6)).toEqual(ordinary)
    expect(node.get('dos.es', '/limites.php').body.split(' ')).toHaveLength(others.length)
    node.put(
      1,
      11,
      'mucha.php',
      '<?php ini_set("memory_limit", "900M"); echo ini_get("memory_limit"), strlen(str_repeat("x", 40 << 20));',
    )
    expect(node.get('uno.es', '/mucha.php').body).toContain(`Allowed memory size of ${32 * MIB} bytes`)
    await site({})
    expect(told('uno.es').slice(0, 6)).toEqual(ordinary)
    expect(node.get('uno.es', '/mucha.php').body).toBe(`256M${40 << 20}`)
  })

  test('are those of what visitors send, too', async () => {
    await limited()
    expect(upload(3)).toEqual([200, `0 ${3 * MIB}`])
    expect(upload(5)).toEqual([413, ''])
    expect(upload(5, 'hermano.es')).toEqual([200, `0 ${5 * MIB}`])
    expect(upload(70, 'hermano.es')).toEqual([413, ''])
    await limited({ uploadBytes: 128 * MIB })
    expect(upload(70)).toEqual([200, `0 ${70 * MIB}`])
    expect(upload(129)).toEqual([413, ''])
    await site({ singlePage: true }, { phpSettings: { ...LIMITS, uploadBytes: MIB } })
    expect([upload(2), node.get('uno.es', '/nada').body]).toEqual([[413, ''], 'portada'])
    await site({})
    expect(upload(2)).toEqual([200, `0 ${2 * MIB}`])
  })

  test('are none that a configuration cannot hold, and are gone with the site', async () => {
    for (const bad of [Number.NaN, -1, 1.5, '1\nauto_prepend_file = /x' as unknown as number]) {
      expect(limited({ memoryBytes: bad })).rejects.toThrow(TypeError)
    }
    expect(limited({ uploadBytes: 129 * MIB })).rejects.toThrow(TypeError)
    await node.site(1, 13, 'hermano.es', { phpSettings: LIMITS })
    const { layout } = node.node
    expect(existsSync(layout.fpmSite(13))).toBe(true)
    await node.node.removeSite(
      { siteId: 13, clientId: 1, hosts: ['hermano.es'], domain: 'hermano.es' },
      (_, run) => run(),
    )
    expect(existsSync(layout.fpmSite(13))).toBe(false)
    await site({})
  })
})

describe('pages of its own for errors', () => {
  const errorPages = { 403: '/e/403.html', 404: '/e/404.html', 500: '/e/500.html', 503: '/e/503.html' }
  const told = (path: string, extra: string[] = [], host = 'uno.es') => {
    const { status, body } = node.get(host, path, extra)
    return [status, body]
  }

  test('are answered with their status, under all names, and to no other site', async () => {
    for (const status of [403, 404, 500, 503]) node.put(1, 11, `e/${status}.html`, `propia de ${status}`)
    node.put(1, 11, 'vacia/x.txt', 'x')
    node.put(1, 11, 'falla.php', '<?php http_response_code((int) ($_GET["c"] ?? 500)); echo "del programa";')
    await site({ errorPages })
    const missing = [404, 'propia de 404']
    for (const path of ['/nada', '/nada.png', '/nada.php', '/.git/config', '/copia.sql']) {
      expect([path, ...told(path)]).toEqual([path, ...missing])
    }
    expect(told('/nada', [], 'www.uno.es')).toEqual(missing)
    expect(node.getSecure('uno.es', '/nada').body).toBe('propia de 404')
    expect(told('/vacia/')).toEqual([403, 'propia de 403'])
    for (const version of ['--http1.1', '--http2']) {
      const { status, body } = node.getSecure('uno.es', '/falla.php', [version])
      expect([version, status, body]).toEqual([version, 500, 'propia de 500'])
    }
    expect(told('/falla.php', ['-d', 'a=1'])).toEqual([500, 'propia de 500'])
    for (const status of [400, 403, 404, 413, 418, 426, 427, 503]) {
      expect(told(`/falla.php?c=${status}`)).toEqual([status, 'del programa'])
    }
    expect(node.get('uno.es', '/nada').headers).toMatch(/^cache-control: no-store\r?$/im)
    const other = node.get('dos.es', '/nada')
    expect([other.status, other.body.includes('propia')]).toEqual([404, false])
  })

  test('give way to the panel’s page where there is no such file, or it is another’s', async () => {
    const page = node.path(1, 11, 'fuera.html')
    await site({ errorPages: { 404: '/fuera.html' } })
    const missing = () => {
      const { status, body } = node.get('uno.es', '/nada')
      return [status, body.includes('No encontrado')]
    }
    expect(missing()).toEqual([404, true])
    symlinkSync(node.path(2, 21, 'index.html'), page)
    lchownSync(page, node.uid(1), node.uid(1))
    expect(missing()).toEqual([404, true])
    unlinkSync(page)
    node.put(1, 11, 'fuera.html', 'otra')
    expect(told('/nada')).toEqual([404, 'otra'])
    expect(told('/nada', ['-X', 'POST'])[0]).toBe(404)
  })

  test('hold beside redirects, protected parts and another folder, and end when they are taken away', async () => {
    node.put(1, 11, 'web/e/404.html', 'en web')
    const guards = [{ path: '/', user: 'eva', secret: secretOf('abre') }]
    const redirects = [{ from: '/a', to: '/b', status: 301 }]
    await site({ errorPages: { 404: '/e/404.html' }, webRoot: 'public/web', guards, redirects })
    expect(told('/nada', ['-u', 'eva:abre'])).toEqual([404, 'en web'])
    expect(node.get('uno.es', '/nada').status).toBe(401)
    await site({ errorPages: { 404: '/e/404.html' }, singlePage: true })
    expect(told('/nada.css')).toEqual([404, 'propia de 404'])
    await site({})
    const plain = node.get('uno.es', '/nada')
    expect([plain.status, plain.body.includes('No encontrado')]).toEqual([404, true])
  })

  test('are a plain name of a file or no settings at all', () => {
    for (const bad of [
      '/x.php',
      '/../x.html',
      'x.html',
      '/.x/a.html',
      '/a b.html',
      '/a$b.html',
      '/x.html\n',
    ]) {
      expect(site({ errorPages: { 404: bad } })).rejects.toThrow(TypeError)
    }
  })
})

describe('files of its own that answer for a folder', () => {
  const told = (path: string, extra: string[] = [], host = 'uno.es') => {
    const { status, body } = node.get(host, path, extra)
    return [status, body]
  }

  test('are looked for in the order of the list, below redirects and passwords, and for no other site', async () => {
    node.put(1, 11, 'i/portada.html', 'portada de i')
    node.put(1, 11, 'i/index.html', 'no es de la lista')
    node.put(1, 11, 'j/otra.php', '<?php echo $_SERVER["SCRIPT_NAME"], " ", $_GET["q"] ?? "";')
    node.put(1, 11, 'k/index.html', 'tampoco')
    node.put(1, 11, 'portada.html', 'la primera')
    node.put(2, 21, 'portada.html', 'de dos')
    const indexFiles = ['otra.php', 'portada.html']
    await site({ indexFiles })
    expect(told('/')).toEqual([200, 'la primera'])
    expect(told('/', [], 'www.uno.es')).toEqual([200, 'la primera'])
    expect(node.getSecure('uno.es', '/i/').body).toBe('portada de i')
    expect(location(node.get('uno.es', '/i').headers)).toBe('/i/')
    expect(told('/j/?q=si')).toEqual([200, '/j/otra.php si'])
    expect(told('/j/', ['-d', 'a=1'])).toEqual([200, '/j/otra.php '])
    expect(told('/k/')[0]).toBe(403)
    expect(told('/k/index.html')).toEqual([200, 'tampoco'])
    expect(told('/nada/')[0]).toBe(404)
    expect(told('/../')[0]).toBe(400)
    expect(told('/', [], 'dos.es')).toEqual([200, 'PRIVADO de dos'])
    const guards = [{ path: '/i', user: 'eva', secret: secretOf('abre') }]
    const redirects = [{ from: '/j', to: '/i/portada.html', status: 301 }]
    await site({ indexFiles, guards, redirects, errorPages: { 403: '/k/index.html' } })
    expect(told('/i/')[0]).toBe(401)
    expect(told('/i/', ['-u', 'eva:abre'])).toEqual([200, 'portada de i'])
    expect(location(node.get('uno.es', '/j/').headers)).toBe('/i/portada.html')
    expect(told('/k/')).toEqual([403, 'tampoco'])
    await site({ guards: [{ path: '/', user: 'eva', secret: secretOf('abre') }] })
    expect(told('/vacia/', ['-u', 'eva:abre'])[0]).toBe(403)
  })

  test('lead through no link to another client’s file', async () => {
    const page = node.path(1, 11, 'i/otra.php')
    symlinkSync(node.path(2, 21, 'index.html'), page)
    lchownSync(page, node.uid(1), node.uid(1))
    await site({ indexFiles: ['otra.php', 'fuera.html'] })
    expect(String(told('/i/')[1])).not.toContain('PRIVADO')
    unlinkSync(page)
    symlinkSync(node.path(2, 21, 'index.html'), node.path(1, 11, 'i/fuera.html'))
    lchownSync(node.path(1, 11, 'i/fuera.html'), node.uid(1), node.uid(1))
    expect(String(told('/i/')[1])).not.toContain('PRIVADO')
    unlinkSync(node.path(1, 11, 'i/fuera.html'))
  })

  test('are plain names or no settings at all, and the ordinary ones once they are taken away', async () => {
    for (const bad of [[], ['a/b.html'], ['.html'], ['a.sql'], ['a b.html'], ['a,b.html'], ['a.html\n']]) {
      expect(site({ indexFiles: bad })).rejects.toThrow(TypeError)
    }
    await site({})
    expect([told('/')[1], told('/k/')[1]]).toEqual(['portada', 'tampoco'])
  })
})

test('nothing is left of a site that is deleted', async () => {
  await node.site(
    1,
    12,
    'tres.es',
    rules({ webRoot: 'public/web', redirects: [{ from: '/a', to: '/b', status: 301 }] }),
  )
  expect(node.get('tres.es', '/a').status).toBe(301)
  await node.node.removeSite({ siteId: 12, clientId: 1, hosts: ['tres.es'], domain: 'tres.es' }, (_, run) =>
    run(),
  )
  const { layout } = node.node
  const left = [layout.rules, layout.policies, layout.names].flatMap((path) => readdirSync(path))
  expect(left.filter((name) => /12|tres/.test(name))).toEqual([])
})

test('a visitor who asks for the panel’s own places gets 404', async () => {
  await site({})
  for (const host of ['uno.es', 'dos.es', 'nadie.es']) {
    expect(node.get(host, '/_look_of_the_panel/index.html').status).toBe(404)
  }
})

test('none of this wrote an error of the web server’s own', () => {
  const log = readFileSync(join(node.node.layout.logs, 'nginx-error.log'), 'utf8')
  expect(
    log.split('\n').filter((line) => /\[(?:crit|alert|emerg)\]|cycle/.test(line) && !line.includes('/fuera')),
  ).toEqual([])
})

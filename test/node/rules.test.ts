import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { showAll } from '../../deploy/node/files/shown.ts'
import { location, ownErrors, type RulesNode, rules, secretOf, startRules } from './rules.ts'

let node: RulesNode['node']
let site: RulesNode['site']

beforeAll(async () => {
  ;({ node, site } = await startRules())
})
afterAll(() => node[Symbol.asyncDispose]())

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
    for (const bad of [Number.NaN, -1, 1.5, '1\nauto_prepend_file = /x' as never]) {
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
  expect(ownErrors(node)).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lchownSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { location, ownErrors, type RulesNode, secretOf, startRules } from './rules.ts'

let node: RulesNode['node']
let site: RulesNode['site']

beforeAll(async () => {
  ;({ node, site } = await startRules())
})
afterAll(() => node[Symbol.asyncDispose]())

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

test('none of this wrote an error of the web server’s own', () => {
  expect(ownErrors(node).filter((line) => !line.includes('/fuera'))).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TestNode } from '../support.ts'
import { startSites } from './support.ts'

let node: TestNode

beforeAll(async () => {
  node = await startSites()
})
afterAll(() => node[Symbol.asyncDispose]())

describe('what must not be served', () => {
  test('dot files, with the exception of .well-known', () => {
    for (const name of [
      '.env',
      '.git/config',
      '.htpasswd',
      'a/.svn/entries',
      '.well-known/.x',
      '.well-known/p.php',
    ]) {
      node.put(2, 21, name, 'secreto')
      expect([name, node.get('dos.es', `/${name}`).status]).toEqual([name, 404])
    }
    node.put(2, 21, '.well-known/security.txt', 'Contact: x')
    expect(node.get('dos.es', '/.well-known/security.txt').body).toBe('Contact: x')
  })

  test('what is left behind by oversight: dumps, logs, copies and leftovers of editors', () => {
    const names = [
      'wp-config.php.bak',
      'wp-config.php.txt',
      'wp-config.php~',
      'config.php.old',
      'index.php.save',
    ]
    const dumps = [
      'copia.sql',
      'copia.SQL.GZ',
      'copia.sql.zip',
      'copia.dump',
      'a/error_php.log',
      'error.log.2.gz',
    ]
    for (const name of [
      ...names,
      ...dumps,
      '#config.php#',
      'notas.txt~',
      'WP-CONFIG.PHP.orig',
      'pagina.php.swp',
    ]) {
      node.put(2, 21, name, 'secreto')
      const path = `/${name.replaceAll('#', '%23')}`
      expect([name, node.get('dos.es', path).status]).toEqual([name, 404])
    }
    for (const name of ['mysql.html', 'blog.txt', 'catalog', 'copia.sqlite.js', 'bold.css', 'changelog.md']) {
      node.put(2, 21, name, 'visible')
      expect([name, node.get('dos.es', `/${name}`).body]).toEqual([name, 'visible'])
    }
  })

  test('the text of a PHP program, also where the site runs no PHP', async () => {
    node.put(2, 21, 'app.php', '<?php $clave = "secreto"; echo "corre";')
    node.put(2, 21, 'index.php', '<?php $clave = "secreto"; echo "portada";')
    expect(node.get('dos.es', '/app.php').body).toBe('corre')
    await node.site(2, 21, 'dos.es', { php: null })
    for (const path of ['/app.php', '/', '/index.php', '/app.php/x', '/otra']) {
      const { status, body } = node.get('dos.es', path)
      expect([path, status, body.includes('secreto')]).toEqual([path, 404, false])
    }
    await node.site(2, 21, 'dos.es')
    rmSync(node.path(2, 21, 'index.php'))
  })

  test('an uploaded picture never runs as a program', () => {
    node.put(2, 21, 'x.jpg', '<?php echo "ejecutado";')
    node.put(2, 21, 'x.php.jpg', '<?php echo "ejecutado";')
    for (const path of ['/x.jpg/a.php', '/x.jpg/.php', '/x.jpg%00.php', '/x.php.jpg', '/x.jpg%20/a.php']) {
      expect([path, node.get('dos.es', path).body.startsWith('ejecutado')]).toEqual([path, false])
    }
    expect(node.get('dos.es', '/x.jpg/a.php').status).toBe(404)
  })

  test('a picture that a visitor uploads is served from where its program moves it, on an older node too', async () => {
    node.put(2, 21, 'subir.php', '<?php move_uploaded_file($_FILES["f"]["tmp_name"], "subidas/foto.jpg");')
    node.put(2, 21, 'subidas/.gitkeep', '')
    chownSync(node.path(2, 21, 'subidas'), node.uid(2), statSync(node.path(2, 21)).gid)
    const temporary = `${node.node.layout.client(2)}/tmp`
    const upload = () => {
      expect(node.get('dos.es', '/subir.php', ['-F', `f=@${import.meta.path}`]).status).toBe(200)
      const shown = node.get('dos.es', '/subidas/foto.jpg')
      expect([shown.status, shown.body]).toEqual([200, readFileSync(import.meta.path, 'utf8')])
      rmSync(node.path(2, 21, 'subidas/foto.jpg'))
    }
    upload()
    // As nodes were before: of the client's own group.
    lchownSync(temporary, node.uid(2), node.uid(2))
    chmodSync(temporary, 0o700)
    await node.client(2)
    upload()
    rmSync(node.path(2, 21, 'subidas'), { recursive: true })
  })

  test('a program gets the rest of its path', () => {
    node.put(2, 21, 'i.php', '<?php echo $_SERVER["PATH_INFO"], "|", $_SERVER["SCRIPT_NAME"];')
    expect(node.get('dos.es', '/i.php/a/b?c').body).toBe('/a/b|/i.php')
  })

  test('files outside by way of links, directories or dots in the path', () => {
    const link = (target: string, name: string) => {
      symlinkSync(target, node.path(2, 21, name))
      lchownSync(node.path(2, 21, name), node.uid(2), node.uid(2))
    }
    link('/etc/passwd', 'p.txt')
    link('/etc', 'etc')
    link(node.node.layout.certificates, 't')
    link(node.put(1, 11, 'foto.jpg', 'jpg'), 'foto.jpg')
    for (const path of [
      '/p.txt',
      '/etc/passwd',
      '/t/default',
      '/foto.jpg',
      '/../../../1/11/public/foto.jpg',
      '/%2e%2e/%2e%2e/',
    ]) {
      const { status, body } = node.get('dos.es', path)
      expect([path, [400, 403, 404].includes(status), /root:|PRIVATE|^jpg/.test(body)]).toEqual([
        path,
        true,
        false,
      ])
    }
    link(node.put(2, 21, 'dir/propio.txt', 'propio'), 'enlace.txt')
    expect(node.get('dos.es', '/enlace.txt').body).toBe('propio')
  })
})

test('a file that its owner linked is sent, whatever its name, and the error log is silent about it', () => {
  const log = join(node.node.layout.logs, 'nginx-error.log')
  const before = readFileSync(log, 'utf8')
  node.put(1, 11, 'dentro/real.css', 'p{}')
  lchownSync(node.path(1, 11, 'dentro'), node.uid(1), node.uid(1))
  for (const [target, name] of [
    ['dentro/real.css', 'enlace.css'],
    ['dentro', 'otro'],
    ['dentro/real.css', 'enlace'],
  ] as const) {
    symlinkSync(target, node.path(1, 11, name))
    lchownSync(node.path(1, 11, name), node.uid(1), node.uid(1))
  }
  for (const path of ['/enlace.css', '/otro/real.css', '/enlace']) {
    const { status, body } = node.get('uno.es', path)
    expect([path, status, body]).toEqual([path, 200, 'p{}'])
  }
  expect(readFileSync(log, 'utf8')).toBe(before)
})

test('an address that is no file reaches index.php with path and query', () => {
  node.put(1, 11, 'index.php', '<?php echo $_SERVER["REQUEST_URI"], "|", $_GET["a"] ?? "";')
  expect(node.get('uno.es', '/2026/11/hola?a=b').body).toBe('/2026/11/hola?a=b|b')
  mkdirSync(node.path(1, 11, 'vacio'))
  expect(node.get('uno.es', '/vacio').headers).toContain('Location: /vacio/')
})

test('httpoxy: a Proxy header does not reach the program as a proxy', () => {
  node.put(1, 11, 'h.php', '<?php var_dump($_SERVER["HTTP_PROXY"] ?? null, getenv("HTTP_PROXY"));')
  expect(node.get('uno.es', '/h.php', ['-H', 'Proxy: http://mal.es']).body).not.toContain('mal.es')
})

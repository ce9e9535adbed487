import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as secureConnect } from 'node:tls'
import { showAll } from '../../../deploy/node/files/shown.ts'
import { setLink } from '../../../deploy/node/host/files.ts'
import { quickest } from '../../support/quickest.ts'
import { eventually } from '../../support/wait.ts'
import { certificateFor, curl, step, type TestNode } from '../support.ts'
import { startSites } from './support.ts'

let node: TestNode

beforeAll(async () => {
  node = await startSites()
})
afterAll(() => node[Symbol.asyncDispose]())

/** Bytes as they are, for requests that no client would send. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(node.options.httpPort, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (part) => {
      answer += part.toString('latin1')
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** How a TLS handshake for a name ends. */
function handshake(servername: string): Promise<string> {
  return new Promise((resolve) => {
    const target = { host: '127.0.0.1', port: node.options.httpsPort, servername, rejectUnauthorized: false }
    const socket = secureConnect(target, () => {
      socket.destroy()
      resolve('secure')
    })
    socket.on('error', (error) => resolve(error.message))
  })
}

describe('a site', () => {
  test('without content shows a placeholder under all of its names, on HTTP and HTTPS', () => {
    for (const host of ['uno.es', 'www.uno.es', 'xn--ao-zja.es', 'WWW.Uno.ES']) {
      expect(node.get(host).body).toContain('todavía no tiene contenido')
      expect(node.get(host).status).toBe(200)
    }
    expect(node.getSecure('uno.es').status).toBe(200)
    expect(node.getSecure('uno.es').headers).toStartWith('HTTP/2 200')
    expect(statSync(node.path(1, 11)).nlink).toBe(2)
  })

  test('with content shows that, byte for byte, with its type', () => {
    node.put(2, 21, 'index.html', '<p>dos</p>')
    node.put(2, 21, 'a b/ñ.css', 'p{}')
    expect(node.get('dos.es').body).toBe('<p>dos</p>')
    expect(node.get('dos.es', '/a%20b/%C3%B1.css').headers).toContain('Content-Type: text/css')
    expect(node.get('dos.es', '/nada').status).toBe(404)
    rmSync(node.path(2, 21, 'index.html'))
  })

  test('a name that no site has is 404, and so is every path below it', () => {
    for (const path of ['/', '/index.php', '/.env', '/x/y'])
      expect(node.get('nadie.es', path).status).toBe(404)
    expect(node.getSecure('nadie.es').status).toBe(404)
  })

  test('names that are no host names reach no file', async () => {
    const names = [
      '_',
      'public',
      '..',
      '../c/1/11',
      'a..b',
      'uno.es/../dos.es',
      '$host',
      '%2e%2e',
      'a;b',
      '[::1]',
      '',
    ]
    for (const name of names) {
      const answer = await raw(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
      expect([name, /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]]).toEqual([name, expect.stringMatching(/^40[04]$/)])
    }
  })

  test('an alias that is taken away is 404 at once, one that is added is served at once', async () => {
    await node.site(1, 11, 'uno.es', { aliases: ['nuevo.uno.es'] })
    expect(node.get('nuevo.uno.es').status).toBe(200)
    expect(node.get('www.uno.es').status).toBe(404)
    await node.site(1, 11, 'uno.es', { aliases: ['www.uno.es', 'xn--ao-zja.es'] })
    expect(node.get('nuevo.uno.es').status).toBe(404)
    expect(node.get('www.uno.es').status).toBe(200)
  })

  test('no answer tells the version of the web server or of PHP', () => {
    node.put(2, 21, 'v.php', '<?php echo 1;')
    const answers = [
      node.get('dos.es', '/v.php'),
      node.get('nadie.es'),
      node.get('dos.es', '/%zz'),
      node.get('dos.es'),
    ]
    for (const { headers, body } of answers) {
      expect(headers + body).not.toMatch(/nginx\/|X-Powered-By|PHP\/8/i)
    }
  })
})

describe('HTTPS', () => {
  test('shows a certificate of its own as soon as it is installed, and never to another name', async () => {
    const [one, two] = [certificateFor('uno.es'), certificateFor('uno.es')]
    const authority = join(node.directory, 'uno.pem')
    const trusted = (host: string) => node.getSecure(host, '/', ['--cacert', authority]).status
    writeFileSync(authority, one.certPem)
    expect(trusted('uno.es')).toBe(0)
    await node.node.installCertificate('uno.es', one.certPem, one.keyPem)
    expect(trusted('uno.es')).toBe(200)
    expect(trusted('www.uno.es')).toBe(0)
    expect(trusted('dos.es')).toBe(0)
    expect(trusted('nadie.es')).toBe(0)
    await node.node.installCertificate('uno.es', two.certPem, two.keyPem)
    expect(trusted('uno.es')).toBe(0)
    writeFileSync(authority, two.certPem)
    expect(trusted('uno.es')).toBe(200)
  })

  test('no handshake fails while a certificate is replaced by one with another key, again and again', async () => {
    const pairs = [certificateFor('uno.es'), certificateFor('uno.es')]
    const outcomes: string[] = []
    let on = true
    const visitors = Array.from({ length: 4 }, async () => {
      while (on) outcomes.push(await handshake('uno.es'))
    })
    for (let renewal = 0; renewal < 200; renewal++) {
      for (const { certPem, keyPem } of pairs) await node.node.installCertificate('uno.es', certPem, keyPem)
      await Bun.sleep(2)
    }
    on = false
    await Promise.all(visitors)
    expect(outcomes.length).toBeGreaterThan(100)
    expect(outcomes.filter((outcome) => outcome !== 'secure')).toEqual([])
  }, 60_000)

  test('keys are readable by root and the web server alone', () => {
    const { mode, uid, gid } = statSync(node.node.layout.certificate('uno.es'))
    expect([mode & 0o777, uid, gid]).toEqual([0o640, 0, 33])
  })

  test('a key of another certificate, no certificate, and a name that is not served are refused', async () => {
    const [one, two] = [certificateFor('uno.es'), certificateFor('uno.es')]
    const before = readFileSync(node.node.layout.certificate('uno.es'), 'utf8')
    const install = node.node.installCertificate
    expect(install('uno.es', one.certPem, two.keyPem)).rejects.toThrow('not the one of the certificate')
    expect(install('uno.es', 'hola', one.keyPem)).rejects.toThrow('not a certificate')
    expect(install('nadie.es', one.certPem, one.keyPem)).rejects.toThrow('not served')
    expect(install('../dos.es', one.certPem, one.keyPem)).rejects.toThrow('not a host name')
    expect(readFileSync(node.node.layout.certificate('uno.es'), 'utf8')).toBe(before)
  })

  test('a name claimed by another client starts without the former certificate', async () => {
    const { certPem, keyPem } = certificateFor('mudo.es')
    const authority = join(node.directory, 'mudo.pem')
    writeFileSync(authority, certPem)
    await node.site(1, 12, 'mudo.es')
    await node.node.installCertificate('mudo.es', certPem, keyPem)
    node.put(1, 12, 'index.html', 'de uno')
    await node.site(2, 22, 'mudo.es')
    // The removal of the former site comes late, and takes nothing from the new one.
    await node.node.removeSite({ siteId: 12, clientId: 1, hosts: ['mudo.es'], domain: 'mudo.es' }, step)
    expect(node.getSecure('mudo.es', '/', ['--cacert', authority]).status).toBe(0)
    expect(node.getSecure('mudo.es').body).toContain('todavía no tiene contenido')
  })

  test('alone: plain HTTP is redirected with path and query, and is served again when the setting is turned off', async () => {
    await node.site(2, 21, 'dos.es', { httpsOnly: true })
    const moved = node.get('dos.es', '/a%20b?c=d')
    expect(moved.status).toBe(301)
    expect(moved.headers).toContain(`Location: https://dos.es:${node.options.httpsPort}/a%20b?c=d`)
    expect(node.getSecure('dos.es').status).toBe(200)
    await node.site(2, 21, 'dos.es')
    expect(node.get('dos.es').status).toBe(200)
  })
})

describe('an authority’s challenge', () => {
  test('is answered in plain HTTP under every name: served, redirected, suspended, unknown', async () => {
    writeFileSync(join(node.node.challengeDirectory, 'tok_en-1'), 'tok_en-1.huella', { mode: 0o644 })
    await node.site(1, 13, 'solo.es', { httpsOnly: true })
    await node.site(1, 14, 'parado.es', { suspended: true })
    const path = '/.well-known/acme-challenge/tok_en-1'
    for (const host of ['uno.es', 'solo.es', 'parado.es', 'panel.ejemplo.es']) {
      expect([host, node.get(host, path).body]).toEqual([host, 'tok_en-1.huella'])
    }
    expect(node.get('uno.es', '/.well-known/acme-challenge/otro').status).toBe(404)
    expect(node.get('uno.es', '/.well-known/acme-challenge/../../h').status).not.toBe(200)
  })
})

describe('suspension', () => {
  test('answers 503 on every path and name from the next request on, and activation brings back the same bytes', async () => {
    node.put(1, 11, 'index.php', '<?php echo "hola ", $_SERVER["REQUEST_URI"];')
    node.put(1, 11, 'foto.jpg', 'jpg')
    const paths = ['/', '/foto.jpg', '/enlace/permanente?x=1', '/.env', '/nada.php']
    const all = () => paths.flatMap((path) => ['uno.es', 'www.uno.es'].map((host) => node.get(host, path)))
    const before = all().map(({ status, body }) => ({ status, body }))
    await node.client(1, { suspended: true })
    for (const { status, headers, body } of [...all(), node.getSecure('uno.es')]) {
      expect(status).toBe(503)
      expect(headers.toLowerCase()).toContain('retry-after: 3600')
      expect(body).toContain('Sitio suspendido')
      expect(body).not.toContain('hola')
    }
    await node.client(1)
    expect(all().map(({ status, body }) => ({ status, body }))).toEqual(before)
  })

  test('takes, as activation does, less than 100 ms', async () => {
    let suspended = false
    const turn = () => {
      suspended = !suspended
      return node.client(1, { suspended })
    }
    // The slower of the two, of three times.
    const both = async () => Math.max(await quickest(turn, 1), await quickest(turn, 1))
    expect(Math.min(await both(), await both(), await both())).toBeLessThan(100)
  })

  test('holds for an open connection too', async () => {
    const requests = 'GET /foto.jpg HTTP/1.1\r\nHost: uno.es\r\n\r\n'
    const socket = connect(node.options.httpPort, '127.0.0.1')
    const answer = () =>
      new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    socket.write(requests)
    expect(await answer()).toStartWith('HTTP/1.1 200')
    await node.client(1, { suspended: true })
    socket.write(requests)
    expect(await answer()).toStartWith('HTTP/1.1 503')
    socket.destroy()
    await node.client(1)
  })

  test('of a client reaches the sites that are made while it lasts', async () => {
    await node.client(1, { suspended: true })
    await node.site(1, 15, 'tarde.es')
    expect(node.get('tarde.es').status).toBe(503)
    await node.client(1)
    expect(node.get('tarde.es').status).toBe(200)
  })

  test('of one site leaves the others of its client alone', async () => {
    await node.site(1, 11, 'uno.es', { suspended: true, aliases: ['www.uno.es'] })
    expect([node.get('uno.es').status, node.get('www.uno.es').status, node.get('tarde.es').status]).toEqual([
      503, 503, 200,
    ])
    await node.site(1, 11, 'uno.es', { aliases: ['www.uno.es'] })
    expect(node.get('uno.es').status).toBe(200)
  })

  test('ends the PHP that runs, and soon no process of the client is left', async () => {
    node.put(1, 11, 'duerme.php', '<?php sleep(20);')
    const sleeping = Bun.spawn([
      '/usr/bin/curl',
      '-s',
      '-m',
      '15',
      '-H',
      'Host: uno.es',
      `http://127.0.0.1:${node.options.httpPort}/duerme.php`,
    ])
    const workers = () =>
      Bun.spawnSync(['/usr/bin/pgrep', '-u', String(node.uid(1))])
        .stdout.toString()
        .trim()
    while (workers() === '') await Bun.sleep(5)
    await node.client(1, { suspended: true })
    // The request was cut off; the worker that took its place is idle, and ends by itself.
    await sleeping.exited
    while (workers() !== '') await Bun.sleep(20)
    await node.client(1)
    expect(node.get('uno.es').body).toBe('hola /')
  }, 60_000)
})

test('the web server’s view of the names is made anew from their links', async () => {
  const { layout } = node.node
  const names = () => readdirSync(layout.names).sort()
  const before = names()
  rmSync(layout.shownHost('uno.es'))
  setLink(layout.temporary, layout.shownHost('dos.es'), '1_11_s')
  writeFileSync(layout.shown('9_99_sof'), '')
  symlinkSync('9_99_sof', layout.shownHost('nadie.es'))
  expect(node.get('uno.es').status).toBe(404)
  showAll(layout)
  expect(names()).toEqual(before)
  node.put(2, 21, 'de.txt', 'de dos')
  expect([node.get('uno.es').status, node.get('dos.es', '/de.txt').body]).toEqual([200, 'de dos'])
  expect(node.get('nadie.es').status).toBe(404)
})

test('the log has one line of JSON a request, with client, host and bytes in both directions', async () => {
  const lines = () => readFileSync(node.node.accessLog, 'utf8').trim().split('\n')
  const before = lines().length
  node.get('dos.es', '/foto"\\.jpg')
  node.put(2, 21, 'cuerpo.php', '<?php echo strlen(file_get_contents("php://input"));')
  curl(`http://127.0.0.1:${node.options.httpPort}/cuerpo.php`, ['-H', 'Host: dos.es', '-d', 'x'.repeat(5000)])
  // A line is written once its answer has left.
  await eventually(async () => lines().length >= before + 2, 'both lines')
  const [one, two] = lines()
    .slice(before)
    .map((line) => JSON.parse(line))
  expect(one).toEqual({
    t: expect.any(Number),
    c: '2',
    h: 'dos.es',
    s: 404,
    o: expect.any(Number),
    i: expect.any(Number),
    w: '21',
    r: {
      cuando: expect.any(String),
      direccion: '127.0.0.1',
      metodo: 'GET',
      ruta: '/foto"\\.jpg',
      estado: 404,
      bytes: one.o,
      segundos: expect.any(Number),
      agente: expect.stringContaining('curl/'),
    },
  })
  expect([two.c, two.h]).toEqual(['2', 'dos.es'])
  expect(two.i).toBeGreaterThan(5000)
})

test('no change of any site made a worker of the web server start anew', async () => {
  const main = node.node.supervisor.processOf('nginx')
  const workers = () => Bun.spawnSync(['/usr/bin/pgrep', '-P', String(main?.pid)]).stdout.toString()
  const before = workers()
  for (let site = 30; site < 40; site++) {
    await node.site(2, site, `s${site}.es`, { httpsOnly: site % 2 === 0 })
    const { certPem, keyPem } = certificateFor(`s${site}.es`)
    await node.node.installCertificate(`s${site}.es`, certPem, keyPem)
    await node.node.removeSite({ siteId: site, clientId: 2, hosts: [], domain: `s${site}.es` }, step)
    expect(node.get(`s${site}.es`).status).toBe(404)
  }
  expect(workers()).toBe(before)
  expect(node.node.supervisor.processOf('nginx')).toEqual(main)
})

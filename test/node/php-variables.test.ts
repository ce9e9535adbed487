import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../deploy/node/services/process.ts'
import { freePort } from '../support/ports.ts'
import { certificateFor, curl, startNode, type TestNode } from './support.ts'

const HOST = 'tabla.es'
const SHOWN = '<?php header("Content-Type: application/json"); echo json_encode($_SERVER);'
/**
 * Told anew by each connection or moment, or hidden on purpose: the version of the web server. The user that PHP-FPM
 * is set up with here has no name and no home.
 */
const OWN = ['REMOTE_PORT', 'REQUEST_TIME', 'REQUEST_TIME_FLOAT', 'SERVER_SOFTWARE', 'USER', 'HOME']

let node: TestNode
let plain: Awaited<ReturnType<typeof startPlain>>

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.site(1, 10, HOST)
  for (const name of ['index.php', 'i.php', 'sub/index.php', 'sub/i.php', 'ñ a.php']) {
    node.put(1, 10, name, SHOWN)
  }
  node.put(1, 10, 'x.jpg', SHOWN)
  plain = await startPlain(node)
  expect(await plain.ready()).toBe(true)
})
afterAll(async () => {
  await plain?.stop()
  await node[Symbol.asyncDispose]()
})

/** nginx and PHP-FPM as Debian's own snippets set them up, for the same files and the same Unix user. */
async function startPlain({ directory, path, uid }: TestNode) {
  const at = (name: string) => join(directory, 'plain', name)
  mkdirSync(at(''), { mode: 0o755 })
  const ports = { http: await freePort(), https: await freePort() }
  const { certPem, keyPem } = certificateFor(HOST)
  writeFileSync(at('cert.pem'), certPem)
  writeFileSync(at('key.pem'), keyPem)
  const logs = `error_log ${at('error.log')};`
  // Where the snippet looks for it: beside the main file.
  copyFileSync('/etc/nginx/fastcgi.conf', at('fastcgi.conf'))
  writeFileSync(
    at('nginx.conf'),
    `user www-data; daemon off; pid ${at('nginx.pid')}; ${logs}
     events { worker_connections 64; }
     http {
       access_log off; client_body_temp_path ${at('body')}; fastcgi_temp_path ${at('fastcgi')};
       proxy_temp_path ${at('proxy')}; uwsgi_temp_path ${at('uwsgi')}; scgi_temp_path ${at('scgi')};
       server {
         listen 127.0.0.1:${ports.http}; listen 127.0.0.1:${ports.https} ssl http2;
         ssl_certificate ${at('cert.pem')}; ssl_certificate_key ${at('key.pem')};
         server_name ${HOST}; root ${path(1, 10)}; index index.php index.html; absolute_redirect off;
         location / { try_files $uri $uri/ /index.php?$args; }
         location ~ \\.php(?:$|/) {
           include /etc/nginx/snippets/fastcgi-php.conf;
           fastcgi_pass unix:${at('php.sock')};
         }
       }
     }`,
  )
  writeFileSync(
    at('fpm.conf'),
    `[global]\nerror_log = ${at('fpm.log')}\n[www]\nuser = ${uid(1)}\ngroup = ${uid(1)}\nlisten = ${at('php.sock')}
listen.owner = www-data\npm = static\npm.max_children = 1\n`,
  )
  const processes: ChildProcess[] = [
    spawn('/usr/sbin/php-fpm8.2', ['--nodaemonize', '--fpm-config', at('fpm.conf')], { stdio: 'ignore' }),
    spawn('/usr/sbin/nginx', ['-c', at('nginx.conf')], { stdio: 'ignore' }),
  ]
  const ready = () => existsSync(at('php.sock')) && curl(`http://127.0.0.1:${ports.http}/`, []).status === 200
  return {
    ready: () => waitUntil(ready, { timeoutMs: 10_000 }),
    ports,
    async stop() {
      for (const one of processes) one.kill('SIGTERM')
      await Promise.all(
        processes.map((one) => one.exitCode ?? new Promise((resolve) => one.once('exit', resolve))),
      )
    },
  }
}

/** What a program sees on one of the two servers; another answer than a program's as its status. */
function seen(
  port: number,
  { path, secure, extra = [] }: { path: string; secure: boolean; extra?: string[] },
): Record<string, unknown> | number {
  const target = ['--resolve', `${HOST}:${port}:127.0.0.1`, '-k', ...extra]
  const answer = curl(`${secure ? 'https' : 'http'}://${HOST}:${port}${path}`, target)
  if (!answer.headers.toLowerCase().includes('application/json')) return answer.status
  const all = Object.entries(JSON.parse(answer.body) as Record<string, unknown>)
  return Object.fromEntries(
    all
      .filter(([name]) => !OWN.includes(name))
      .map(([name, value]) => [name, String(value).replaceAll(`${port}`, 'PORT')]),
  )
}

const PATHS = [
  '/',
  '/?a=1&b=c%20d',
  '/index.php',
  '/i.php',
  '/i.php?x=1',
  '/i.php/',
  '/i.php/extra',
  '/i.php/a/b?x=1',
  '/i.php/a%2Fb/c%20d',
  '/i.php/otra.php/x',
  '/sub/',
  '/sub/?x=1',
  '/sub',
  '/sub/i.php',
  '/sub/i.php/extra',
  '/foo/bar',
  '/foo/bar?x=1',
  '/foo%20bar/%C3%B1?q=%C3%B1',
  '/%C3%B1%20a.php',
  '/%C3%B1%20a.php/m%C3%A1s',
  '//i.php',
  '/sub/../i.php',
  '/missing.php',
  '/missing.php/extra',
  '/x.jpg/a.php',
  '/x.jpg/',
]

const REQUESTS: Record<string, string[]> = {
  'a form': ['-d', 'a=1'],
  'basic authorisation': ['-u', 'ana:clave'],
  'HTTP/1.0': ['--http1.0'],
  'headers of its own': ['-H', 'X-Forwarded-For: 192.0.2.1', '-H', 'Proxy: http://mala.es/'],
}

const ours = (secure: boolean) => (secure ? node.options.httpsPort : node.options.httpPort)
const theirs = (secure: boolean) => (secure ? plain.ports.https : plain.ports.http)

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('over %s', (_name, secure) => {
  test.each(PATHS)('%s gives a program what Debian’s own configuration gives it', (path) => {
    const expected = seen(theirs(secure), { path, secure })
    expect(seen(ours(secure), { path, secure })).toEqual(expected)
  })

  test.each(Object.keys(REQUESTS))('%s gives a program what Debian’s own configuration gives it', (name) => {
    const request = { path: '/i.php/extra?x=1', secure, extra: REQUESTS[name] ?? [] }
    const expected = seen(theirs(secure), request)
    expect(Object(expected).PHP_SELF).toBe('/i.php/extra')
    expect(seen(ours(secure), request)).toEqual(expected)
  })
})

test('PHP_SELF is what applications build their own addresses from', () => {
  const self = (path: string) => Object(seen(ours(false), { path, secure: false })).PHP_SELF
  expect(self('/')).toBe('/index.php')
  expect(self('/i.php/extra')).toBe('/i.php/extra')
  expect(self('/foo/bar')).toBe('/index.php')
  expect(self('/sub/')).toBe('/sub/index.php')
})

test('a picture is never run as a program, whatever follows its name', () => {
  for (const path of ['/x.jpg/a.php', '/x.jpg/.php', '/x.jpg%00.php', '/x.jpg/i.php/x']) {
    expect([path, typeof seen(ours(false), { path, secure: false })]).toEqual([path, 'number'])
  }
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lchownSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { startNode, type TestNode } from './support.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.client(2)
  await node.site(1, 11, 'uno.es')
  await node.site(2, 21, 'dos.es')
  node.put(1, 11, 'estilo.css', `p{}${' '.repeat(4000)}`)
})
afterAll(() => node[Symbol.asyncDispose]())

const accepting = (encoding: string) => ['-H', `Accept-Encoding: ${encoding}`]

/** The body as its bytes, which `get` takes for text. */
function bytes(host: string, path: string, encoding: string): Uint8Array {
  const url = `http://127.0.0.1:${node.options.httpPort}${path}`
  const argv = ['/usr/bin/curl', '-s', '-H', `Host: ${host}`, ...accepting(encoding), url]
  return new Uint8Array(Bun.spawnSync(argv).stdout)
}

test('a text is compressed by brotli for those that take it, by gzip for others, else by nothing', () => {
  expect(node.get('uno.es', '/estilo.css', accepting('gzip, br')).headers).toContain('Content-Encoding: br')
  expect(node.get('uno.es', '/estilo.css', accepting('gzip')).headers).toContain('Content-Encoding: gzip')
  expect(node.get('uno.es', '/estilo.css').headers).not.toContain('Content-Encoding')
  expect(brotliDecompressSync(bytes('uno.es', '/estilo.css', 'br')).toString()).toStartWith('p{}')
})

test('a compressed file beside the original is sent as it is, with a Vary header for caches', () => {
  node.put(1, 11, 'app.js', 'normal')
  writeFileSync(node.put(1, 11, 'app.js.gz', ''), gzipSync('por gzip'))
  writeFileSync(node.put(1, 11, 'app.js.br', ''), brotliCompressSync('por brotli'))
  expect(brotliDecompressSync(bytes('uno.es', '/app.js', 'gzip, br')).toString()).toBe('por brotli')
  expect(Buffer.from(Bun.gunzipSync(bytes('uno.es', '/app.js', 'gzip').slice())).toString()).toBe('por gzip')
  expect(node.get('uno.es', '/app.js').body).toBe('normal')
  // Whether it is compressed depends on the visitor, also where it is not.
  expect(node.get('uno.es', '/app.js').headers.match(/^Vary: Accept-Encoding\r?$/gm)).toHaveLength(1)
  for (const encoding of ['br', 'gzip']) {
    const { headers } = node.get('uno.es', '/app.js', accepting(encoding))
    expect(headers).toContain('Content-Type: text/javascript')
    expect(headers.match(/^Vary: Accept-Encoding\r?$/gm)).toHaveLength(1)
  }
})

test('a compressed file that is a link to another owner’s is not sent', () => {
  const secret = node.put(2, 21, 'secreto.txt', 'de dos')
  node.put(1, 11, 'robo.css', 'propio')
  node.put(1, 11, 'dir/otro.css', 'propio')
  for (const ending of ['gz', 'br']) {
    for (const [target, name] of [
      [secret, `robo.css.${ending}`],
      ['/etc/passwd', `dir/otro.css.${ending}`],
    ] as const) {
      symlinkSync(target, node.path(1, 11, name))
      lchownSync(node.path(1, 11, name), node.uid(1), node.uid(1))
    }
  }
  for (const encoding of ['br', 'gzip', 'gzip, br']) {
    for (const path of ['/robo.css', '/dir/otro.css']) {
      const { status, body } = node.get('uno.es', path, accepting(encoding))
      expect([path, encoding, status === 403 || body === 'propio', /de dos|root:/.test(body)]).toEqual([
        path,
        encoding,
        true,
        false,
      ])
    }
  }
})

test('the compressed form of a hidden or suspended file is not sent either', async () => {
  for (const name of ['.oculto.css', '.oculto.css.gz', 'p.php.gz', 'p.php']) node.put(1, 11, name, 'secreto')
  expect(node.get('uno.es', '/.oculto.css', accepting('gzip')).status).toBe(404)
  await node.site(1, 11, 'uno.es', { php: null })
  expect(node.get('uno.es', '/p.php', accepting('gzip')).status).toBe(404)
  await node.site(1, 11, 'uno.es', { suspended: true })
  expect(node.get('uno.es', '/app.js', accepting('gzip, br')).status).toBe(503)
  await node.site(1, 11, 'uno.es')
})

test('an address with an extension that is no file reaches index.php with its method and body', () => {
  node.put(
    1,
    11,
    'index.php',
    '<?php echo $_SERVER["REQUEST_METHOD"], file_get_contents("php://input"), $_SERVER["REQUEST_URI"];',
  )
  expect(node.get('uno.es', '/mapa.xml?a=1').body).toBe('GET/mapa.xml?a=1')
  expect(node.get('uno.es', '/v1.0/x.json', ['-X', 'PUT', '-d', 'cuerpo']).body).toBe('PUTcuerpo/v1.0/x.json')
  expect(node.get('uno.es', '/x.jpg', ['-d', 'a=b']).body).toBe('POSTa=b/x.jpg')
})

test('nothing is written to the error log for a file that is missing or a name that nobody has', async () => {
  const log = () => Bun.file(join(node.node.layout.logs, 'nginx-error.log')).text()
  const before = (await log()).length
  for (const path of ['/nada.jpg', '/nada.css', '/nada/', '/nada']) node.get('uno.es', path)
  node.get('nadie.es')
  expect((await log()).slice(before)).toBe('')
})

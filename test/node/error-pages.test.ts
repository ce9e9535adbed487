import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import { startNode, type TestNode } from './support.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.site(1, 10, 'uno.es')
  node.put(1, 10, 'hola.txt', 'hola')
  node.put(1, 10, 'i.php', '<?php http_response_code((int) ($_GET["c"] ?? 200)); echo "de la web";')
  node.put(1, 10, 'sub/hola.txt', 'hola')
})
afterAll(() => node[Symbol.asyncDispose]())

/** Whether an answer is whole by its Content-Length. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const length = /^Content-Length: (\d+)/im.exec(answer.slice(0, Math.max(0, end)))?.[1]
  return length !== undefined && answer.length - end - 4 >= Number(length)
}

/** The whole answer to bytes as they are, over plain HTTP or TLS. */
function raw(text: string, secure = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = secure
      ? secureConnect({
          host: '127.0.0.1',
          port: node.options.httpsPort,
          servername: 'uno.es',
          rejectUnauthorized: false,
        })
      : connect(node.options.httpPort, '127.0.0.1')
    let answer = ''
    socket.on('data', (part) => {
      answer += part.toString('latin1')
      // nginx may leave the connection open for the rest of a body that it refused.
      if (isWhole(answer)) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
    socket.end(text)
  })
}

const request = (line: string, ...headers: string[]) =>
  `${line}\r\n${['Connection: close', ...headers].join('\r\n')}\r\n\r\n`
const HOST = 'Host: uno.es'

const REQUESTS: Record<string, [text: string, status: number]> = {
  'a body above the limit': [request('POST /i.php HTTP/1.1', HOST, 'Content-Length: 99999999999'), 413],
  'a body above the limit for a file': [
    request('POST /hola.txt HTTP/1.1', HOST, 'Content-Length: 99999999999'),
    413,
  ],
  'a body with another method than a file takes': [
    `${request('POST /hola.txt HTTP/1.1', HOST, 'Content-Length: 1')}x`,
    405,
  ],
  'a line that is too long': [request(`GET /${'a'.repeat(17_000)} HTTP/1.1`, HOST), 414],
  'a header that is too long': [request('GET / HTTP/1.1', HOST, `X-Long: ${'a'.repeat(17_000)}`), 400],
  'too many headers': [
    request(
      'GET / HTTP/1.1',
      HOST,
      ...Array.from({ length: 5 }, (_, at) => `X-${at}: ${'a'.repeat(15_000)}`),
    ),
    400,
  ],
  'a path that is none': [request('GET /%zz HTTP/1.1', HOST), 400],
  'a path above the root': [request('GET /../../x HTTP/1.1', HOST), 400],
  'no host': [request('GET / HTTP/1.1'), 400],
  'two hosts': [request('GET / HTTP/1.1', HOST, 'Host: dos.es'), 400],
  'a host that is none': [request('GET / HTTP/1.1', 'Host: a..b'), 400],
  'a host with a slash': [request('GET / HTTP/1.1', 'Host: uno.es/x'), 400],
  'a host with a NUL': [request('GET / HTTP/1.1', 'Host: uno\0.es'), 400],
  'a method that is none': [request('get / HTTP/1.1', HOST), 400],
  'a method that nobody knows': [request('BREW /hola.txt HTTP/1.1', HOST), 405],
  'a method that would echo': [request('TRACE / HTTP/1.1', HOST), 405],
  'a length and chunks at once': [
    request('POST / HTTP/1.1', HOST, 'Content-Length: 3', 'Transfer-Encoding: chunked'),
    400,
  ],
  'an encoding that nobody knows': [request('POST / HTTP/1.1', HOST, 'Transfer-Encoding: hola'), 501],
  'a length that is none': [request('POST / HTTP/1.1', HOST, 'Content-Length: x'), 400],
  'a range beyond the end': [request('GET /hola.txt HTTP/1.1', HOST, 'Range: bytes=999-'), 416],
  'a condition that does not hold': [request('GET /hola.txt HTTP/1.1', HOST, 'If-Match: "x"'), 412],
  'a version that nobody knows': [request('GET / HTTP/3.7', HOST), 505],
  'a name that no site has': [request('GET / HTTP/1.1', 'Host: nadie.es'), 404],
  'a folder without an index': [request('GET /sub/ HTTP/1.1', HOST), 403],
}

test.each(Object.keys(REQUESTS))(
  '%s is answered with a page of the panel’s own, on HTTP and HTTPS',
  async (name) => {
    const [text, status] = REQUESTS[name] ?? ['', 0]
    for (const secure of [false, true]) {
      const answer = await raw(text, secure)
      expect([secure, Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])]).toEqual([secure, status])
      const body = answer.slice(answer.indexOf('\r\n\r\n'))
      expect([body.includes('<!doctype html><html lang="es">'), /<center>|nginx/i.test(body)]).toEqual([
        true,
        false,
      ])
      expect(answer).toContain('Content-Type: text/html; charset=utf-8')
    }
  },
)

test('plain HTTP to the port of HTTPS is told what is wrong', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(node.options.httpsPort, '127.0.0.1', () =>
      socket.end(request('GET / HTTP/1.1', HOST)),
    )
    let text = ''
    socket.on('data', (part) => {
      text += part.toString('latin1')
    })
    socket.on('close', () => resolve(text))
  })
  expect(answer).toStartWith('HTTP/1.1 400')
  expect(answer).toContain('<!doctype html><html lang="es">')
})

test('an error page of a program is sent as the program made it', () => {
  for (const status of [400, 403, 404, 405, 413, 429, 500, 503]) {
    const answer = node.get('uno.es', `/i.php?c=${status}`)
    expect([answer.status, answer.body]).toEqual([status, 'de la web'])
  }
})

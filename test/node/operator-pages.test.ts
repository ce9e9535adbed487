import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredPages } from '../../lib/endpoint/ports/pages.ts'
import { type Answer, startNode, step, type TestNode } from './support.ts'

let node: TestNode
const NONE: DesiredPages = { placeholder: null, suspended: null, missing: null }
const pageOf = (title: string) => ({
  ...{ title, text: '<b>uno</b>\n\ndos', name: 'Ejemplo', colour: '#7a1f5c', support: 'https://ayuda.es/' },
})
const OPERATORS: DesiredPages = {
  placeholder: pageOf('Muy pronto'),
  suspended: pageOf('En pausa'),
  missing: pageOf('Nadie vive aquí'),
}

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.client(2)
  await node.site(1, 10, 'vacio.es')
  await node.site(1, 11, 'parado.es', { suspended: true })
  await node.site(2, 20, 'cliente.es')
  await node.site(2, 21, 'mudado.es', { suspended: true, held: true })
  await node.client(2, { suspended: true })
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

const titleOf = ({ body }: Answer) => /<title>(.*)<\/title>/.exec(body)?.[1] ?? body
/** Each page under HTTP and HTTPS, by its status and title. */
const shown = () => {
  const told = (answer: Answer) => `${answer.status} ${titleOf(answer)}`
  const hosts = ['vacio.es', 'parado.es', 'cliente.es', 'nadie.es']
  return hosts.map((host) => {
    const [plain, secure] = [told(node.get(host)), told(node.getSecure(host, '/'))]
    return plain === secure ? plain : [plain, secure]
  })
}
const OWN = ['200 Sitio en preparación', '503 Sitio suspendido', '503 Sitio suspendido', '404 No encontrado']
const THEIRS = ['200 Muy pronto', '503 En pausa', '503 En pausa', '404 Nadie vive aquí']

test('the operator’s pages take the place of the panel’s at once, and the panel’s come back', async () => {
  expect(shown()).toEqual(OWN)
  expect(node.node.reality.pagesOff(NONE)).toEqual([])
  await node.node.showPages(OPERATORS, step)
  expect(shown()).toEqual(THEIRS)
  expect(node.node.reality.pagesOff(OPERATORS)).toEqual([])
  expect(node.node.reality.pagesOff({ ...OPERATORS, missing: null })).toEqual(['missing'])
  await node.node.showPages({ ...NONE, suspended: OPERATORS.suspended }, step)
  expect(shown()).toEqual([OWN[0] ?? '', THEIRS[1] ?? '', THEIRS[2] ?? '', OWN[3] ?? ''])
  await node.node.showPages(NONE, step)
  expect(shown()).toEqual(OWN)
})

const retryAfter = (headers: string) => /retry-after: (\d+)/i.exec(headers)?.[1] ?? null

test('what is written there is text, is not stored, and nothing on it runs', async () => {
  await node.node.showPages(OPERATORS, step)
  for (const host of ['vacio.es', 'parado.es', 'nadie.es']) {
    const { headers, body } = node.get(host)
    expect(body).toContain('<p>&lt;b&gt;uno&lt;/b&gt;</p><p>dos</p>')
    expect(headers).toMatch(/content-type: text\/html; ?charset=utf-8/i)
    expect(headers).toMatch(/cache-control: no-store/i)
    expect(headers).toMatch(/content-security-policy: default-src 'none'; style-src 'unsafe-inline';/i)
    expect(headers).toMatch(/x-content-type-options: nosniff/i)
    expect([host, retryAfter(headers)]).toEqual([host, host === 'parado.es' ? '60' : null])
  }
  // A site is away by itself while it is moved or restored, whatever its client is; a suspended client for longer.
  expect(retryAfter(node.get('mudado.es').headers)).toBe('60')
  expect(retryAfter(node.get('cliente.es').headers)).toBe('3600')
  expect(retryAfter(node.get('cliente.es', '/', ['-X', 'POST', '-d', 'a=b']).headers)).toBe('3600')
  expect(retryAfter(node.get('parado.es', '/', ['-X', 'POST', '-d', 'a=b']).headers)).toBe('60')
  for (const host of ['parado.es', 'nadie.es'])
    expect(node.get(host).headers).not.toMatch(/last-modified|etag|accept-ranges/i)
})

test('statuses stay for other paths, methods, and a part of a page', async () => {
  await node.node.showPages(OPERATORS, step)
  const status = (host: string, path: string, extra: string[]) => node.get(host, path, extra).status
  for (const [host, expected] of [
    ['parado.es', 503],
    ['cliente.es', 503],
    ['nadie.es', 404],
  ] as const) {
    expect(status(host, '/a/b.php?c', [])).toBe(expected)
    expect(status(host, '/', ['-I'])).toBe(expected)
    expect(status(host, '/', ['-X', 'POST', '-d', 'a=b'])).toBe(expected)
    expect(status(host, '/', ['-X', 'DELETE'])).toBe(expected)
    expect(status(host, '/', ['-H', 'Range: bytes=0-3'])).toBe(expected)
    expect(status(host, '/suspended.html', [])).toBe(expected)
  }
  expect(titleOf(node.get('parado.es', '/', ['-X', 'POST', '-d', 'a=b']))).toBe('Sitio suspendido')
  expect(node.get('vacio.es', '/missing.html').status).toBe(404)
})

test('a page that is away is answered with the panel’s own, seen, and put back', async () => {
  await node.node.showPages(OPERATORS, step)
  for (const kind of ['suspended', 'missing']) rmSync(join(node.node.layout.nginx, `${kind}.html`))
  writeFileSync(join(node.node.layout.nginx, 'placeholder.html'), 'otra')
  expect(shown().slice(1)).toEqual(OWN.slice(1))
  expect(node.node.reality.pagesOff(OPERATORS)).toEqual(['placeholder', 'suspended', 'missing'])
  await node.node.showPages(OPERATORS, step)
  expect(shown()).toEqual(THEIRS)
})

test('they outlive the panel and a restart of the web server', async () => {
  await node.node.showPages(OPERATORS, step)
  await node.node.stop()
  await node.node.start()
  expect(shown()).toEqual(THEIRS)
})

test('the work of showing them does not end while the web server does not answer', async () => {
  await node.node.stop()
  await expect(node.node.showPages(NONE, step)).rejects.toThrow('does not answer with its pages')
  await node.node.start()
  await node.node.showPages(NONE, step)
  expect(shown()).toEqual(OWN)
}, 60_000)

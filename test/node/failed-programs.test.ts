import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startNode, type TestNode } from './support.ts'

let node: TestNode

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.site(1, 10, 'c1.es')
})
afterAll(() => node[Symbol.asyncDispose]())

/** What a program answers to a browser. */
function told(code: string, accept = 'text/html,*/*') {
  node.put(1, 10, 'prueba.php', `<?php ${code}`)
  const { status, body } = node.get('c1.es', `/prueba.php?${crypto.randomUUID()}`, [
    '-H',
    `Accept: ${accept}`,
  ])
  return [status, body] as const
}
const FAILED = 'Esta página tiene un error'

test.each([
  ['an error', 'nada();'],
  ['an exception that nobody catches', 'throw new Exception("secreto");'],
  ['a program that cannot be read', 'if ('],
  ['too much memory', '$x = str_repeat("x", 1 << 40);'],
])('%s of a program shows visitors a page without a detail', (_what, code) => {
  const [status, body] = told(code)
  expect([status, body.includes(FAILED)]).toEqual([500, true])
  expect(body).not.toMatch(/secreto|prueba|nada|memory/)
})

test.each([
  ['its own page', 'register_shutdown_function(fn () => print("propia")); nada();', [500, 'propia']],
  ['what it said before', 'ob_start(); ob_start(); echo "a medias"; nada();', [500, 'a medias']],
  ['its own silence', 'http_response_code(500);', [500, '']],
  ['another type of answer', 'header("Content-Type: application/json"); nada();', [500, '']],
  ['a warning', 'echo @$x["y"], "bien";', [200, 'bien']],
])('a program that leaves %s has it shown', (_what, code, answer) => {
  expect(told(code)).toEqual(answer as [number, string])
})

test('a program that asks is not answered by a page, and one that errors are shown for sees them', () => {
  expect(told('nada();', 'application/json')).toEqual([500, ''])
  const [, body] = told('ini_set("display_errors", "1"); nada();')
  expect([body.includes('undefined function nada'), body.includes(FAILED)]).toEqual([true, false])
})

test('a program of its own that runs before the others takes the place of the panel’s', () => {
  node.put(1, 10, 'otra/.user.ini', 'auto_prepend_file = antes.php')
  node.put(1, 10, 'otra/antes.php', '<?php echo "antes ";')
  node.put(1, 10, 'otra/y.php', '<?php echo "y";')
  expect(node.get('c1.es', '/otra/y.php').body).toBe('antes y')
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CachingNode, cache, errorsOf, PAGE, startCaching, told } from './support.ts'

let node: CachingNode['node']
let ask: CachingNode['ask']
let twice: CachingNode['twice']
let empty: CachingNode['empty']

beforeAll(async () => {
  ;({ node, ask, twice, empty } = await startCaching())
})
afterAll(() => node[Symbol.asyncDispose]())
beforeEach(() => empty())

describe('a page', () => {
  test('is made once and then answered from what is kept, byte for byte, under HEAD too', () => {
    const first = ask('/2026/11/hola/')
    const second = ask('/2026/11/hola/')
    expect([first.status, told(first), told(second)]).toEqual([200, 'MISS', 'HIT'])
    expect(second.body).toBe(first.body)
    expect(told(ask('/2026/11/hola/', ['-I']))).toBe('HIT')
    expect(twice('/')).toEqual(['MISS', 'HIT'])
    expect(twice('/index.php/a/b')).toEqual(['MISS', 'HIT'])
    expect(ask('/index.php/a/b').body).toContain('"s":"\\/index.php","p":"\\/a\\/b"')
  })

  test('that is first asked for by HEAD is made whole, and GET gets it', () => {
    expect(told(ask('/cabeza', ['-I']))).toBe('MISS')
    const { body, headers } = ask('/cabeza')
    expect(told({ status: 200, headers, body })).toBe('HIT')
    expect(body).toContain('"m":"GET"')
  })

  test('is kept for no site that does not ask for it', async () => {
    await node.site(2, 20, 'dos.es')
    expect(told(ask('/x', [], 'dos.es'))).toBeNull()
    expect(ask('/x', [], 'dos.es').body).not.toBe(ask('/x', [], 'dos.es').body)
    await node.site(2, 20, 'dos.es', { cache: cache() })
    expect(told(ask('/x', [], 'dos.es'))).toBe('MISS')
  })

  test('is kept apart by host name, scheme, client and path as PHP sees it', () => {
    const pages = [
      ask('/a'),
      ask('/a', [], 'www.uno.es'),
      ask('/a', [], 'dos.es'),
      node.getSecure('uno.es', '/a', ['--http1.1']),
      ask('//a'),
      ask('/%61'),
      ask('/b/../a'),
      ask('/a?'),
      ask('/a/'),
    ]
    expect(pages.map(told)).toEqual(pages.map(() => 'MISS'))
    expect(ask('/%61').body).toContain('"u":"\\/%61"')
    expect(ask('/a').body).toContain('"u":"\\/a"')
  })

  test('is one whatever the case, final dot or port of the host name that is sent', () => {
    const first = ask('/h')
    for (const host of ['UNO.es', 'uno.es.', 'uno.es:81', 'uno.es']) {
      const answer = ask('/h', ['-H', `Host: ${host}`])
      expect([host, told(answer), answer.body]).toEqual([host, 'HIT', first.body])
    }
    expect(first.body).toContain(`"HTTP_HOST":"uno.es:${node.options.httpPort}"`)
  })

  test('is kept by HTTP/2 as well', () => {
    const secure = () => node.getSecure('uno.es', '/dos')
    expect([secure(), secure()].map(told)).toEqual(['MISS', 'HIT'])
    expect(secure().headers).toStartWith('HTTP/2 200')
  })

  test('is kept whole when a part of it is asked for', () => {
    const part = ask('/partes', ['-r', '0-3'])
    expect([part.status, told(part)]).toEqual([200, 'MISS'])
    expect(ask('/partes')).toMatchObject({ status: 200, body: part.body })
    expect(told(ask('/partes', ['-r', '0-3']))).toBe('HIT')
  })
})

test('a client’s pages lie in the part of its number, which no other number’s ending shares', async () => {
  await node.client(101)
  await node.site(101, 30, 'ciento.es', { cache: cache() })
  node.put(101, 30, 'index.php', PAGE)
  const before = partsInUse()
  for (const host of ['uno.es', 'dos.es', 'ciento.es']) ask('/parte', [], host)
  expect([before.includes('03'), partsInUse()]).toEqual([false, ['01', '02']])
})

/** The parts of the cache that hold a page. */
function partsInUse(): string[] {
  const { pages } = node.node.layout
  const files = (part: string) => readdirSync(join(pages, part), { recursive: true }).length
  return readdirSync(pages)
    .filter((part) => files(part) > 0)
    .sort()
}

describe('these requests bypass it', () => {
  test.each([
    ['a body', ['-d', 'a=b']],
    ['a body of GET', ['-X', 'GET', '-d', 'a=b']],
    ['another method', ['-X', 'PUT']],
    ['a method that deletes', ['-X', 'DELETE']],
    ['authorisation', ['-u', 'ana:clave']],
    ['a bearer', ['-H', 'Authorization: Bearer x']],
    ['WordPress’s login', ['-b', 'wordpress_logged_in_5f=ana']],
    ['WordPress’s password of a post', ['-b', 'wp-postpass_5f=x']],
    ['a comment’s author', ['-b', 'comment_author_5f=ana']],
    ['WooCommerce’s cart', ['-b', 'woocommerce_items_in_cart=1']],
    ['WooCommerce’s session', ['-b', '_ga=1; wp_woocommerce_session_5f=x']],
    ['Joomla’s session', ['-b', 'd41d8cd98f00b204e9800998ecf8427e=abc']],
    ['Joomla’s login', ['-b', 'joomla_user_state=logged_in']],
    ['Drupal’s session', ['-b', 'SESSd41d8cd98f00b204=abc']],
    ['Drupal’s session over TLS', ['-b', 'SSESSd41d8cd98f00b204=abc']],
    ['PHP’s session', ['-b', 'PHPSESSID=abc']],
    ['any cookie that a program may know', ['-b', 'idioma=en']],
    ['a script of a page of elsewhere', ['-H', 'Origin: https://otra.es']],
    ['an odd client', ['-A', '<script>']],
  ])('%s, and neither keeps a page nor gets one', (_name, extra) => {
    const kept = ask('/p')
    const answer = ask('/p', extra)
    expect([answer.status, told(answer)]).toEqual([200, 'BYPASS'])
    expect(answer.body).not.toBe(kept.body)
    expect(twice('/q', extra)).toEqual(['BYPASS', 'BYPASS'])
    expect(told(ask('/q'))).toBe('MISS')
    expect(told(ask('/p'))).toBe('HIT')
  })

  test('a query that is not listed, alone or beside one that is', () => {
    for (const query of [
      'otra=1',
      'pagina=2&otra=1',
      'otra=1&pagina=2',
      'pagina',
      'pagina[]=1',
      '%70agina=1',
      'pagina=1&&otra',
      '&',
      'PAGINA=1',
      `pagina=${'x'.repeat(600)}`,
    ]) {
      const wanted = query === 'pagina' ? ['MISS', 'HIT'] : ['BYPASS', 'BYPASS']
      expect([query, ...twice(`/q?${query}`)]).toEqual([query, ...wanted])
      expect([query, ...twice(`/?${query}`)]).toEqual([query, ...wanted])
    }
    expect(twice('/q?pagina=2')).toEqual(['MISS', 'HIT'])
    expect(twice('/q?pagina=3&status=200')).toEqual(['MISS', 'HIT'])
    expect(ask('/q?otra=1').body).toContain('"u":"\\/q?otra=1"')
  })

  test('cookies that count visits do not prevent keeping, and no program sees them', () => {
    const extra = ['-b', '_ga=GA1.2.3; _gid=x; _fbp=fb.1']
    expect(twice('/v', extra)).toEqual(['MISS', 'HIT'])
    expect(ask('/v').body).not.toContain('_ga')
  })
})

describe('the program’s own word', () => {
  test.each([
    ['Cache-Control: no-store', '?cc=no-store'],
    ['Cache-Control: private', '?cc=private'],
    ['Cache-Control: max-age=0', '?cc=max-age%3D0'],
    ['an Expires of the past', '?expires=Wed,%2011%20Jan%201984%2005:00:00%20GMT'],
    ['a cookie that it sets', '?set=1'],
    ['Vary: *', '?vary=*'],
    ['an error of its own', '?status=500'],
    ['a page that is missing', '?status=404'],
    ['a download', '?type=application/zip'],
  ])('%s keeps a page from being kept', (_name, query) => {
    expect(twice(`/c${query}`)).toEqual(['MISS', 'MISS'])
  })

  test('Cache-Control: max-age keeps what the site’s time would not', () => {
    expect(twice('/c?cc=max-age%3D300')).toEqual(['MISS', 'HIT'])
    expect(twice('/c?cc=max-age%3D300&status=404')).toEqual(['MISS', 'HIT'])
  })

  test('Vary keeps one page for each', () => {
    const language = (one: string) => ask('/c?vary=Accept-Language', ['-H', `Accept-Language: ${one}`])
    expect(['es', 'en', 'es', 'en'].map(language).map(told)).toEqual(['MISS', 'MISS', 'HIT', 'HIT'])
    expect(language('en').body).toContain('"HTTP_ACCEPT_LANGUAGE":"en"')
  })
})

test('no header that is not part of the key reaches the program of a page that is kept', () => {
  const poison = [
    'X-Forwarded-Host: mala.es',
    'X-Forwarded-Proto: gopher',
    'X-Forwarded-Port: 1',
    'X-Original-URL: /mala',
    'X-Rewrite-URL: /mala',
    'X-Host: mala.es',
    'Forwarded: host=mala.es',
    'Referer: https://mala.es/',
    'Accept-Encoding: mala',
    'Content-Type: mala',
    'X-HTTP-Host-Override: mala.es',
  ]
  const answer = ask(
    '/veneno',
    poison.flatMap((one) => ['-H', one]),
  )
  expect([told(answer), answer.body.includes('mala'), answer.body.includes('gopher')]).toEqual([
    'MISS',
    false,
    false,
  ])
  expect(ask('/veneno').body).toBe(answer.body)
})

test('none of these requests wrote to the error log', () => {
  expect(errorsOf(node)).toEqual([])
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { siteIdsOf } from '../../../deploy/node/files/clients.ts'
import { diskMeter } from '../../../deploy/node/usage/disk.ts'
import { keptPages } from '../../../deploy/node/usage/kept-pages.ts'
import { createMeter } from '../../../deploy/node/usage/meter.ts'
import { eventually } from '../../support/wait.ts'
import { step } from '../support.ts'
import { type CachingNode, cache, errorsOf, LISTED, PAGE, startCaching, told } from './support.ts'

let node: CachingNode['node']
let ask: CachingNode['ask']
let empty: CachingNode['empty']

beforeAll(async () => {
  ;({ node, ask, empty } = await startCaching())
})
afterAll(() => node[Symbol.asyncDispose]())
beforeEach(() => empty())

describe('no cached page is answered', () => {
  test('of a site or client that is suspended, nor after its deletion by the site that comes instead', async () => {
    ask('/s')
    await node.site(1, 10, 'uno.es', { cache: cache(), suspended: true, aliases: ['www.uno.es'] })
    expect(ask('/s').status).toBe(503)
    await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
    expect(told(ask('/s'))).toBe('HIT')
    await node.client(1, { suspended: true })
    expect(ask('/s').status).toBe(503)
    await node.client(1)
    const { body } = ask('/s')
    await node.node.removeSite({ siteId: 10, clientId: 1, hosts: [], domain: 'uno.es' }, step)
    expect(ask('/s').status).toBe(404)
    for (const siteId of [10, 11]) {
      await node.site(1, siteId, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
      node.put(1, siteId, 'index.php', PAGE)
      const anew = ask('/s')
      expect([told(anew), anew.body === body]).toEqual(['MISS', false])
      await node.node.removeSite({ siteId, clientId: 1, hosts: [], domain: 'uno.es' }, step)
    }
    await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
    node.put(1, 10, 'index.php', PAGE)
  })

  test('where it is switched off, HTTPS alone is wanted, or PHP is off', async () => {
    ask('/o')
    await node.site(1, 10, 'uno.es', { cache: null, aliases: ['www.uno.es'] })
    expect(told(ask('/o'))).toBeNull()
    await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
    expect(told(ask('/o'))).toBe('MISS')
    await node.site(1, 10, 'uno.es', { cache: cache(), httpsOnly: true, aliases: ['www.uno.es'] })
    expect(ask('/o').status).toBe(301)
    await node.site(1, 10, 'uno.es', { cache: cache(), php: null, aliases: ['www.uno.es'] })
    expect(ask('/o').status).toBe(404)
    await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
  })

  test('in the place of a file that appears at its address', () => {
    ask('/nueva')
    node.put(1, 10, 'nueva', 'un fichero')
    expect(ask('/nueva').body).toBe('un fichero')
  })

  test('after it was emptied, which leaves the pages of others', async () => {
    ask('/e')
    ask('/e', [], 'dos.es')
    await node.node.emptyPages({ siteId: 10, clientId: 1 }, step)
    expect([told(ask('/e')), told(ask('/e', [], 'dos.es'))]).toEqual(['MISS', 'HIT'])
  })

  test('by programs as they are then, where the panel emptied it after they were changed', async () => {
    const path = node.put(1, 10, 'cambia.php', '<?php echo "antes";')
    const old = new Date(Date.now() - 3_600_000)
    utimesSync(path, old, old)
    expect([ask('/cambia.php').body, ask('/cambia.php?otra').body]).toEqual(['antes', 'antes'])
    writeFileSync(path, '<?php echo "ahora";')
    await node.node.emptyPages({ siteId: 10, clientId: 1 }, step)
    expect([ask('/cambia.php'), ask('/cambia.php')].map((one) => [told(one), one.body])).toEqual([
      ['MISS', 'ahora'],
      ['HIT', 'ahora'],
    ])
  })

  test('but applying an unchanged setting again empties nothing', async () => {
    ask('/i')
    await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
    expect(told(ask('/i'))).toBe('HIT')
  })
})

describe('PURGE', () => {
  const PURGER = `<?php
$c = curl_init('http://127.0.0.1:' . $_GET['puerto'] . '/');
curl_setopt_array($c, [CURLOPT_CUSTOMREQUEST => 'PURGE', CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['Host: ' . $_GET['sitio']]]);
curl_exec($c);
echo curl_getinfo($c, CURLINFO_RESPONSE_CODE);`
  /** Asks by some hundred connections at once for two seconds, and counts the answers by status. */
  const FLOOD = `<?php
$all = []; $n = [];
for ($i = 0; $i < 400; $i++) if ($s = @stream_socket_client('tcp://127.0.0.1:' . $_GET['puerto'])) $all[] = $s;
$asked = "PURGE / HTTP/1.1\\r\\nHost: $_GET[sitio]\\r\\n\\r\\n";
foreach ($all as $s) fwrite($s, $asked);
for ($end = microtime(true) + 2; $all && microtime(true) < $end;) {
  $r = $all; $w = $e = null;
  if (!stream_select($r, $w, $e, 0, 100000)) continue;
  foreach ($r as $s) {
    $got = (string) fread($s, 65536);
    if ($got === '') { unset($all[array_search($s, $all, true)]); continue; }
    if (preg_match_all('~HTTP/1.1 (\\d+)~', $got, $m)) foreach ($m[1] as $k) $n[$k] = ($n[$k] ?? 0) + 1;
    if (str_contains($got, 'HTTP/1.1 ')) @fwrite($s, $asked);
  }
}
echo json_encode((object) $n);`
  // Not by `ask`, which would keep this process from answering.
  const request = async (host: string, path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${node.options.httpPort}${path}`, {
      method,
      headers: { host },
    })
    return { status: response.status, body: await response.text() }
  }
  const purge = async (by: string, of: string) =>
    (await request(by, `/vaciar.php?puerto=${node.options.httpPort}&sitio=${of}`)).body

  test('by the site’s own program empties it; by another customer’s or a visitor it does not', async () => {
    node.put(1, 10, 'vaciar.php', PURGER)
    node.put(2, 20, 'vaciar.php', PURGER)
    ask('/e')
    expect(await purge('dos.es', 'uno.es')).toBe('403')
    expect((await request('uno.es', '/e', 'PURGE')).status).toBe(403)
    expect(told(ask('/e'))).toBe('HIT')
    expect(await purge('uno.es', 'uno.es')).toBe('200')
    expect(told(ask('/e'))).toBe('MISS')
  })

  test.each([
    ['its own', 'dos.es'],
    ['another’s', 'uno.es'],
  ])(
    'in a flood of %s is refused, holds up no suspension, and is obeyed again afterwards',
    async (_whose, of) => {
      node.put(2, 20, 'inundar.php', FLOOD)
      node.put(2, 20, 'vaciar.php', PURGER)
      const flood = request('dos.es', `/inundar.php?puerto=${node.options.httpPort}&sitio=${of}`)
      let over = false
      const ended = flood.then(({ body }) => {
        over = true
        return body
      })
      let longest = 0
      for (let last = performance.now(); !over; last = performance.now()) {
        await node.client(1, { suspended: true })
        await node.client(1)
        longest = Math.max(longest, performance.now() - last)
      }
      const answers = JSON.parse(await ended)
      const obeyed = of === 'dos.es' ? '200' : '403'
      expect(answers['429']).toBeGreaterThan(answers[obeyed] ?? 0)
      expect(answers[obeyed] ?? 0).toBeLessThan(100)
      // 3.6 to 6 s where each request was worked on; the suspension itself takes a part of a second here.
      expect(longest).toBeLessThan(3000)
      await eventually(async () => (await purge('dos.es', 'dos.es')) === '200', 'a purge to be obeyed')
    },
  )
})

test('kept pages count against the disk of the client that owns the site', async () => {
  const { layout } = node.node
  const options = {
    base: layout.clients,
    clientDirectory: layout.client,
    userOf: () => null,
    onIncomplete: () => {},
    accessLog: '',
    pages: layout.pages,
    sitesOf: (clientId: number) => siteIdsOf(layout, clientId),
  }
  const kept = (siteId: number) => keptPages(layout.pages).then((bytes) => bytes.get(siteId) ?? 0)
  const [own, others] = [await kept(10), await kept(20)]
  node.put(1, 10, 'larga.php', "<?php header('Content-Type: text/html'); echo str_repeat('x', 300000);")
  ask('/larga.php')
  await eventually(async () => (await kept(10)) >= own + 300_000, 'the page to be kept')
  expect(await kept(20)).toBe(others)
  const walked = await diskMeter(options).measure([1, 2])
  const charged = await createMeter(options).measure([1, 2])
  const more = charged.map(({ clientId, diskBytes }, i) => [
    clientId,
    diskBytes - (walked[i]?.diskBytes ?? 0),
  ])
  expect(more).toEqual([
    [1, await kept(10)],
    [2, await kept(20)],
  ])
})

test('endless pages that nobody reads any more fill the disk slowly', async () => {
  node.put(
    1,
    10,
    'sinfin.php',
    `<?php ignore_user_abort(true); for (;;) { echo str_repeat('x', 65536); flush(); }`,
  )
  for (let n = 0; n < 12; n++) ask(`/sinfin.php?pagina=${n}`, ['-m', '0.1'])
  const measured = () => {
    const used = spawnSync('/usr/bin/du', ['-sB1', node.node.layout.nginx]).stdout.toString()
    return { bytes: Number.parseInt(used, 10), at: performance.now() }
  }
  await eventually(async () => measured().bytes > 4_000_000, 'the disk to be filled')
  const first = measured()
  // A rate is of a time.
  await Bun.sleep(2000)
  const second = measured()
  const rate = (second.bytes - first.bytes) / (second.at - first.at)
  // Bytes a millisecond of eight workers, a quarter of a megabyte a second each, and what PHP was ahead by.
  expect(rate).toBeLessThan(8 * 262 * 1.5)
  await node.client(1, { suspended: true })
  await node.client(1)
})

test('a page that has grown old is answered while it is renewed, and while PHP is down', async () => {
  await node.site(1, 10, 'uno.es', { cache: cache(1), aliases: ['www.uno.es'] })
  const { body } = ask('/vieja')
  await eventually(async () => told(ask('/vieja')) === 'STALE', 'the page to be old')
  await eventually(async () => ask('/vieja').body !== body, 'the page to be new')
  node.put(1, 10, 'index.php', '<?php http_response_code(500); echo "roto";')
  await eventually(async () => told(ask('/vieja')) === 'STALE', 'the page to be old again')
  expect(ask('/vieja').body).not.toBe('roto')
  const pool = node.node.layout.phpLink(10)
  rmSync(pool)
  symlinkSync('nada', pool)
  expect(ask('/nunca').status).toBe(503)
  await eventually(async () => told(ask('/vieja')) === 'STALE', 'the page to be old once more')
  rmSync(pool)
  node.put(1, 10, 'index.php', PAGE)
  await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
})

test('pictures, styles and scripts are kept by browsers for long where the site wants it, pages never', async () => {
  for (const name of ['a.css', 'a.js', 'a.png', 'a.html', 'a.json']) node.put(1, 10, name, 'x')
  const age = (name: string) => /^Cache-Control: (.*)$/m.exec(ask(`/${name}`).headers)?.[1]?.trim() ?? null
  expect(age('a.css')).toBeNull()
  const settings = { pages: { seconds: 60, parameters: LISTED }, longLivedFiles: true }
  await node.site(1, 10, 'uno.es', { cache: settings, aliases: ['www.uno.es'] })
  expect(['a.css', 'a.js', 'a.png', 'a.html', 'a.json'].map(age)).toEqual([
    'max-age=2592000',
    'max-age=2592000',
    'max-age=2592000',
    null,
    null,
  ])
  await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
  expect(age('a.css')).toBeNull()
})

test('files of a class are kept by browsers as long as the site says, whatever holds for the others', async () => {
  const names = ['a.css', 'a.js', 'a.png', 'a.woff2', 'a.mp4', 'a.pdf', 'a.html', 'a.json']
  for (const name of names) node.put(1, 10, name, 'x')
  const told = (path: string) => /^Cache-Control: (.*)$/m.exec(ask(path).headers)?.[1]?.trim() ?? null
  const ages = () => names.map((name) => told(`/${name}`))
  const site = (some: object, more: object = {}) => {
    const files = { pages: null, longLivedFiles: false, ...some }
    return node.site(1, 10, 'uno.es', { cache: files, aliases: ['www.uno.es'], ...more })
  }
  const image = { seconds: 60, immutable: false }
  const style = { seconds: 31_536_000, immutable: true }
  await site({ classes: { image, style, html: { seconds: 0, immutable: false } } })
  const styles = ['max-age=31536000, immutable', 'max-age=31536000, immutable']
  expect(ages()).toEqual([...styles, 'max-age=60', null, null, null, 'max-age=0', null])
  expect(told('/a.css?v=2')).toBe(styles[0] ?? '')
  expect(ask('/a.png', ['-I']).headers).toMatch(/^Cache-Control: max-age=60\r?$/m)
  await site({ longLivedFiles: true, classes: { image, document: { seconds: 7, immutable: false } } })
  const long = 'max-age=2592000'
  expect(ages()).toEqual([long, long, 'max-age=60', long, long, 'max-age=7', null, null])
  const rules = { webRoot: 'public', singlePage: true, redirects: [], guards: [] }
  node.put(1, 10, 'index.html', 'una')
  await site({ classes: { html: image } }, { rules })
  expect([told('/cualquiera'), told('/a.css')]).toEqual(['max-age=60', null])
  for (const seconds of [-1, 0.5, 31_536_001]) {
    expect(site({ classes: { image: { seconds, immutable: false } } })).rejects.toThrow(TypeError)
  }
  rmSync(node.path(1, 10, 'index.html'))
  await node.site(1, 10, 'uno.es', { cache: cache(), aliases: ['www.uno.es'] })
  expect(ages()).toEqual(names.map(() => null))
})

test('none of these requests wrote to the error log', () => {
  expect(errorsOf(node).filter((line) => !line.includes('/web/p/10/1.s'))).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quickest } from '../support/quickest.ts'
import { eventually } from '../support/wait.ts'
import { startNode, step, type TestNode } from './support.ts'

const CANARY = 'canario-7f3a'
let node: TestNode

beforeAll(async () => {
  node = await startNode()
  for (const clientId of [1, 2]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
  }
  node.put(
    2,
    20,
    'config.php',
    `<?php $clave = '${CANARY}'; echo session_id(); session_start(); $_SESSION['x'] = '${CANARY}'; file_put_contents(sys_get_temp_dir() . '/t', '${CANARY}'); echo session_id();`,
  )
  writeFileSync(join(node.directory, 'panel.db'), CANARY, { mode: 0o600 })
})
afterAll(() => node[Symbol.asyncDispose]())

/** What a program of client 1 prints. */
function run(code: string): string {
  node.put(1, 10, 'prueba.php', `<?php error_reporting(0); ${code}`)
  return node.get('c1.es', `/prueba.php?${crypto.randomUUID()}`).body
}

/** Runs a program as the client's Unix user, outside PHP: what is left when PHP's own fence is broken. */
function asUser(clientId: number, argv: string[]) {
  const [file = '', ...rest] = argv
  const uid = node.uid(clientId)
  // A shell command would hide whose right it was.
  const result = spawnSync('/usr/bin/setpriv', [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    file,
    ...rest,
  ])
  return { status: result.status, output: result.stdout.toString() + result.stderr.toString() }
}

describe('PHP of one client', () => {
  test('runs as a user of its own, in no other group, with directories of its own', () => {
    const uid = node.uid(1)
    expect(run('echo json_encode([posix_getuid(), posix_getgid(), posix_getgroups()]);')).toBe(
      `[${uid},${uid},[]]`,
    )
    expect(run('echo sys_get_temp_dir(), session_save_path();')).toBe(
      `${node.node.layout.client(1)}/tmp${node.node.layout.client(1)}/sessions`,
    )
    expect(
      run(
        'session_start(); $_SESSION["n"] = 1; session_write_close(); echo count(glob("../../sessions/*"));',
      ),
    ).toBe('1')
    expect(run('file_put_contents("subido.txt", "x"); echo decoct(fileperms("subido.txt") & 0777);')).toBe(
      '640',
    )
    expect(node.get('c1.es', '/subido.txt').body).toBe('x')
  })

  test('sees nothing of another client’s files, sessions and temporary files, nor of the panel', () => {
    const session = node.get('c2.es', '/config.php').body
    const { layout } = node.node
    const files = [
      node.path(2, 20, 'config.php'),
      join(layout.client(2), 'sessions', `sess_${session}`),
      join(layout.client(2), 'tmp', 't'),
      join(node.directory, 'panel.db'),
      join(layout.certificates, 'default'),
      join(layout.nginx, 'nginx.conf'),
      layout.accessLog,
      '/etc/shadow',
      '/run',
      '/root',
    ]
    expect(readFileSync(files[1] ?? '', 'utf8')).toContain(CANARY)
    for (const path of files) {
      const tries = [
        `file_get_contents('${path}')`,
        `file_get_contents('file://${path}')`,
        `implode(scandir('${path}'))`,
        `(new SplFileObject('${path}'))->fread(99)`,
        `stat('${path}')['size']`,
        `copy('${path}', 'copia')`,
        `rename('${path}', 'copia')`,
        `(symlink('${path}', 'enlace') ? '' : '') . file_get_contents('enlace')`,
        `link('${path}', 'duro') . file_get_contents('duro')`,
        `include('${path}')`,
        `highlight_file('${path}', true)`,
        `implode(glob('${path}*'))`,
        `ini_set('open_basedir', '/') . file_get_contents('${path}')`,
        `file_get_contents('php://filter/resource=${path}')`,
        `file_get_contents('compress.zlib://${path}')`,
        `(function () { $c = curl_init('file://${path}'); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); return curl_exec($c); })()`,
      ]
      const printed = run(
        tries.map((one) => `try { echo ${one}; } catch (Throwable $e) {} echo '|';`).join(''),
      )
      expect([path, printed.replaceAll('|', '').replaceAll('/', '')]).toEqual([path, ''])
      expect(printed).toBe('|'.repeat(tries.length))
    }
  })

  test('cannot start programs or load code', () => {
    const calls = [
      'exec("id")',
      'shell_exec("id")',
      'system("id")',
      'passthru("id")',
      'popen("id", "r")',
      'proc_open("id", [], $p)',
      'dl("x.so")',
      'FFI::cdef("int getuid();")->getuid()',
      '`id`',
    ]
    for (const call of calls) {
      const printed = run(`try { echo ${call}; } catch (Throwable $e) { echo '-'; }`)
      expect([call, ['-', '', 'false'].includes(printed)]).toEqual([call, true])
    }
  })

  test('has a cache of compiled programs that holds its own alone', () => {
    const old = new Date(Date.now() - 3_600_000)
    for (const clientId of [1, 2]) {
      utimesSync(node.put(clientId, clientId * 10, 'vieja.php', '<?php echo "vieja";'), old, old)
      expect(node.get(`c${clientId}.es`, '/vieja.php').body).toBe('vieja')
    }
    const scripts: string[] = JSON.parse(
      run('echo json_encode(array_keys(opcache_get_status()["scripts"]));'),
    )
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((path) => !path.startsWith(`${node.node.layout.client(1)}/`))).toEqual([])
  })

  test('runs a changed program by itself soon, and at once where a program says so', async () => {
    const was = node.put(1, 10, 'cambia.php', '<?php echo "antes";')
    // Only programs that were there for two seconds are kept compiled.
    const old = new Date(Date.now() - 3_600_000)
    utimesSync(was, old, old)
    const ask = () => node.get('c1.es', '/cambia.php').body
    expect([ask(), ask()]).toEqual(['antes', 'antes'])
    node.put(1, 10, 'cambia.php', '<?php echo "soon";')
    await eventually(async () => ask() === 'soon', 'the changed program')
    utimesSync(was, old, old)
    const isKept = () =>
      ask() === 'soon' && run('echo (int) opcache_is_script_cached(__DIR__ . "/cambia.php");') === '1'
    await eventually(async () => isKept(), 'it to be kept')
    const told = run(
      `$at = __DIR__ . '/cambia.php'; file_put_contents($at, '<?php echo "now";'); opcache_invalidate($at, true); echo 'done';`,
    )
    expect([told, ask()]).toEqual(['done', 'now'])
  })

  test('cannot speak to the pool of another client', () => {
    const socket = join(node.node.layout.fpm, '8.2', '2.s')
    expect(run(`var_dump(stream_socket_client('unix://${socket}', $n, $t)); echo $t;`)).toBe(
      'bool(false)\nNo such file or directory',
    )
    expect(
      run(`$s = socket_create(AF_UNIX, SOCK_STREAM, 0); var_dump(socket_connect($s, '${socket}'));`),
    ).toBe('bool(false)\n')
  })

  test('is told that no mail is sent where the node sends none, and the site’s log says why', async () => {
    const { layout, siteLogs } = node.node
    expect(run('echo json_encode([mail("uno@a.es", "x", "y"), mail("malo", "x", "y")]);')).toBe(
      '[false,false]',
    )
    const filter = {
      from: null,
      to: null,
      text: 'sendmail: this server sends no mail of programs: ',
      status: null,
    }
    const page = await siteLogs.logs.page(
      { clientId: 1, siteId: 10, kind: 'php' },
      { filter, before: null, limit: 10 },
    )
    expect(page?.rows).toHaveLength(2)
    expect(existsSync(join(layout.client(1), 'mail'))).toBe(false)
  })

  test('does not set the pace of the web server', () => {
    expect(run("header('X-Accel-Limit-Rate: 1'); echo str_repeat('a', 4000);")).toBe('a'.repeat(4000))
  })

  test('cannot lift its limits by a file of its own', () => {
    node.put(1, 10, '.user.ini', 'memory_limit=4G\ndisable_functions=\nsession.save_path=/tmp\n')
    const printed = run('echo ini_get("memory_limit"), "|", ini_get("session.save_path");')
    expect(printed).toBe(`256M|${node.node.layout.client(1)}/sessions`)
  })
})

describe('the Unix user of one client, should PHP’s own fence fall', () => {
  test('reads and writes nothing of another client, the panel or the web server', () => {
    node.get('c2.es', '/config.php')
    const { layout } = node.node
    const [worker] = spawnSync('/usr/bin/pgrep', ['-u', String(node.uid(2))])
      .stdout.toString()
      .split('\n')
    const files = [
      node.path(2, 20, 'config.php'),
      join(layout.certificates, 'default'),
      layout.accessLog,
      join(node.directory, 'panel.db'),
      `/proc/${worker}/environ`,
    ]
    const directories = [
      layout.client(2),
      join(layout.client(2), 'tmp'),
      layout.bin,
      layout.certificates,
      layout.manifests,
      layout.hosts,
      layout.clients,
      `/proc/${worker}/fd`,
    ]
    for (const path of files) expect([path, asUser(1, ['/usr/bin/cat', path]).status]).toEqual([path, 1])
    for (const path of directories) expect([path, asUser(1, ['/usr/bin/ls', path]).status]).toEqual([path, 2])
    for (const path of [
      layout.base,
      layout.client(1),
      layout.site(1, 10),
      layout.hosts,
      layout.links,
      layout.acme,
      layout.php,
    ]) {
      expect([path, asUser(1, ['/usr/bin/touch', join(path, 'nuevo')]).status]).toEqual([path, 1])
    }
    expect(asUser(1, ['/usr/bin/mv', node.path(1, 10), join(layout.site(1, 10), 'otro')]).status).toBe(1)
    expect(asUser(1, ['/usr/bin/ls', node.path(1, 10)]).status).toBe(0)
  })

  test('stays kept out when the other client opens all its files to everybody', () => {
    spawnSync('/usr/bin/chmod', ['-R', '0777', node.path(2, 20)])
    expect(asUser(1, ['/usr/bin/cat', node.path(2, 20, 'config.php')]).status).toBe(1)
  })
})

describe('pools', () => {
  test('a new client drops no running request of another', async () => {
    node.put(1, 10, 'larga.php', '<?php sleep(1); echo "entera";')
    const running = Array.from({ length: 5 }, () =>
      Bun.spawn([
        '/usr/bin/curl',
        '-s',
        '-H',
        'Host: c1.es',
        `http://127.0.0.1:${node.options.httpPort}/larga.php`,
      ]),
    )
    const main = node.node.supervisor.names().find((name) => name.startsWith('php'))
    const before = node.node.supervisor.processOf(main ?? '')
    for (let clientId = 3; clientId < 10; clientId++) {
      await node.client(clientId)
      await node.site(clientId, clientId * 10, `c${clientId}.es`)
      node.put(clientId, clientId * 10, 'index.php', '<?php echo posix_getuid();')
      expect(node.get(`c${clientId}.es`).body).toBe(String(node.uid(clientId)))
    }
    await node.node.removeClient({ clientId: 9, hosts: ['c9.es'], name: 'c9' }, step)
    for (const one of running) expect(await new Response(one.stdout).text()).toBe('entera')
    expect(node.node.supervisor.processOf(main ?? '')).toEqual(before)
  })

  test('a client with a far higher number gets its pool, and the first clients keep theirs', async () => {
    const clientId = 389
    await node.client(clientId)
    await node.site(clientId, 900, 'lejos.es')
    node.put(clientId, 900, 'index.php', '<?php echo posix_getuid();')
    expect(node.get('lejos.es').body).toBe(String(node.uid(clientId)))
    expect(run('echo 1;')).toBe('1')
  })

  test('a client’s own endless program neither blocks nor slows the next client’s', async () => {
    node.put(4, 40, 'cuelga.php', '<?php sleep(30);')
    const hung = Array.from({ length: 20 }, () =>
      Bun.spawn([
        '/usr/bin/curl',
        '-s',
        '-m',
        '30',
        '-H',
        'Host: c4.es',
        `http://127.0.0.1:${node.options.httpPort}/cuelga.php`,
      ]),
    )
    const asked = () => expect(node.get('c3.es').body).toBe(String(node.uid(3)))
    expect(await quickest(asked)).toBeLessThan(1000)
    expect(hung.every(({ exitCode }) => exitCode === null)).toBe(true)
    for (const one of hung) one.kill()
  })

  test('a version that is not installed is refused, and the site keeps the one it has', async () => {
    expect(node.site(1, 10, 'c1.es', { php: '5.6' })).rejects.toThrow('PHP 5.6 is not installed')
    expect(run('echo PHP_MAJOR_VERSION;')).toBe('8')
    expect(readlinkSync(node.node.layout.phpLink(10))).toBe('../f/8.2')
  })
})

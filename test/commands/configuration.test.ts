import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError, readConfig } from '../../deploy/config.ts'
import { freePort } from '../support/ports.ts'
import { PANEL_PROGRAM } from '../support/program.ts'

setDefaultTimeout(60_000)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const DEFAULTS = { node: 'nodo1', host: 'host.example.es', addresses: ['192.0.2.1'] }
const read = (env: Record<string, string>) => readConfig(env, DEFAULTS)
const refusal = (env: Record<string, string>): string => {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('a wrong value', () => {
  test.each([
    ['PANEL_PORT', '0'],
    ['PANEL_PORT', '65536'],
    ['PANEL_PORT', 'abc'],
    ['PANEL_PORT', '2087x'],
    ['PANEL_HTTP_PORT', '-1'],
    ['PANEL_HTTPS_PORT', '1.5'],
    ['PANEL_DNS_PORT', '99999'],
    ['PANEL_HOST', 'a b'],
    ['PANEL_HOST', 'https://x.es'],
    ['PANEL_HOST', 'x.es:2087'],
    ['PANEL_NODE', 'a b'],
    ['PANEL_NODE', '../x'],
    ['PANEL_IPS', '1.2.3.999'],
    ['PANEL_IPS', 'panel.es'],
    ['PANEL_IPS', '1:2'],
    ['PANEL_IPS', '::::'],
    ['PANEL_IPS', '01.2.3.4'],
    ['PANEL_PHP_SIN_AISLAR', 'si'],
    ['PANEL_TEST', 'yes'],
    ['PANEL_PORT', '1e3'],
    ['PANEL_MAIL_FROM', '@'],
    ['PANEL_MAIL_FROM', 'Panel <nobody>'],
    ['PANEL_BIND', '1.2.3'],
    ['PANEL_TRUSTED_PROXIES', '10.0.0.0/8'],
    ['PANEL_NS', 'ns1'],
    ['PANEL_NS', 'a..b'],
    ['PANEL_RESOLVER', 'foo'],
    ['PANEL_RESOLVER', 'udp://999.1.1.1:53'],
    ['PANEL_RESOLVER', 'udp://1.1.1.1:0'],
    ['PANEL_RESOLVER', 'tcp://1.1.1.1'],
    ['PANEL_RESOLVER', 'http://1.1.1.1/dns-query'],
    ['PANEL_DB_URL', 'ftp://x'],
    ['PANEL_DB_URL', 'http://10.0.0.1'],
    ['PANEL_SMTP_URL', 'http://x'],
    ['PANEL_SMTP_URL', 'smtp://user:canary@x:99999'],
    ['PANEL_SMTP_URL', 'smtp://canary%zz@x'],
    ['PANEL_MAIL_FROM', 'nobody'],
    ['PANEL_MAIL_FROM', 'a@b.es\r\nBcc: x@y.es'],
    ['PANEL_ACME_URL', 'http://x'],
    ['PANEL_PAPELERA_DIAS', '-1'],
    ['PANEL_LIMITE_PETICIONES', '0'],
    ['PANEL_TLS_CERT', '/x'],
    ['PANEL_TLS_KEY', '/x'],
    ['PANEL_TEST_CLOCK', '/x'],
    ['PANEL_CRON_SECRET', 'canary-short'],
    ['PANEL_METRICS_TOKEN', 'canary-with a blank'],
    ['PANEL_POTR', '2087'],
    ['PANEL_', 'canary'],
  ])('of %s: %j is one line that names it and quotes no secret', (name, value) => {
    const line = refusal({ [name]: value })
    expect(line).toContain(name)
    expect(line).not.toMatch(/\n|canary/)
  })

  test.each([
    ['PANEL_RESOLVER', 'udp://1.1.1.1:53, udp://[2606:4700::1111]:53,https://dns.example/dns-query'],
    ['PANEL_RESOLVER', 'udp://9.9.9.9'],
    ['PANEL_IPS', '192.0.2.1, 2001:db8::1'],
    ['PANEL_NS', 'ns1.x.es,NS2.x.es.'],
    ['PANEL_SMTP_URL', 'smtps://user%40x:p%2Fw@mail.x.es:465'],
    ['PANEL_MAIL_FROM', 'Panel <panel@x.es>'],
    ['PANEL_DB_URL', 'libsql://db.example'],
    ['PANEL_PAPELERA_DIAS', '0'],
    ['PANEL_PORT', ''],
    ['PANEL_CRON_SECRET', 'x'.repeat(16)],
    ['PANEL_MAIL_URL', 'https://mail.example.org'],
    ['PANEL_METRICS_TOKEN', 'x'.repeat(16)],
    ['panel_port', 'x'],
    ['MY_PANEL_PORT', 'x'],
  ])('is not what %s=%j is', (name, value) => {
    expect(refusal({ [name]: value })).toBe('')
  })

  test('of the test settings is refused without PANEL_TEST=1', () => {
    expect(refusal({ PANEL_TEST_CLOCK: '/x', PANEL_TEST: '0' })).toContain('PANEL_TEST=1')
    expect(refusal({ PANEL_TEST_CLOCK: '/x', PANEL_TEST: '1' })).toBe('')
    for (const name of ['PANEL_TEST_KILL', 'PANEL_TEST_STEPS'])
      expect(refusal({ [name]: 'x' })).toBe(`${name} needs PANEL_TEST=1`)
    expect(refusal({ PANEL_DB_URL: 'http://127.0.0.1:1' })).toContain('PANEL_DB_URL')
    expect(read({}).panel.test).toBe(false)
  })
})

test('an address is compared in one spelling, however it is written', () => {
  const { panel, node } = read({
    PANEL_IPS: '2001:DB8:0:0::1,192.0.2.1',
    PANEL_TRUSTED_PROXIES: '2001:0db8::00ff',
  })
  expect(panel.addresses).toEqual(['2001:db8::1', '192.0.2.1'])
  expect(node.trustedProxies).toEqual(['2001:db8::ff'])
})

describe('the name server of a panel without PANEL_NS', () => {
  const named = (PANEL_HOST: string, PANEL_NS = '') => read({ PANEL_HOST, PANEL_NS }).panel.nameServers

  test.each(['panel.ejemplo.es', 'srv1.hosting.example.com'])(
    'is its host where that is a public name: %s',
    (host) => {
      expect(named(host)).toEqual([host])
    },
  )

  test.each(['localhost', 'server', 'panel.local', 'box.lan', 'vm.internal', 'co.uk', 'a.localhost'])(
    'is none where its host is %s, unless it was set',
    (host) => {
      expect(named(host)).toEqual([])
      expect(named(host, 'ns1.host.net')).toEqual(['ns1.host.net'])
    },
  )
})

describe('the defaults', () => {
  test('are what a setting left empty means', () => {
    const empty = Object.fromEntries(
      [
        'PANEL_DATA',
        'PANEL_HOST',
        'PANEL_NODE',
        'PANEL_MAIL_FROM',
        'PANEL_KEY_FILE',
        'PANEL_TLS_CERT',
        'PANEL_TLS_KEY',
        'PANEL_ACME_CA',
        'PANEL_PHP_SIN_AISLAR',
      ].map((name) => [name, '']),
    )
    expect(read(empty)).toEqual(read({}))
  })

  test('are the documented ones', () => {
    const { panel, node } = read({})
    expect(panel).toMatchObject({
      origin: 'https://host.example.es:2087',
      node: 'nodo1',
      addresses: ['192.0.2.1'],
      mailConfigured: false,
      cronSecret: null,
      trashDays: 7,
      addressDays: null,
      updatesUrl: null,
      limits: {
        requestsPerMinute: 1200,
        writesPerMinute: 600,
        customerWritesPerDay: 20_000,
        accessPerMinute: 60,
        strikesPerMinute: 10,
      },
    })
    expect(node).toMatchObject({
      dataDir: './data',
      port: 2087,
      bind: [],
      databaseUrl: null,
      trustedProxies: [],
      phpUnconfined: false,
      testClock: null,
    })
  })

  test('hold no secret in a form that prints', () => {
    const config = read({
      PANEL_SMTP_URL: 'smtp://u:canary@x',
      PANEL_CRON_SECRET: 'canary-that-is-long',
      PANEL_KEYS: 'canary',
      PANEL_DB_TOKEN: 'canary',
      PANEL_DB_URL: 'libsql://x',
    })
    expect(JSON.stringify(config) + Bun.inspect(config, { depth: 9 })).not.toContain('canary')
  })
})

/** A data directory each, by what its `panel.env` holds. */
const FILES = {
  'with-env': '# settings\n\nPANEL_PAPELERA_DIAS="-5"\n',
  shell: 'PANEL_HOST=localhost\nexport PANEL_KEYS=canary\n',
  prose: 'canary\n',
  twice: 'PANEL_PORT=9000\nPANEL_PORT=9001\n',
  misspelt: 'PANEL_POTR=canary\n',
  elsewhere: 'PANEL_DATA=/srv/canary\n',
  'same-port': 'PANEL_HTTP_PORT=8080\nPANEL_HTTPS_PORT=8080\n',
  relative: 'PANEL_TLS_CERT=panel.pem\nPANEL_TLS_KEY=/canary\n',
}

describe('a start', () => {
  async function start(
    name: string,
    env: Record<string, string>,
  ): Promise<{ status: number; lines: string[]; out: string }> {
    const child = Bun.spawn(['bun', PANEL_PROGRAM, 'start'], {
      cwd: resolve(import.meta.dir, '../..'),
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        PANEL_DATA: join(folder, name),
        PANEL_HOST: 'localhost',
        PANEL_BIND: '127.0.0.1',
        PANEL_PORT: String(await freePort()),
        ...env,
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, error, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, lines: error.trimEnd().split('\n'), out }
  }

  test('with what cannot be used ends with one clear line and status 2', async () => {
    await writeFile(join(folder, 'keys'), 'canary\n')
    await writeFile(join(folder, 'no-database.db'), 'canary '.repeat(1000))
    await writeFile(join(folder, 'a-file'), '')
    await writeFile(join(folder, 'words.pem'), 'canary\n')
    await writeFile(
      join(folder, 'damaged.pem'),
      '-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----\n',
    )
    await mkdir(join(folder, 'of-others'))
    await writeFile(join(folder, 'of-others', 'canary.txt'), '')
    const acme = (PANEL_ACME_CA: string) => ({ PANEL_ACME_URL: 'https://x.es', PANEL_ACME_CA })
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'panel.env'), text, { mode: 0o600 })
    }
    const cases: [string, Record<string, string>, string][] = [
      ['a', { PANEL_TEST_CLOCK: '/x' }, 'PANEL_TEST_CLOCK needs PANEL_TEST=1'],
      ['b', { PANEL_KEYS: 'canary' }, 'PANEL_KEYS'],
      ['c', { PANEL_KEY_FILE: join(folder, 'keys') }, 'PANEL_KEY_FILE'],
      ['d', { PANEL_TLS_CERT: '/nowhere', PANEL_TLS_KEY: '/nowhere' }, 'PANEL_TLS_CERT'],
      ['e', { PANEL_DB_URL: 'file:/nowhere/x.db' }, '/nowhere/x.db'],
      ['f', { PANEL_DB_URL: `file:${join(folder, 'no-database.db')}` }, 'no-database.db'],
      ['a-file/x', {}, 'PANEL_DATA'],
      ['a-file', {}, 'a-file is a file: it must name the directory of the panel'],
      ['of-others', {}, 'of-others holds other things and no panel'],
      ['n', { PANEL_DATA: '/proc/panel' }, 'PANEL_DATA'],
      ['o', { PANEL_KEY_FILE: folder }, 'is a directory: it must name the file of the key ring'],
      ['p', { PANEL_KEY_FILE: join(folder, 'a-file/x') }, 'PANEL_KEY_FILE'],
      ['q', acme(join(folder, 'words.pem')), 'PANEL_ACME_CA'],
      ['r', acme(join(folder, 'damaged.pem')), 'damaged.pem holds no certificate in PEM'],
      ['s', acme(folder), 'is a directory'],
      ['g', { PANEL_BIND: '203.0.113.7' }, 'PANEL_BIND'],
      ['h', acme('/nowhere'), 'PANEL_ACME_CA'],
      ['with-env', {}, 'PANEL_PAPELERA_DIAS'],
      ['shell', {}, 'panel.env: line 2 is not NAME=value'],
      ['prose', {}, 'panel.env: line 1 is not NAME=value'],
      ['twice', {}, 'PANEL_PORT is given twice'],
      ['misspelt', {}, 'PANEL_POTR'],
      ['elsewhere', {}, 'panel.env: PANEL_DATA says where this file is'],
      ['same-port', {}, 'PANEL_HTTP_PORT and PANEL_HTTPS_PORT are both 8080'],
      ['i', { PANEL_PORT: '9000', PANEL_DNS_PORT: '9000' }, 'PANEL_PORT and PANEL_DNS_PORT are both 9000'],
      ['j', { PANEL_PORT: process.getuid?.() === 0 ? '443' : '8443' }, 'PANEL_PORT and PANEL_HTTPS_PORT'],
      ['k', { PANEL_DATA: 'data', PANEL_CWD: '/' }, 'PANEL_DATA: data is no absolute path'],
      [
        'l',
        { PANEL_KEY_FILE: 'llaves', PANEL_COMMAND: 'controlpanel' },
        'PANEL_KEY_FILE: llaves is no absolute',
      ],
      ['m', { PANEL_DB_URL: 'file:x.db', PANEL_CWD: '/' }, 'PANEL_DB_URL: file:x.db is no absolute path'],
      ['relative', { PANEL_CWD: '/' }, 'PANEL_TLS_CERT: panel.pem is no absolute path'],
    ]
    for (const [name, env, expected] of cases) {
      const { status, lines, out } = await start(name, env)
      expect([expected, status, lines.length, out]).toEqual([expected, 2, 1, ''])
      expect(lines[0]).toContain(expected)
      expect(lines[0]).not.toContain('canary')
    }
  })
})

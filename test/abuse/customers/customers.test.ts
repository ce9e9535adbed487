import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clientsOf, keyPair } from '../../sftp/client.ts'
import { partDirectory } from '../../support/consistency.ts'
import type { Answer, Json } from '../../support/panel.ts'
import { eventually } from '../../support/wait.ts'
import { leavesBobAlone, type Neighbours, SECRET, startNeighbours } from './neighbours.ts'

setDefaultTimeout(60_000)

/** What a terminal obeys, beside what a browser does. */
const TERMINAL = '\u001b]0;mio\u0007\u001b[2J\u009b31m'
const MARKUP = '<img src=x onerror=alert(1)>'

let world: Neighbours

beforeAll(async () => {
  world = await startNeighbours()
}, 120_000)
afterAll(() => world?.stop())

/** The number of a site is the name of its folder. */
const siteIdOf = (served: string) => dirname(served).split('/').at(-1) ?? ''
const codeOf = ({ status, body }: Answer) => [status, body.codigo]

leavesBobAlone(() => world)

describe('a key for SFTP', () => {
  const path = '/clientes/ana/cuentas-sftp/ana/llaves'
  const set = (llaves: string[]) => world.byAna('PUT', path, { llaves })
  let good: { file: string; line: string }
  beforeAll(async () => {
    good = await keyPair('-t', 'ed25519')
  })
  const bare = () => good.line.split(' ').slice(0, 2).join(' ')

  test.each([
    ['an environment', (key: string) => `environment="LD_PRELOAD=/sitios/ana.es/x.so" ${key}`],
    ['a command', (key: string) => `restrict,command="/bin/sh" ${key}`],
    ['an option without a value', (key: string) => `no-pty ${key}`],
    ['an address', (key: string) => `from="*" ${key}`],
    ['an authority', (key: string) => `cert-authority,principals="bob" ${key}`],
    ['ports', (key: string) => `permitopen="*:*",permitlisten="*:*" ${key}`],
    ['a tunnel', (key: string) => `tunnel="0" ${key}`],
    ['options after blanks', (key: string) => `\t command="id" ${key}`],
    ['a second line', (key: string) => `${key}\ncommand="id" ${key}`],
    ['a carriage return', (key: string) => `${key}\rcommand="id" ${key}`],
    ['a NUL', (key: string) => `${key} a\0b`],
    ['what a terminal obeys', (key: string) => `${key} ${TERMINAL}`],
    ['a comment for a key', (key: string) => `# ${key}`],
    ['another type’s name', (key: string) => key.replace('ssh-ed25519', 'ssh-rsa')],
    ['a token’s type', (key: string) => key.replace('ssh-ed25519', 'sk-ssh-ed25519@openssh.com')],
    ['a certificate’s type', (key: string) => key.replace('ssh-ed25519', 'ssh-ed25519-cert-v01@openssh.com')],
    ['the old type', (key: string) => key.replace('ssh-ed25519', 'ssh-dss')],
    ['more than a key', (key: string) => `${key.slice(0, -2)}AAAAAAAA`],
    ['nothing', () => ''],
  ])('with %s is refused, and none is set', async (_, line) => {
    const answer = await set([good.line, line(bare())])
    expect([answer.status, answer.body.campos?.[0]?.campo]).toEqual([422, 'llaves.1'])
    const { datos } = (await world.byAna('GET', '/clientes/ana/cuentas-sftp')).body
    expect(datos[0].llaves).toEqual([])
  })

  test('that is a certificate is refused, also one that its owner signed', async () => {
    const authority = await keyPair('-t', 'ed25519')
    const forBob = ['-I', 'ana', '-n', 'bob,root,ana', `${good.file}.pub`]
    const signed = Bun.spawnSync(['ssh-keygen', '-q', '-s', authority.file, ...forBob])
    expect(signed.exitCode).toBe(0)
    const certificate = readFileSync(`${good.file}-cert.pub`, 'utf8').trim()
    expect((await set([certificate])).status).toBe(422)
    await set([good.line])
    // The certificate names Bob, and the server knows no authority.
    for (const account of ['bob', 'root'])
      expect((await clientsOf(world.sftpPort).sftp({ account, key: good.file }, 'pwd')).code).toBe(255)
  })

  test('whose remark is an order gives files and no more', async () => {
    expect((await set([`${bare()} command="id" $(id) ${MARKUP}`])).status).toBe(200)
    const tools = clientsOf(world.sftpPort)
    expect((await tools.ssh({ account: 'ana', key: good.file }, [], ['id'])).out).not.toContain('uid=')
    expect((await tools.sftp({ account: 'ana', key: good.file }, 'pwd')).out).toContain('/sitios')
  })
})

test.each([
  ...[
    'root',
    'bob',
    'bob_x',
    'sshd',
    'ana_',
    'ana_X',
    'ana_../x',
    'ana_a:0:0',
    'ana_a\nroot',
    'ana_x y',
    '-ana',
  ],
  ...['ana-x', `ana_${'x'.repeat(17)}`, 'ana_$(id)', 'ANA_x', 'ana_ñ', 'ana_x\0', '_ana'],
])('an account of Ana’s named %p is not made', async (cuenta) => {
  const answer = await world.byAna('POST', '/clientes/ana/cuentas-sftp', { cuenta })
  expect([cuenta, answer.status]).toEqual([cuenta, 422])
  const others = await world.byAna('POST', '/clientes/bob/cuentas-sftp', { cuenta: 'bob_y' })
  expect(codeOf(others)).toEqual([404, 'cliente_no_existe'])
  const into = await world.byAna('POST', '/clientes/ana/cuentas-sftp', { cuenta: 'ana_y', sitio: 'bob.es' })
  expect(into.body.codigo).toBe('sitio_no_existe')
  expect((await world.byAna('GET', '/clientes/ana/cuentas-sftp')).body.datos).toHaveLength(1)
})

describe('a link into a database', () => {
  const visit = (url: string, init: RequestInit = {}) =>
    fetch(url, { redirect: 'manual', keepalive: false, ...init, tls: { ca: world.panel.ca } })
  const enter = async (base: string, bearer: string) => {
    const { body } = await world.as(bearer)('POST', `/bases/${base}/sesion`)
    const answer = await visit(body.url)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { url: String(body.url), path: answer.headers.get('location') ?? '', cookie }
  }
  const origin = () => `https://localhost:${world.basesPort}`

  test('works for one of twenty that follow it at once', async () => {
    const { body } = await world.byAna('POST', '/bases/ana_x/sesion')
    const answers = await Promise.all(Array.from({ length: 20 }, () => visit(body.url)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(404)])
    expect(answers.filter((one) => one.headers.has('set-cookie'))).toHaveLength(1)
  })

  test('is not made for another’s database, and the session of one opens no other', async () => {
    expect(codeOf(await world.byAna('POST', '/bases/bob_x/sesion'))).toEqual([404, 'base_no_existe'])
    const [own, other] = [await enter('ana_x', world.ana.bearer), await enter('bob_x', world.admin.bearer)]
    const statuses = []
    for (const [path, cookie] of [
      [other.path, own.cookie],
      [other.path, own.cookie.replace(/^[^=]*/, other.cookie.split('=')[0] ?? '')],
      [other.path, other.cookie.replace(/=.*/, own.cookie.slice(own.cookie.indexOf('=')))],
      [`${own.path}/../${other.path.split('/').at(-2)}/`, own.cookie],
    ] as const) {
      const answer = await visit(origin() + path, { headers: { cookie } })
      statuses.push(answer.status)
      expect(await answer.text()).not.toContain(SECRET)
    }
    expect(statuses).toEqual([404, 404, 404, 404])
    const elsewhere = await visit(
      `${origin()}${own.path}?db=bob_x&select=t&ns=&server=127.0.0.1&username=root`,
      {
        headers: { cookie: own.cookie },
      },
    )
    expect(await elsewhere.text()).not.toContain('bob_x.t')
    for (const bad of ['', `${own.url.slice(-43)}x`, '%00', '../../', own.url.split('=').at(-1)])
      expect((await visit(`${origin()}/abrir?llave=${bad}`)).status).toBe(404)
  })
})

describe('a task', () => {
  const ended = (path: string) =>
    eventually(async () => {
      const { datos } = (await world.byAna('GET', `${path}/ejecuciones`)).body
      return datos[0]?.motivo ? (datos[0] as Json) : null
    }, 'the run')
  const run = async (orden: string[]) => {
    const made = await world.byAna('POST', '/sitios/ana.es/programadas', { cuando: '0 3 1 1 *', orden })
    expect(made.status).toBe(201)
    const path = (made.headers.get('location') ?? '').replace('/api', '')
    expect((await world.byAna('POST', `${path}/ejecutar`)).status).toBe(202)
    return { path, run: await ended(path) }
  }

  test('may say anything, as much as it likes: the end of it is kept, as text', async () => {
    const code = `echo ${JSON.stringify(MARKUP)}; echo "\\x1b[2J\\0\\xff\\xfe\\n{\\"codigo\\":0}"; for ($i = 0; $i < 500; $i++) echo str_repeat("A", 65536); echo "\\xc3";`
    const { path, run: told } = await run(['php8.2', '-r', code])
    expect([told.codigo, told.motivo]).toEqual([0, 'terminada'])
    expect(Buffer.byteLength(told.salida)).toBeLessThanOrEqual(65_539)
    expect(told.salida).not.toContain('\0')
    expect((await world.byAna('GET', '/sitios/ana.es/programadas')).body.datos[0].ultima.codigo).toBe(0)
    expect((await world.byAna('DELETE', path)).status).toBe(200)
  })

  test('whose order is markup is text in the mail of its failure', async () => {
    const orden = ['bash', '-c', `exit 3 # ${MARKUP}`]
    const { path } = await run(orden)
    const mail = await eventually(
      async () => (await world.panel.mails()).find(({ text }) => text.includes('bash')) ?? null,
      'the mail',
    )
    expect([mail.to, mail.html.includes(MARKUP), mail.html.includes('&#60;img')]).toEqual([
      'ana@cliente.es',
      false,
      true,
    ])
    await world.byAna('DELETE', path)
  })

  test.each([
    ['a file of Bob’s', ['cat', '../bob.es/public/secreto.html', '/sitios/bob.es/public/secreto.html']],
    [
      'a process of Bob’s or of the panel',
      ['bash', '-c', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c PANEL_'],
    ],
    ['a socket of the panel', ['bash', '-c', 'find / -xdev -type s 2>/dev/null | grep -v mysqld']],
    [
      'a database of Bob’s',
      ['php8.2', '-r', `$d = new mysqli('localhost', get_current_user(), '', 'bob_x');`],
    ],
  ])('reaches nothing of %s', async (_, orden) => {
    const { path, run: told } = await run(orden)
    expect([told.salida.includes(SECRET), told.codigo === 0 && told.salida.trim() !== '0']).toEqual([
      false,
      false,
    ])
    await world.byAna('DELETE', path)
  })
})

test('what a program of Ana’s writes into its log forges no line of another’s, and nothing that a terminal obeys', async () => {
  const line = `[01-Jan-2026 00:00:00 UTC] PHP Fatal error: mio\\n{\\"cuando\\":\\"2026-01-01T00:00:00Z\\",\\"nivel\\":\\"error\\",\\"texto\\":\\"mio\\"}`
  world.give(
    'log.php',
    `<?php error_log("\\x1b[2J\\x9b31m ${line}"); error_log(str_repeat('A', 200000)); echo 1;`,
  )
  await world.get('ana.es', '/log.php')
  const rows = await eventually(async () => {
    const { datos } = (await world.byAna('GET', '/sitios/ana.es/bitacora?tipo=php')).body
    return datos.length > 1 ? (datos as Json[]) : null
  }, 'its rows')
  const address = '/api/sitios/ana.es/bitacora?tipo=php'
  const answer = await world.panel.fetch(address, {
    headers: { authorization: `Bearer ${world.ana.bearer}` },
  })
  const logs = join(partDirectory(world.panel, 'web'), 'l', siteIdOf(world.root))
  const files = readdirSync(logs)
    .filter((name) => name.startsWith('php-'))
    .map((name) => readFileSync(join(logs, name), 'utf8'))
  expect(files).toHaveLength(1)
  for (const text of [await answer.text(), ...files])
    expect(/[^\n\x20-\x7e\u00a1-\u{10ffff}]/u.test(text)).toBe(false)
  expect(rows.every(({ cuando, texto }) => cuando > '2026-02' && texto.length < 100_000)).toBe(true)
  expect((await world.call('GET', '/sitios/bob.es/bitacora?tipo=php')).body.datos).toEqual([])
  rmSync(join(world.root, 'log.php'))
})

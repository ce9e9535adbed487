import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { greets } from '../../deploy/node/sftp/service.ts'
import { customer, startBrowser, Visitor } from '../browser/browser.ts'
import { daemon, giveNative } from '../support/native.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { clientsOf, keyPair, localFile, localFolder, startAgent } from './client.ts'

let panel: Panel
let admin: SignedIn
let token: string
let tools: ReturnType<typeof clientsOf>
const port = await freePort()

beforeAll(async () => {
  panel = await Panel.start({ env: { PANEL_SFTP_PORT: String(port) } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  tools = clientsOf(port)
  await newClient('acme', 'acme.es')
  await done('POST', '/sitios', { cliente: 'acme', domain: 'tienda.es', aliases: [] })
}, 60_000)
afterAll(() => panel.stop(), 60_000)

async function done(method: string, path: string, body?: unknown, bearer = token) {
  const answer = await panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const newClient = (cliente: string, domain: string, more: object = {}) =>
  done('PUT', `/altas/${cliente}`, {
    cliente,
    correo: `${cliente}@cliente.es`,
    domain,
    enviar: false,
    ...more,
  })

/** An account by the API, with a password that a person had made. */
async function account(cliente: string, cuenta: string, more: object = {}) {
  await done('POST', `/clientes/${cliente}/cuentas-sftp`, { cuenta, ...more })
  return { account: cuenta, password: await password(cliente, cuenta) }
}

const password = async (cliente: string, cuenta: string): Promise<string> =>
  (await done('POST', `/clientes/${cliente}/cuentas-sftp/${cuenta}/contrasena`, undefined, admin.bearer))
    .contrasena

const visit = async (host: string, path: string) => {
  const response = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers: { host } })
  return { status: response.status, text: await response.text() }
}

/** Milliseconds until an open session is gone after a change that ends it. */
async function endOf(session: Awaited<ReturnType<typeof tools.open>>, change: () => Promise<unknown>) {
  expect(session.alive()).toBe(true)
  await change()
  const answered = performance.now()
  await session.exited
  return performance.now() - answered
}

/** The site's directory as root sees it. */
const rootOf = async (domain: string): Promise<string> => (await done('GET', `/sitios/${domain}`)).raiz

describe('a way in', () => {
  test('a file that a customer puts by SFTP is served under its site', async () => {
    const login = await account('acme', 'acme')
    const put = await tools.sftp(
      login,
      'pwd',
      'ls -1',
      `put ${localFile('<h1>Hola</h1>')} acme.es/public/index.html`,
    )
    expect(put).toMatchObject({ code: 0 })
    expect(put.out).toContain('Remote working directory: /sitios')
    expect(put.out).toMatch(/^acme\.es\ntienda\.es$/m)
    expect(await visit('acme.es', '/')).toEqual({ status: 200, text: '<h1>Hola</h1>' })
  }, 60_000)

  test('an account for one site signs in by its key, has the site as its root, and sees no other', async () => {
    await done('POST', '/clientes/acme/cuentas-sftp', { cuenta: 'acme_tienda', sitio: 'tienda.es' })
    const key = await keyPair('-t', 'ed25519')
    const login = { account: 'acme_tienda', key: key.file }
    expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 255 })
    const set = await panel.api('PUT', '/clientes/acme/cuentas-sftp/acme_tienda/llaves', {
      bearer: admin.bearer,
      body: { llaves: [key.line] },
    })
    expect(set.body).toMatchObject({ sitio: 'tienda.es', estado: 'activa', contrasena: null })
    const seen = await tools.sftp(
      login,
      'pwd',
      'ls -1 /',
      `put ${localFile('dos')} pagina.html`,
      'cd ..',
      'cd ..',
      'pwd',
    )
    expect(seen).toMatchObject({ code: 0 })
    expect(seen.out).toContain('Remote working directory: /public\n')
    expect(seen.out).toMatch(/ls -1 \/\n\/public\n/)
    expect(seen.out).toEndWith('Remote working directory: /\n')
    expect(await visit('tienda.es', '/pagina.html')).toEqual({ status: 200, text: 'dos' })
  }, 60_000)
})

test('keys that an account has are kept by their fingerprints, and those alone', async () => {
  await done('POST', '/clientes/acme/cuentas-sftp', { cuenta: 'acme_varias' })
  const set = (llaves: string[]) =>
    panel.api('PUT', '/clientes/acme/cuentas-sftp/acme_varias/llaves', {
      bearer: admin.bearer,
      body: { llaves },
    })
  const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ed25519')]
  const [first] = (await set([one.line])).body.llaves
  const both = await set([first.huella, two.line])
  expect(both.body.llaves).toEqual([first, expect.objectContaining({ tipo: 'ssh-ed25519' })])
  expect(await tools.sftp({ account: 'acme_varias', key: one.file }, 'pwd')).toMatchObject({ code: 0 })
  expect((await set([both.body.llaves[1].huella])).body.llaves).toEqual([both.body.llaves[1]])
  const refused = await set([first.huella])
  expect([refused.status, refused.body.codigo]).toEqual([422, 'llave_invalida'])
}, 60_000)

describe('a session ends within a second, and nobody signs in again, once', () => {
  const refused = { code: 255, out: expect.stringContaining('Permission denied') }

  test('its password is taken away, or replaced by another', async () => {
    const login = await account('acme', 'acme_uno')
    const session = await tools.open(login)
    let next = ''
    const replaced = async () => {
      next = await password('acme', 'acme_uno')
    }
    expect(await endOf(session, replaced)).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    const second = { ...login, password: next }
    const again = await tools.open(second)
    const gone = () => done('DELETE', '/clientes/acme/cuentas-sftp/acme_uno/contrasena')
    expect(await endOf(again, gone)).toBeLessThan(1000)
    expect(await tools.sftp(second, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its key is taken away; another key that is added ends nothing', async () => {
    const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ecdsa', '-b', '384')]
    const set = (...keys: { line: string }[]) => {
      const body = { llaves: keys.map(({ line }) => line) }
      return done('PUT', '/clientes/acme/cuentas-sftp/acme_uno/llaves', body, admin.bearer)
    }
    await set(one)
    const session = await tools.open({ account: 'acme_uno', key: one.file })
    await set(one, two)
    expect(await tools.sftp({ account: 'acme_uno', key: two.file }, 'pwd')).toMatchObject({ code: 0 })
    expect(await endOf(session, () => set(two))).toBeLessThan(1000)
    expect(await tools.sftp({ account: 'acme_uno', key: one.file }, 'pwd')).toMatchObject(refused)
    await set()
    expect(await tools.sftp({ account: 'acme_uno', key: two.file }, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its account is deleted, or its client suspended, and an active client is let in as before', async () => {
    await newClient('bravo', 'bravo.es')
    const [all, other] = [await account('bravo', 'bravo'), await account('bravo', 'bravo_dos')]
    const [one, two] = [await tools.open(all), await tools.open(other)]
    expect(await endOf(two, () => done('DELETE', '/clientes/bravo/cuentas-sftp/bravo_dos'))).toBeLessThan(
      1000,
    )
    expect(one.alive()).toBe(true)
    expect(await endOf(one, () => done('POST', '/clientes/bravo/suspender'))).toBeLessThan(1000)
    expect(await tools.sftp(all, 'pwd')).toMatchObject(refused)
    const listed = await done('GET', '/clientes/bravo/cuentas-sftp')
    expect(listed.datos).toEqual([expect.objectContaining({ cuenta: 'bravo', estado: 'suspendida' })])
    await done('POST', '/clientes/bravo/activar')
    expect(await tools.sftp(all, 'pwd')).toMatchObject({ code: 0 })
  }, 60_000)

  test('a site that it sees is deleted, or its whole client', async () => {
    await done('POST', '/sitios', { cliente: 'bravo', domain: 'bravo-dos.es', aliases: [] })
    const login = await account('bravo', 'bravo_sitio', { sitio: 'bravo-dos.es' })
    const session = await tools.open(login)
    expect(await endOf(session, () => done('DELETE', '/sitios/bravo-dos.es'))).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    const { datos } = await done('GET', '/clientes/bravo/cuentas-sftp')
    expect(datos).toEqual([expect.objectContaining({ cuenta: 'bravo' })])
    const all = { account: 'bravo', password: await password('bravo', 'bravo') }
    const last = await tools.open(all)
    expect(await endOf(last, () => done('DELETE', '/clientes/bravo'))).toBeLessThan(1000)
    expect(await tools.sftp(all, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its plan no longer has SFTP', async () => {
    await done('POST', '/planes', { plan: 'con', funciones: ['php', 'sftp'], cuentas_sftp: 1 })
    await done('POST', '/planes', { plan: 'sin', funciones: ['php'] })
    await newClient('delta', 'delta.es', { plan: 'con' })
    const login = await account('delta', 'delta')
    const session = await tools.open(login)
    const taken = () => done('POST', '/clientes/delta/plan', { plan: 'sin' })
    expect(await endOf(session, taken)).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    expect((await done('GET', '/clientes/delta/cuentas-sftp')).datos[0].estado).toBe('bloqueada')
    const more = () =>
      panel.api('POST', '/clientes/delta/cuentas-sftp', { bearer: token, body: { cuenta: 'delta_dos' } })
    expect((await more()).body).toMatchObject({ status: 402, codigo: 'funcion_de_pago', funcion: 'sftp' })
    await done('POST', '/clientes/delta/plan', { plan: 'con' })
    expect((await more()).body).toMatchObject({
      status: 409,
      codigo: 'limite_del_plan',
      recurso: 'cuentas_sftp',
    })
    expect((await done('GET', '/clientes/delta/uso')).consumo.cuentas_sftp).toMatchObject({
      usado: 1,
      limite: 1,
    })
    expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 0 })
  }, 60_000)
})

describe('a session gives nothing but files of its own', () => {
  let login: { account: string; password: string }
  beforeAll(async () => {
    login = await account('acme', 'acme_ataque')
  })

  test('no command, shell, terminal, other subsystem or environment', async () => {
    const tries: [string[], string[]][] = [
      [[], ['id']],
      [[], ['cat', '/etc/passwd']],
      [['-tt'], []],
      [['-tt'], ['/bin/sh']],
      [['-s'], ['netconf']],
      [['-o', 'SetEnv=BASH_ENV=x LD_PRELOAD=/sitios/acme.es/public/x.so'], ['env']],
    ]
    for (const [before, after] of tries) {
      const { out } = await tools.ssh(login, before, after)
      expect([before, after, out]).not.toEqual([
        before,
        after,
        expect.stringMatching(/uid=|root:|PATH=|PRELOAD/),
      ])
    }
    expect((await tools.ssh(login, ['-tt'])).out).toContain('PTY allocation request failed')
  }, 60_000)

  test('no way on into a network, in either direction, and no device', async () => {
    const forward = ['-N', '-o', 'ExitOnForwardFailure=yes']
    const direct = await tools.ssh(login, ['-W', `127.0.0.1:${panel.httpPort}`])
    expect(direct).toMatchObject({ code: 255, out: expect.stringContaining('forwarding failed') })
    for (const way of [
      ['-R', '0:127.0.0.1:22'],
      ['-R', '/sitios/acme.es/public/s:127.0.0.1:22'],
      ['-w', 'any'],
    ]) {
      expect([way, (await tools.ssh(login, [...forward, ...way])).code]).toEqual([way, 255])
    }
  }, 60_000)

  test('no agent and no screen of the customer’s own is led to the server', async () => {
    const agent = await startAgent()
    try {
      const session = await tools.open({ ...login, agent: agent.socket }, ['-A'])
      // Where sshd would offer it; it answers no request for one.
      expect(readFileSync('/proc/net/unix', 'utf8')).not.toMatch(/\/agent\.[0-9]+$/m)
      expect(session.alive()).toBe(true)
      session.stop()
    } finally {
      agent.stop()
    }
    const screen = await tools.ssh(login, ['-v', '-Y', '-s'], ['sftp'])
    expect(screen.out).toContain('X11 forwarding request failed')
  }, 60_000)

  test('no copying by a program of the server’s', async () => {
    const file = localFile('x')
    expect((await tools.scp(login, ['-O'], file, 'acme.es/public/scp.txt')).code).not.toBe(0)
    expect(await tools.scp(login, [], file, 'acme.es/public/scp.txt')).toMatchObject({ code: 0 })
  }, 60_000)

  test('nothing of the machine, of the panel or of neighbours, by links, renames or ..', async () => {
    await newClient('eco', 'eco.es')
    const neighbour = await rootOf('eco.es')
    writeFileSync(join(neighbour, 'secreto.txt'), 'SECRETO', { mode: 0o644 })
    const ran = await tools.sftp(
      login,
      '-get /etc/passwd /dev/stdout',
      '-get ../../../../../etc/passwd /dev/stdout',
      `-get ${neighbour}/secreto.txt /dev/stdout`,
      '-get /proc/self/environ /dev/stdout',
      `-symlink ${neighbour}/secreto.txt acme.es/public/enlace.txt`,
      '-get acme.es/public/enlace.txt /dev/stdout',
      '-symlink /etc acme.es/public/etc',
      '-get acme.es/public/etc/passwd /dev/stdout',
      '-rename acme.es/public acme.es/otro',
      '-rename acme.es fuera.es',
      '-rm acme.es',
      '-rmdir acme.es/public',
      '-mkdir /nuevo',
      '-mkdir /sitios/nuevo',
      '-mkdir acme.es/nuevo',
      `-put ${localFile('ssh-ed25519 AAAA')} /.ssh/authorized_keys`,
      '-chmod 777 acme.es',
      '-chown 0 acme.es/public',
      '-chgrp 0 acme.es/public',
      '-ln acme.es/public/index.html tienda.es/public/duro.html',
      'ls -1 /',
    )
    expect(ran.out).not.toMatch(/SECRETO|root:x:|PATH=/)
    expect(ran.out).toMatch(/ls -1 \/\n\/sitios\n(?!\/)/)
    const site = dirname(await rootOf('acme.es'))
    const shown = readdirSync(site).filter((name) => !name.startsWith('.'))
    expect(shown.sort()).toEqual(['public', 'registros'])
    expect(lstatSync(site)).toMatchObject({ uid: 0, gid: 0 })
    expect(lstatSync(site).mode & 0o7777).toBe(0o755)
    expect((await visit('acme.es', '/enlace.txt')).text).not.toContain('SECRETO')
    const beside = readdirSync(dirname(neighbour)).filter((name) => !name.startsWith('.'))
    expect(beside.sort()).toEqual(['public', 'registros'])
  }, 60_000)

  test('nobody of the machine itself comes in, nor the server’s own users', async () => {
    // From addresses of their own: wrong passwords from one are answered ever later.
    for (const [at, name] of ['root', 'nobody', 'sshd', '_root', 'www-data'].entries()) {
      const address = `127.0.0.${20 + at}`
      const ran = await tools.sftp({ account: name, password: login.password, address }, 'pwd')
      expect([name, ran.code]).toEqual([name, 255])
    }
  }, 60_000)
})

describe('what is put', () => {
  let login: { account: string; password: string }
  beforeAll(async () => {
    login = await account('acme', 'acme_poner')
  })

  test('is readable to the web server and to PHP, whatever mode its client asks for', async () => {
    const program = '<?php echo file_get_contents("../pagina.html"), 1 + 1;'
    const folder = localFolder({ 'a/pagina.html': 'A', 'a/b/programa.php': program })
    const ran = await tools.sftp(
      login,
      'cd acme.es/public',
      `put -r ${folder} carpeta`,
      'chmod 755 carpeta/a',
      `put ${localFile('C')} carpeta/a/tarde.html`,
      'mkdir carpeta/a/nueva',
      `put ${localFile('D')} carpeta/a/nueva/d.html`,
    )
    expect(ran).toMatchObject({ code: 0 })
    const found = ['a/pagina.html', 'a/b/programa.php', 'a/tarde.html', 'a/nueva/d.html']
    const answers = await Promise.all(found.map((path) => visit('acme.es', `/carpeta/${path}`)))
    expect(answers.map(({ text }) => text)).toEqual(['A', 'A2', 'C', 'D'])
    expect(lstatSync(join(await rootOf('acme.es'), 'carpeta/a/tarde.html')).mode & 0o007).toBe(0)
  }, 60_000)

  test('goes by lftp as well, a mirror of a folder', async () => {
    const folder = localFolder({ 'uno.html': 'uno', 'dos/dos.html': 'dos' })
    const ran = await tools.lftp(
      login,
      `mirror -R ${folder} acme.es/public/espejo`,
      'cat acme.es/public/espejo/dos/dos.html',
      'rm -r acme.es/public/espejo/dos',
    )
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('dos') })
    expect(await visit('acme.es', '/espejo/uno.html')).toEqual({ status: 200, text: 'uno' })
    expect((await visit('acme.es', '/espejo/dos/dos.html')).status).toBe(404)
  }, 60_000)
})

/** Runs sshd as a customer again and again, under the name of a session of another's account. */
const impostors = (root: string, account: string) => `cd ${root}
  ssh-keygen -q -t ed25519 -N '' -f llave
  printf 'HostKey %s/llave\\nPidFile none\\nUsePAM no\\nLoginGraceTime 0\\n' "$PWD" > conf
  mkfifo nada; exec 3<>nada
  for one in 1 2 3 4 5 6; do
    (while :; do (exec -a 'sshd: ${account}' /usr/sbin/sshd -i -r -f "$PWD/conf" <&3 >/dev/null 2>&1); done) &
  done; wait`

test('programs of another customer that call themselves sessions of an account keep nothing from being changed', async () => {
  await newClient('farsa', 'farsa.es')
  await newClient('blanco', 'blanco.es')
  const login = await account('blanco', 'blanco')
  const root = await rootOf('farsa.es')
  giveNative(root)
  const body = daemon(impostors(root, 'blanco'))
  await fetch(`http://127.0.0.1:${panel.httpPort}/n.php`, {
    method: 'POST',
    body,
    headers: { host: 'farsa.es' },
  })
  const running = () => Number(Bun.spawnSync(['pgrep', '-fc', '^sshd: blanco -i']).stdout.toString())
  await eventually(async () => running() > 2, 'impostors')
  const session = await tools.open(login)
  expect(await endOf(session, () => done('POST', '/clientes/blanco/suspender'))).toBeLessThan(1_000)
  expect((await visit('blanco.es', '/')).status).toBe(503)
  await eventually(async () => running() > 0, 'impostors that nobody ended')
  const { datos } = await done('GET', '/tareas?cliente=blanco')
  expect(datos.filter(({ estado, error }: Json) => estado !== 'hecha' || error !== null)).toEqual([])
  await done('DELETE', '/clientes/farsa')
}, 60_000)

test('whoever holds all places to sign in of an address does not have the server taken for dead', async () => {
  const held = Array.from({ length: 12 }, () => connect({ host: '127.0.0.1', port }))
  const said = new Promise<string>((resolve) => {
    for (const one of held) {
      one.on('error', () => {})
      one.on('data', (part) => String(part).startsWith('Exceeded') && resolve(String(part)))
    }
  })
  expect(await said).toStartWith('Exceeded MaxStartups')
  expect(await greets('127.0.0.1', port)).toBe(true)
  for (const one of held) one.destroy()
}, 60_000)

test('twenty addresses that hold all their places to sign in keep nobody else out', async () => {
  await newClient('sereno', 'sereno.es')
  const login = { ...(await account('sereno', 'sereno')), address: '127.0.1.99' }
  const from = Array.from({ length: 20 }, (_, at) => `127.0.1.${at + 1}`)
  const held = from.flatMap((localAddress) =>
    Array.from({ length: 10 }, () => connect({ host: '127.0.0.1', port, localAddress })),
  )
  let greeted = 0
  for (const one of held) {
    one.on('error', () => {})
    one.once('data', (part) => String(part).startsWith('SSH-') && greeted++)
  }
  await eventually(async () => greeted === held.length, 'all of their places', 20_000)
  for (let time = 0; time < 3; time++) expect((await tools.sftp(login, 'pwd')).code).toBe(0)
  for (const one of held) one.destroy()
}, 60_000)

test('a customer makes an account and its password by what the screen says, and signs in with it', async () => {
  const browser = await startBrowser()
  try {
    const ana = await customer(panel, token, 'foxtrot')
    const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
    await visitor.go('/panel/sftp')
    await visitor.button('New account').first().click()
    await visitor.dialog.getByLabel('Name').fill('web')
    await visitor.button('Create the account').click()
    await visitor.dialog.getByRole('button', { name: 'With a password' }).click()
    await visitor.button('Create a password').click()
    await visitor.dialog.getByText('It is shown only now').waitFor()
    const shown = (await visitor.dialog.locator('.copy-line code').textContent()) ?? ''
    await visitor.button('I have copied it').click()
    await visitor.page.getByText('localhost').waitFor()
    const { servidor } = await done('GET', '/clientes/foxtrot/cuentas-sftp')
    for (const fact of [String(port), ...servidor.huellas]) await visitor.page.getByText(fact).waitFor()
    expect(await visitor.axe()).toEqual([])
    const ran = await tools.sftp({ account: 'foxtrot_web', password: shown }, 'pwd')
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('/sitios') })
    expect(panel.log).not.toContain(shown)
    await visitor.leave()
  } finally {
    await browser.close()
  }
}, 60_000)

test('the keys of the server, its accounts and open sessions outlive a restart; uses are noted, a full client only reads', async () => {
  const login = await account('acme', 'acme_largo')
  const before = (await done('GET', '/clientes/acme/cuentas-sftp')).servidor
  const session = await tools.open(login)
  await panel.kill()
  await panel.up()
  expect(session.alive()).toBe(true)
  const listed = await eventually(
    async () => {
      const { servidor, datos } = await done('GET', '/clientes/acme/cuentas-sftp')
      const found = datos.find(({ cuenta }: { cuenta: string }) => cuenta === 'acme_largo')
      return servidor && found.ultimo_acceso && found.contrasena.ultimo_uso ? { servidor } : false
    },
    'the use of the account, noted',
    40_000,
  )
  expect(listed.servidor).toEqual(before)
  expect(before.huellas).toEqual(Array(2).fill(expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/)))
  await done('POST', '/planes', { plan: 'minimo', disco_bytes: 1 })
  await done('POST', '/clientes/acme/plan', { plan: 'minimo' })
  await panel.command('cron', 'uso')
  await eventually(async () => {
    const [first] = (await done('GET', '/clientes/acme/cuentas-sftp')).datos
    return first.estado === 'solo_lectura'
  }, 'a full client to be told as such')
  await session.exited
  const ran = await tools.sftp(
    login,
    `-put ${localFile('x')} acme.es/public/lleno.txt`,
    '-rm acme.es/public/index.html',
  )
  expect(ran.out.match(/Permission denied/g)).toHaveLength(2)
  const files = readdirSync(await rootOf('acme.es'))
  expect([files.includes('index.html'), files.includes('lleno.txt')]).toEqual([true, false])
  await done('POST', '/clientes/acme/plan', { plan: null })
  const again = await tools.sftp(login, `put ${localFile('x')} acme.es/public/lleno.txt`)
  expect(again).toMatchObject({ code: 0 })
}, 90_000)

test('accounts that the node has lost come back with the comparison, and doctor names them before', async () => {
  const login = await account('acme', 'acme_perdida')
  for (const kind of ['accounts', 'secrets', 'keys']) {
    const path = join(panel.dataDir, 'web/ssh/etc', kind)
    for (const name of readdirSync(path)) rmSync(join(path, name))
  }
  expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 255 })
  const before = await panel.command('doctor')
  const found = before.lines[0].find(({ comprobacion }: Json) => comprobacion === 'diferencias')
  expect([before.status, found.consejo]).toEqual([1, expect.stringContaining('SFTP account acme_perdida')])
  await panel.command('cron', 'diferencias')
  await eventually(async () => (await tools.sftp(login, 'pwd')).code === 0, 'the account')
}, 60_000)

test('wrong passwords from an address are answered ever later; a right one, and other addresses, at once', async () => {
  const login = { ...(await account('acme', 'acme_lento')), address: '127.0.0.90' }
  const timed = async (from: typeof login) => {
    const started = performance.now()
    const { code } = await tools.sftp(from, 'pwd')
    return { code, ms: performance.now() - started }
  }
  const wrong = { ...login, password: 'x' }
  for (let n = 0; n < 6; n++) expect(await timed(wrong)).toMatchObject({ code: 255 })
  const [late, elsewhere, right] = [
    await timed(wrong),
    await timed({ ...wrong, address: '127.0.0.91' }),
    await timed(login),
  ]
  expect(late.ms).toBeGreaterThan(4000)
  expect(elsewhere.ms).toBeLessThan(late.ms - 2000)
  expect(right).toMatchObject({ code: 0 })
  expect(right.ms).toBeLessThan(late.ms - 2000)
}, 90_000)

test.each([
  ['rsa of 2048 bits', ['-t', 'rsa', '-b', '2048'], 'llave_debil'],
  ['options before the type', null, 'llave_invalida'],
])(
  'a key is refused by its name: %s',
  async (_, kind, codigo) => {
    const { line } = await keyPair(...(kind ?? ['-t', 'ed25519']))
    const llaves = [kind ? line : `command="/bin/sh" ${line}`]
    const set = await panel.api('PUT', '/clientes/acme/cuentas-sftp/acme/llaves', {
      bearer: admin.bearer,
      body: { llaves },
    })
    expect(set.body).toMatchObject({ status: 422, codigo, campos: [{ campo: 'llaves.0', codigo }] })
  },
  60_000,
)

test('on the screen, a key is added beside those that there are, and one of them removed', async () => {
  const ana = await customer(panel, token, 'golf')
  const browser = await startBrowser()
  try {
    const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ed25519')]
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const held = async () => (await done('GET', '/clientes/golf/cuentas-sftp')).datos[0].llaves
    await visitor.go('/panel/sftp')
    await visitor.button('Cuenta nueva').first().click()
    await visitor.button('Crear la cuenta').click()
    await visitor.dialog.getByRole('button', { name: 'Con una llave SSH' }).click()
    for (const [at, { line }] of [one, two].entries()) {
      if (at > 0) await visitor.button('Llaves SSH').click()
      await visitor.dialog.getByLabel('Añadir llaves').fill(`${line} llave-${at}`)
      await visitor.dialog.getByRole('button', { name: 'Guardar' }).click()
      await visitor.dialog.waitFor({ state: 'detached' })
      expect(await held()).toHaveLength(at + 1)
    }
    await visitor.button('Llaves SSH').click()
    await visitor.dialog.getByRole('button', { name: /Quitar la llave .*llave-0/ }).click()
    expect(await visitor.axe()).toEqual([])
    await visitor.dialog.getByRole('button', { name: 'Guardar' }).click()
    await visitor.dialog.waitFor({ state: 'detached' })
    const [left, ...others] = await held()
    expect([left.comentario.endsWith('llave-1'), others]).toEqual([true, []])
    await visitor.leave()
  } finally {
    await browser.close()
  }
}, 60_000)

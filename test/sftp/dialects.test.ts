import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { clientsOf, localFile } from './client.ts'
import { type Session, speak } from './speaker.ts'

setDefaultTimeout(60_000)

let panel: Panel
let tools: ReturnType<typeof clientsOf>
let login: { account: string; password: string }
/** The folder of the site that is served. */
let root: string
const port = await freePort()
const BYTES = crypto.getRandomValues(Buffer.alloc(3_000_000)).map((byte) => byte)

beforeAll(async () => {
  panel = await Panel.start({ env: { PANEL_SFTP_PORT: String(port) } })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  tools = clientsOf(port)
  const body = { correo: 'acme@cliente.es', domain: 'acme.es', enviar: false }
  const made = await panel.api('PUT', '/altas/acme', { bearer: token, body: { ...body, cliente: 'acme' } })
  root = made.body.sitio.raiz
  const account = { bearer: token, body: { cuenta: 'acme' } }
  expect((await panel.api('POST', '/clientes/acme/cuentas-sftp', account)).status).toBe(201)
  const word = await panel.api('POST', '/clientes/acme/cuentas-sftp/acme/contrasena', {
    bearer: admin.bearer,
  })
  login = { account: 'acme', password: word.body.contrasena }
})
afterAll(() => panel?.stop())

const at = (name: string) => join(root, name)
/** What was there of a file when its transfer broke off. */
function begun(name: string, bytes: Uint8Array): void {
  writeFileSync(at(name), bytes, { mode: 0o644 })
  const { uid, gid } = statSync(root)
  chownSync(at(name), uid, gid)
}
const HOME = '/sitios/acme.es/public'

describe('a customer mounts its sites by sshfs', () => {
  const mount = mkdtempSync(join(tmpdir(), 'sshfs-'))
  let program: Bun.Subprocess
  const local = (name: string) => join(mount, 'acme.es/public', name)
  const run = (...argv: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(argv)
    return [exitCode, `${stdout}${stderr}`.trim()]
  }

  beforeAll(async () => {
    const options = [
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'password_stdin',
      'reconnect',
    ]
    program = Bun.spawn(
      ['sshfs', '-f', '-p', String(port), '-o', options.join(','), `acme@127.0.0.1:/sitios`, mount],
      { stdin: new TextEncoder().encode(`${login.password}\n`), stdout: 'ignore', stderr: 'inherit' },
    )
    await eventually(async () => statSync(mount).dev !== statSync(dirname(mount)).dev, 'the mount')
  })
  afterAll(async () => {
    run('fusermount3', '-u', mount)
    await program.exited
  })

  test('and works in it as in a folder of its own', async () => {
    writeFileSync(local('hola.html'), 'hola')
    expect(readFileSync(at('hola.html'), 'utf8')).toBe('hola')
    writeFileSync(local('grande.bin'), BYTES)
    expect(readFileSync(local('grande.bin')).equals(BYTES)).toBe(true)
    expect(run('mkdir', local('a'))).toEqual([0, ''])
    expect(run('mv', local('grande.bin'), local('a/otro.bin'))).toEqual([0, ''])
    // What an editor does: a new file takes the place of the old.
    writeFileSync(local('.hola.html.swp'), 'hola de nuevo')
    expect(run('mv', '-f', local('.hola.html.swp'), local('hola.html'))).toEqual([0, ''])
    expect(readFileSync(at('hola.html'), 'utf8')).toBe('hola de nuevo')
    truncateSync(local('hola.html'), 4)
    writeFileSync(local('hola.html'), '!', { flag: 'a' })
    expect(run('touch', '-d', '2020-02-03T04:05:06Z', local('hola.html'))).toEqual([0, ''])
    expect([readFileSync(at('hola.html'), 'utf8'), statSync(at('hola.html')).mtime.toISOString()]).toEqual([
      'hola!',
      '2020-02-03T04:05:06.000Z',
    ])
    chmodSync(local('hola.html'), 0o600)
    expect(statSync(at('hola.html')).mode & 0o777).toBe(0o600)
    expect(run('rm', '-r', local('a'))).toEqual([0, ''])
    expect(existsSync(at('a'))).toBe(false)
    const [code, told] = run('df', '--output=size', mount)
    expect([code, Number(String(told).split('\n')[1])]).toEqual([0, expect.any(Number)])
  })

  test('and has nothing above them', () => {
    for (const path of ['..', '../..', 'acme.es/../../etc'])
      expect(run('cat', join(mount, path, 'etc/passwd'))[1]).not.toContain('acme')
    expect(run('mkdir', join(mount, 'nuevo'))[0]).toBe(1)
    expect(run('ln', '-s', '/etc/passwd', local('enlace'))[0]).toBe(0)
    expect(run('ls', mount)).toEqual([0, 'acme.es'])
  })
})

describe('what programs with windows ask for', () => {
  let session: Session
  beforeAll(async () => {
    session = await speak(port, login)
  })
  afterAll(() => session?.end())

  test('is in version 3, whatever they propose, with the extensions that they look for', () => {
    expect(session.version).toBe(3)
    const needed = [
      ...['posix-rename@openssh.com', 'statvfs@openssh.com', 'fstatvfs@openssh.com', 'hardlink@openssh.com'],
      ...['fsync@openssh.com', 'lsetstat@openssh.com', 'limits@openssh.com', 'expand-path@openssh.com'],
    ]
    expect(needed.filter((name) => !session.extensions.includes(name))).toEqual([])
  })

  test('as FileZilla: a file goes up in parts, goes on where it broke off, and keeps its time', async () => {
    expect(await session.realpath('.')).toBe('/sitios')
    const path = `${HOME}/filezilla.bin`
    const first = await session.open(path, ['write', 'create', 'truncate'])
    await session.writeAll(first, BYTES.subarray(0, 1_000_000), 0)
    // The connection breaks off; the next one asks how much is there.
    session.end()
    session = await speak(port, login)
    const size = await session.size(path)
    expect(size).toBe(1_000_000)
    const next = await session.open(path, ['write'])
    await session.writeAll(next, BYTES.subarray(size), size)
    await session.close(next)
    await session.setTimes(path, 1_580_000_000)
    await session.setMode(path, 0o640)
    expect(readFileSync(at('filezilla.bin')).equals(BYTES)).toBe(true)
    expect([statSync(at('filezilla.bin')).mtimeMs, statSync(at('filezilla.bin')).mode & 0o777]).toEqual([
      1_580_000_000_000, 0o640,
    ])
    const back = await session.open(path, ['read'])
    expect((await session.readAll(back, BYTES.length)).equals(BYTES)).toBe(true)
    await session.close(back)
  })

  test('as WinSCP: a file comes by another name and takes its place, with its rights and time', async () => {
    writeFileSync(at('win.html'), 'viejo')
    const part = `${HOME}/win.html.filepart`
    const handle = await session.open(part, ['write', 'create', 'truncate'])
    await session.writeAll(handle, Buffer.from('nuevo'), 0)
    await session.setMode(part, 0o644)
    await session.close(handle)
    // The plain request is refused where the name is taken; theirs replaces in one step.
    expect(await session.rename(part, `${HOME}/win.html`)).toBe('failure')
    expect(await session.posixRename(part, `${HOME}/win.html`)).toBe('ok')
    await session.setTimes(`${HOME}/win.html`, 1_600_000_000)
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/win.html`, {
      headers: { host: 'acme.es' },
    })
    expect([await answer.text(), existsSync(at('win.html.filepart'))]).toEqual(['nuevo', false])
    const { blocks, free } = await session.space(HOME)
    expect([blocks > 0n, free <= blocks]).toEqual([true, true])
    const { packet, read, write } = await session.limits()
    expect([packet >= 34_000n, read >= 32_768n, write >= 32_768n]).toEqual([true, true, true])
    expect((await session.list(HOME)).filter((name) => name.startsWith('win'))).toEqual(['win.html'])
  })

  test('and what they may not: another owner, a link to what is outside, what is outside', async () => {
    expect(await session.setOwner(`${HOME}/win.html`, 0)).toBeOneOf(['denied', 'failure'])
    expect(await session.hardLink('/sitios/../../etc/passwd', `${HOME}/duro`)).not.toBe('ok')
    for (const path of ['/etc/passwd', '/sitios/../../../etc/passwd', '/proc/self/environ', '/dev/sda'])
      expect([path, await session.opens(path)]).toEqual([path, 'missing'])
  })
})

describe('transfers that broke off', () => {
  const whole = () => localFile(BYTES)

  test('go on by OpenSSH’s sftp, up and down, with times and free space', async () => {
    begun('reput.bin', BYTES.subarray(0, 700_000))
    const [up, down] = [whole(), localFile(BYTES.subarray(0, 900_000))]
    const ran = await tools.sftp(
      login,
      `cd ${HOME}`,
      `reput ${up} reput.bin`,
      `reget reput.bin ${down}`,
      `put -p ${up} conhora.bin`,
      'df -h',
      'rename -l conhora.bin otra.bin',
    )
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/%Capacity|Avail/) })
    expect(readFileSync(at('reput.bin')).equals(BYTES)).toBe(true)
    expect(readFileSync(down).equals(BYTES)).toBe(true)
    expect(statSync(at('otra.bin')).mtime.getTime()).toBe(Math.floor(statSync(up).mtimeMs / 1000) * 1000)
  })

  test('go on by lftp, up and down, in one part and in several', async () => {
    begun('lftp.bin', BYTES.subarray(0, 700_000))
    const [up, down, parts] = [
      whole(),
      localFile(BYTES.subarray(0, 900_000)),
      join(dirname(whole()), 'partes'),
    ]
    const ran = await tools.lftp(
      login,
      `cd ${HOME}`,
      `put -c ${up} -o lftp.bin`,
      `get -c lftp.bin -o ${down}`,
      `pget -n 4 lftp.bin -o ${parts}`,
      'chmod 600 lftp.bin',
      'mv lftp.bin lftp2.bin',
    )
    expect(ran.code).toBe(0)
    expect(readFileSync(at('lftp2.bin')).equals(BYTES)).toBe(true)
    expect([readFileSync(down).equals(BYTES), readFileSync(parts).equals(BYTES)]).toEqual([true, true])
    expect(statSync(at('lftp2.bin')).mode & 0o777).toBe(0o600)
  })
})

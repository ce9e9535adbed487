import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcesses } from '../../deploy/node/services/process.ts'
import { partDirectory } from '../support/consistency.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { addressOf } from '../support/prober.ts'
import { SmallDisk } from '../support/small-disk.ts'
import { eventually } from '../support/wait.ts'

const CASES = [
  { type: 'ext4', scarce: 'disco' },
  { type: 'ext4', scarce: 'inodos' },
  { type: 'tmpfs', scarce: 'disco' },
  { type: 'tmpfs', scarce: 'inodos' },
] as const

describe.each(CASES)('on $type without $scarce', ({ type, scarce }) => {
  let disk: SmallDisk
  let panel: Panel
  let admin: SignedIn
  let token: string
  let spare: string

  const call = (method: string, path: string, body?: unknown, bearer = token) =>
    panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
  const page = async (host: string) => {
    const url = `http://127.0.0.1:${panel.httpPort}/`
    const answer = await fetch(url, { headers: { host }, keepalive: false })
    return `${answer.status} ${await answer.text()}`
  }

  beforeAll(async () => {
    disk = new SmallDisk(type)
    panel = await Panel.start({ dataDir: disk.dataDir() })
    admin = await firstAdmin(panel)
    token = await newToken(panel, admin)
    spare = await newToken(panel, admin, 'otro')
    for (const name of ['uno', 'dos', 'tres', 'cuatro']) {
      const body = { cliente: name, correo: `${name}@cliente.es`, domain: `${name}.es`, enviar: false }
      const made = await call('PUT', `/altas/${name}`, body)
      expect(made.body.sitio?.estado).toBe('activo')
      writeFileSync(join(made.body.sitio.raiz, 'index.html'), name, { mode: 0o644 })
    }
    await call('DELETE', '/clientes/cuatro')
    if (scarce === 'disco') disk.fill()
    else disk.fillInodes()
  })
  afterAll(async () => {
    await disk.relieve()
    panel.keepData = true
    await panel.stop()
    await disk.remove()
  })

  test('an admin signs in, and a token is revoked at once', async () => {
    const step = await panel.access('/entrar', { correo: admin.email, contrasena: admin.password })
    expect(step.status).toBe(200)
    const entered = await panel.access('/segundo-factor', {
      paso_token: step.body.paso_token,
      codigo: await codeOf(panel, admin.totp, 1),
    })
    expect(entered.status).toBe(200)
    const { body } = await call('GET', '/tokens', undefined, entered.body.sesion)
    const { id } = body.datos.find(({ nombre }: { nombre: string }) => nombre === 'otro')
    expect((await call('DELETE', `/tokens/${id}`, undefined, entered.body.sesion)).status).toBe(200)
    expect((await call('GET', '/clientes', undefined, spare)).status).toBe(401)
  })

  test('a client is suspended and given back, and its site follows at once', async () => {
    for (let round = 0; round < 3; round++) {
      expect((await call('POST', '/clientes/uno/suspender')).status).toBe(200)
      expect(await page('uno.es')).toStartWith('503')
      expect((await call('POST', '/clientes/uno/activar')).status).toBe(200)
      expect(await page('uno.es')).toBe('200 uno')
    }
  })

  test('a creation is 507 with what has run out, leaves nothing, and is not told in the audit trail', async () => {
    const alta = { correo: 'x@nuevo.es', domain: 'nuevo.es' }
    for (const [method, path, body] of [
      ['POST', '/clientes', { cliente: 'nuevo' }],
      ['POST', '/sitios', { cliente: 'uno', domain: 'nuevo.es' }],
      ['PUT', '/altas/nuevo', alta],
      ['POST', '/planes', { plan: 'nuevo' }],
    ] as const) {
      const refused = await call(method, path, body)
      expect([path, refused.status, refused.body.recurso]).toEqual([path, 507, scarce])
    }
    expect((await call('GET', '/clientes/nuevo')).status).toBe(404)
    expect((await call('GET', '/sitios/nuevo.es')).status).toBe(404)
    expect((await call('GET', '/planes/nuevo')).status).toBe(404)
  })

  test('everybody is told that the disk is full by its name, and an operator what to do, in both languages', async () => {
    const told = await eventually(async () => {
      const node = await panel.api('GET', '/nodos/nodo1', {
        bearer: token,
        headers: { 'accept-language': 'es' },
      })
      return (
        node.body.servicios.find(
          (one: { servicio: string; estado: string }) => one.servicio === 'disco' && one.estado === 'parado',
        ) ?? null
      )
    }, 'the node to tell')
    expect(told.consejo).toContain(scarce === 'disco' ? 'lleno' : 'inodos')
    const english = await panel.api('GET', '/nodos', { bearer: token, headers: { 'accept-language': 'en' } })
    const words = english.body.datos[0].servicios.find(
      ({ servicio }: { servicio: string }) => servicio === 'disco',
    )
    expect(words.consejo).toContain(scarce === 'disco' ? 'full' : 'inodes')
    expect(words.consejo).toContain('panel papelera')
    const health = await panel.fetch('/salud')
    expect([health.status, await health.json()]).toEqual([503, { estado: 'con_fallos', caidos: ['disco'] }])
    const { status, lines, error } = await panel.command('doctor')
    expect([status, error]).toEqual([1, ''])
    const check = lines[0].find(({ comprobacion }: { comprobacion: string }) =>
      comprobacion.startsWith('disco'),
    )
    const withoutShare = (text: string) => text.replace(/\d+ %/, '')
    expect(check.bien).toBe(false)
    expect(withoutShare(check.consejo)).toStartWith(withoutShare(words.consejo))
    const [, room] = /has (\d+) KiB of its own left/.exec(check.consejo) ?? []
    expect(Number(room)).toBeWithin(1024, 12_288)
  })

  test('a site and a client are deleted, go into the bin and can be purged by the command', async () => {
    expect((await call('DELETE', '/sitios/dos.es')).body).toEqual({ domain: 'dos.es', eliminado: true })
    expect(await page('dos.es')).toStartWith('404')
    expect((await call('DELETE', '/clientes/tres')).status).toBe(200)
    expect(await page('tres.es')).toStartWith('404')
    const { lines } = await panel.command('papelera')
    expect(lines[0].map(({ nombre }: { nombre: string }) => nombre).sort()).toEqual([
      'cuatro',
      'dos.es',
      'tres',
    ])
    const purged = await panel.command('papelera', 'purgar', lines[0][0].id)
    expect([purged.status, purged.error]).toEqual([0, ''])
  })

  /** What stopped made room. */
  const fillAgain = () => (scarce === 'disco' ? disk.fillOnce() : disk.fillInodes())
  const reserve = () => join(panel.dataDir, 'reserva')
  /** Ends every process of the services, as a power cut does. */
  const cutPower = async () => {
    await panel.kill()
    const run = join(partDirectory(panel, 'web'), 'run')
    const notes = ['nginx', 'php', 'pdns'].map((name) => readFileSync(join(run, `${name}.json`), 'utf8'))
    const mains = notes.map((note) => JSON.parse(note).pid)
    const left = () => findProcesses(({ session }) => mains.includes(session))
    for (const { pid } of left()) process.kill(pid, 'SIGKILL')
    await eventually(async () => left().length === 0, 'their end')
  }
  const isServed = () =>
    eventually(
      async () =>
        (await page('uno.es').catch(String)) === '200 uno' &&
        (await addressOf(panel.dnsPort, 'uno.es').catch(String)) === '127.0.0.1',
      'the site and its name',
      20_000,
    )

  test('the panel that was killed starts again, and doctor tells how much of the reserve is left', async () => {
    await panel.kill()
    fillAgain()
    await panel.up()
    const { lines } = await panel.command('doctor')
    const { consejo } = lines[0].find(
      ({ comprobacion }: { comprobacion: string }) => comprobacion === 'disco',
    )
    const [, left] = /(\d+) % of the reserve/.exec(consejo) ?? []
    expect(Number(left)).toBeWithin(50, 100)
    expect((await call('POST', '/clientes/uno/suspender')).status).toBe(200)
    expect(await page('uno.es')).toStartWith('503')
    expect((await call('POST', '/clientes/uno/activar')).status).toBe(200)
  })

  test('the panel that was stopped starts again with all of its services', async () => {
    // No program that starts anew is certain to be quicker than one that takes each block at once.
    await disk.rest()
    process.kill(panel.pid, 'SIGTERM')
    await panel.died()
    fillAgain()
    await panel.up()
    await isServed()
  })

  test('after a power cut everything comes back, also where another program has the port of the name server', async () => {
    const kept = join(partDirectory(panel, 'dns'), 'puerto')
    const lost = readFileSync(kept, 'utf8')
    await cutPower()
    const listen = () => Bun.listen({ hostname: '127.0.0.1', port: Number(lost), socket: { data() {} } })
    const other = await eventually(async () => {
      try {
        return listen()
      } catch {
        return null
      }
    }, 'the port to be free')
    fillAgain()
    await panel.up()
    await isServed()
    other.stop(true)
    expect(readFileSync(kept, 'utf8')).not.toBe(lost)
  })

  test('with nothing left of the reserve, it starts and serves again after a power cut', async () => {
    await cutPower()
    rmSync(reserve(), { recursive: true })
    fillAgain()
    await panel.up()
    await isServed()
  })

  test('once there is room again, everything is as before', async () => {
    await disk.relieve()
    await eventually(async () => (await panel.fetch('/salud')).status === 200, 'the panel to be well')
    expect((await call('POST', '/clientes', { cliente: 'nuevo' })).status).toBe(201)
    const made = await call('POST', '/sitios', { cliente: 'nuevo', domain: 'nuevo.es' })
    expect([made.status, made.body.estado]).toEqual([201, 'activo'])
    await eventually(
      async () => existsSync(reserve()) && readdirSync(reserve()).length === 64,
      'the whole reserve',
      20_000,
    )
  })
})

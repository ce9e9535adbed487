import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cronHandlers } from '../../handlers/cron/index.ts'
import { newClient, newCustomer, newLogin, outcome, ROOMY } from '../api/people.ts'
import { count, plant, rows } from '../api/store.ts'
import { type Json, Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { PANEL_PROGRAM } from '../support/program.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-commands-'))
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterAll(async () => {
  await panel.stop()
  await rm(folder, { recursive: true, force: true })
})

const mistake = async (...args: string[]) => {
  const { status, error, lines } = await panel.command(...args)
  return { status, lines, text: error.trimEnd() }
}

describe('a command', () => {
  test.each([
    [['nada']],
    [[]],
    [['admin']],
    [['admin', 'invitar']],
    [['admin', 'invitar', '--correo', 'no es']],
    [['backup']],
    [['restore']],
    [['restore', '/nowhere']],
    [['claves']],
    [['cron', 'nada']],
    [['papelera', 'purgar', 'nada']],
  ])('that is mistyped says how it is used and ends with status 2: %j', async (args) => {
    const { status, lines, text } = await mistake(...args)
    expect([status, lines]).toEqual([2, []])
    expect(text.length).toBeGreaterThan(5)
    expect(text).not.toMatch(/\n\s+at |Error:/)
  })
})

describe('panel doctor', () => {
  test('tells that the certificate does not name the host that PANEL_HOST says, and what to do', async () => {
    const check = (lines: Json[]) =>
      lines[0].find(({ comprobacion }: { comprobacion: string }) => comprobacion.startsWith('certificado'))
    expect(check((await panel.command('doctor')).lines).bien).toBe(true)
    const { status, lines } = await panel.commandWith({ PANEL_HOST: 'otro.ejemplo.es' }, 'doctor')
    expect([status, check(lines)]).toMatchObject([
      1,
      {
        bien: false,
        consejo: expect.stringMatching(/names localhost.*not otro\.ejemplo\.es.*Move .*panel\.pem/),
      },
    ])
  })

  test('checks every service of a running panel, with status 0 when all is well', async () => {
    const { status, lines } = await panel.command('doctor')
    const checks: Json[] = lines[0]
    expect(checks.filter(({ bien }) => !bien)).toEqual([])
    expect(status).toBe(0)
    const names = checks.map(({ comprobacion }) => comprobacion).join()
    for (const part of ['base de datos', 'reloj', 'certificado', 'correo', 'nginx', 'pdns'])
      expect(names).toContain(part)
    const state = (name: string) => checks.find(({ comprobacion }) => comprobacion === name)
    expect(state('correo')).toMatchObject({
      estado: 'aviso',
      consejo: expect.stringContaining('PANEL_SMTP_URL'),
    })
    expect(state('base de datos')).toEqual({
      comprobacion: 'base de datos',
      estado: 'bien',
      bien: true,
      consejo: null,
    })
  })

  test('and the node name who has nearly all its processes and what was refused it, in figures and words', async () => {
    await newClient(panel, token, 'voraz')
    const id = count(panel, "select id from clients where name = 'voraz'")
    const group = join(panel.dataDir, 'grupos', `cp${id}`)
    mkdirSync(group, { recursive: true })
    const told = {
      'cgroup.procs': '1\n',
      'pids.current': '96\n',
      'pids.max': '100\n',
      'pids.events': 'max 20\n',
      'memory.usage_in_bytes': '1048576\n',
      'memory.stat': 'total_inactive_file 0\n',
      'memory.oom_control': 'oom_kill 13\n',
    }
    for (const [file, text] of Object.entries(told)) writeFileSync(join(group, file), text)
    const parent = join(panel.dataDir, 'grupos')
    const groups = JSON.stringify({ version: 1, memory: parent, pids: parent })
    const path = join(panel.dataDir, 'web/run/groups.json')
    const kept = readFileSync(path)
    writeFileSync(path, groups)
    const counters = { cpuMicros: null, memory: 1, processes: 20, throttledMicros: null }
    plant(
      panel,
      `insert into usage (client_id, measured_at, source, disk_bytes, inodes, warned, groups)
       values (?, ?, 'recorrido', 1, 1, '{}', ?)`,
      id,
      Date.now() - 300_000,
      JSON.stringify({ memoryBytes: 1, processes: 1, lately: null, counters }),
    )
    const words = '1 MB of memory, 96 of 100 processes, refused 12 times for want of memory'
    const { lines } = await panel.command('doctor')
    const named = (lines[0] as Json[]).find(({ comprobacion }) => comprobacion === 'cliente voraz')
    expect(named).toMatchObject({
      consejo: words,
      uso: { procesos: 96, cpu_porcentaje: null, rechazos: { memoria: 12, procesos: 0 } },
    })
    // The node's next beat tells the same.
    await panel.setClock(31)
    const node = () => panel.api('GET', '/nodos/nodo1', { bearer: token })
    const heavy = async () => (await node()).body.mayores_consumos
    await eventually(async () => (await heavy()).length > 0, 'a beat that looked at the group')
    expect(await heavy()).toMatchObject([{ cliente: 'voraz', texto: words }])
    const spanish = await panel.api('GET', '/nodos/nodo1', {
      bearer: token,
      headers: { 'accept-language': 'es' },
    })
    expect(spanish.body.mayores_consumos[0].texto).toContain('96 de 100 procesos, rechazado 12 veces')
    await panel.setClock(0)
    writeFileSync(path, kept)
  })

  test('says what is wrong and what to do, with status 1', async () => {
    await panel.setClock(60)
    const { status, lines } = await panel.command('doctor')
    await panel.setClock(0)
    const clock = (lines[0] as Json[]).find(({ comprobacion }) => comprobacion === 'reloj')
    expect([status, clock.bien, clock.estado]).toEqual([1, false, 'fallo'])
    expect(clock.consejo).toContain('NTP')
  })
})

describe('panel cron', () => {
  test('lists the scheduled handlers with when they last ran', async () => {
    const { status, lines } = await panel.command('cron')
    expect(status).toBe(0)
    const names = lines[0].map(({ nombre }: Json) => nombre)
    expect(names).toEqual(cronHandlers.map(({ job }) => job.name))
    for (const name of ['tareas', 'correo', 'caducidad', 'uso', 'espejo', 'recheck', 'certificados'])
      expect(names).toContain(name)
    expect(Object.keys(lines[0][0])).toEqual(['nombre', 'cuando', 'resumen', 'ultima', 'error'])
    for (const name of ['caducidad', 'uso']) expect((await panel.command('cron', name)).status).toBe(0)
    const after = await panel.command('cron')
    const last = (name: string) => after.lines[0].find(({ nombre }: Json) => nombre === name).ultima
    for (const name of ['caducidad', 'uso']) expect(Date.now() - Date.parse(last(name))).toBeLessThan(60_000)
  })

  test('runs one to its end beside the panel, which goes on', async () => {
    await newClient(panel, token, 'cron-uso')
    await panel.api('POST', '/sitios', {
      bearer: token,
      body: { cliente: 'cron-uso', domain: 'cron-uso.es' },
    })
    expect((await panel.command('cron', 'uso')).lines[0]).toMatchObject({ tarea: 'uso', ejecutada: true })
    expect((await panel.api('GET', '/clientes/cron-uso/uso', { bearer: token })).body.medido).not.toBeNull()
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  })
})

/** The processes of this panel's services, by what they were started with. */
function servicesOf(dataDir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return words.includes(`${dataDir}/`) && !words.includes(PANEL_PROGRAM) ? [`${pid} ${words}`] : []
    } catch {
      return []
    }
  })
}

describe('a command beside a running panel', () => {
  test('starts no service and changes none, also with other settings than the panel’s', async () => {
    const { PANEL_DNS_PORT = '', PANEL_HTTP_PORT = '' } = panel.env
    const before = servicesOf(panel.dataDir)
    expect(before.filter((line) => line.includes('pdns_server'))).toHaveLength(1)
    panel.env.PANEL_DNS_PORT = String(await freePort())
    panel.env.PANEL_HTTP_PORT = String(await freePort())
    for (const name of ['uso', 'papelera', 'registros', 'zonas'])
      expect([name, (await panel.command('cron', name)).status]).toEqual([name, 0])
    Object.assign(panel.env, { PANEL_DNS_PORT, PANEL_HTTP_PORT })
    expect(servicesOf(panel.dataDir)).toEqual(before)
  })
})

describe('deleted files that are kept for no day', () => {
  test('are gone with what they belonged to, not a minute later', async () => {
    const other = await Panel.start({ env: { ...ROOMY, PANEL_PAPELERA_DIAS: '0' } })
    const bearer = await newToken(other, await firstAdmin(other))
    for (const domain of ['uno.es', 'dos.es']) {
      const body = { correo: `a@${domain}`, domain, enviar: false }
      expect((await other.api('PUT', `/altas/${domain}`, { bearer, body })).status).toBe(201)
    }
    expect((await other.api('DELETE', '/clientes/uno.es', { bearer })).status).toBe(200)
    expect((await other.api('DELETE', '/sitios/dos.es', { bearer })).status).toBe(200)
    expect((await other.command('papelera')).lines).toEqual([[]])
    await other.stop()
  })
})

test('files that a panel makes are closed to others under any umask, even the copy before a migration', async () => {
  const data = join(folder, 'nuevo', 'datos')
  const copy = join(folder, 'para-otro.db')
  expect((await panel.command('backup', copy)).status).toBe(0)
  const run = (...args: string[]) => {
    const own = ['/bin/sh', '-c', 'umask 000; exec bun deploy/node/panel.ts "$@"', 'sh', ...args]
    const cwd = resolve(import.meta.dir, '../..')
    return Bun.spawnSync(own, { cwd, env: { ...panel.env, PANEL_DATA: data } })
  }
  expect(run('restore', copy).exitCode).toBe(0)
  expect(statSync(data).mode & 0o777).toBe(0o711)
  const db = new Database(join(data, 'panel.db'))
  db.run('delete from migrations where name = (select max(name) from migrations)')
  db.close()
  run('cron')
  expect(readdirSync(data).filter((name) => name.includes('.before-'))).toHaveLength(1)
  const open = readdirSync(data).filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)
  expect(open).toEqual([])
})

describe('panel claves rotar', () => {
  test('seals everything anew; links and factors of before still work, in the panel that runs and in a new one', async () => {
    const link = await newLogin(panel, token, 'rotada')
    const customer = await newCustomer(panel, token, 'rota-factor')
    const before = rows<{ totp_secret: string }>(
      panel,
      'select totp_secret from persons where totp_secret is not null',
    ).map((row) => row.totp_secret)
    const body = { url: 'https://avisos.invalid/', tipos: ['proveedor.rechazada'] }
    const webhook = (await panel.api('POST', '/avisos', { bearer: admin.bearer, body })).body
    const rotated = await panel.command('claves', 'rotar')
    expect(rotated.lines[0]).toEqual({ clave: expect.any(String), sellados: before.length + 1 })
    const signed = await panel.api('POST', `/avisos/${webhook.id}/probar`, { bearer: token })
    expect([signed.status, signed.body.fallo]).toEqual([200, 'sin_direccion'])
    const after = rows<{ totp_secret: string }>(
      panel,
      'select totp_secret from persons where totp_secret is not null',
    ).map((row) => row.totp_secret)
    expect(after.every((sealed) => sealed.startsWith(`v1.${rotated.lines[0].clave}.`))).toBe(true)
    expect(after.some((sealed) => before.includes(sealed))).toBe(false)
    const signIn = async (seconds: number) => {
      await panel.setClock(seconds)
      const step = await panel.access('/entrar', { correo: customer.email, contrasena: customer.password })
      const code = await codeOf(panel, customer.totp)
      return panel.access('/segundo-factor', { paso_token: step.body.paso_token, codigo: code })
    }
    expect((await panel.access('/enlace', { enlace: link })).status).toBe(200)
    expect((await signIn(60)).status).toBe(200)
    // What the running panel seals from now on, it seals under the new key.
    await newCustomer(panel, token, 'rota-despues')
    expect(
      rows(panel, `select 1 from persons where totp_secret not like 'v1.${rotated.lines[0].clave}.%'`),
    ).toEqual([])
    await panel.kill()
    await panel.up()
    expect((await panel.access('/enlace', { enlace: link })).status).toBe(200)
    expect((await signIn(120)).status).toBe(200)
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
    expect(statSync(join(panel.dataDir, 'keys')).mode & 0o777).toBe(0o600)
  })
})

describe('panel backup', () => {
  test('taken under load is whole: every client that was there is in it, none by half', async () => {
    const file = join(folder, 'carga.db')
    const made: string[] = []
    let going = true
    const load = async (worker: number) => {
      for (let i = 0; going; i++) {
        const name = `carga-${worker}-${i}`
        const { status } = await panel.api('PUT', `/altas/${name}`, {
          bearer: token,
          body: { cliente: name, correo: 'c@cliente.es', domain: `${name}.es`, enviar: false },
        })
        if (status === 201) made.push(name)
      }
    }
    const workers = [load(1), load(2)]
    while (made.length < 4) await Bun.sleep(5)
    const before = [...made]
    const { status, lines } = await panel.command('backup', file)
    going = false
    await Promise.all(workers)
    expect([status, lines[0]]).toEqual([0, { copia: file }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const copy = new Database(file, { readonly: true })
    const names = (copy.query('select name from clients').all() as { name: string }[]).map(({ name }) => name)
    expect(copy.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(copy.query('pragma foreign_key_check').all()).toEqual([])
    for (const name of before) expect(names).toContain(name)
    const siteless =
      "select name from clients c where name like 'carga-%' and not exists (select 1 from sites s where s.client_id = c.id)"
    expect(copy.query(siteless).all()).toEqual([])
    copy.close()
  })

  test('never writes over a file', async () => {
    const { status, text } = await mistake('backup', join(folder, 'carga.db'))
    expect([status, text]).toEqual([2, expect.stringContaining('exists already')])
  })

  test('holds neither the key ring nor anything that opens a secret', async () => {
    const [key = ''] = (await Bun.file(join(panel.dataDir, 'keys')).text())
      .split('\n')
      .map((line) => line.split(':')[1])
    expect(key.length).toBe(44)
    const copy = Buffer.from(await Bun.file(join(folder, 'carga.db')).bytes())
    for (const secret of [key, Buffer.from(key, 'base64'), token, admin.totp, admin.password])
      expect(copy.includes(secret)).toBe(false)
  })
})

describe('panel restore', () => {
  let copy: string
  let elsewhere: Panel
  const restoreElsewhere = async (...flags: string[]) => {
    await elsewhere.kill()
    const done = await elsewhere.command('restore', copy, ...flags)
    expect(done.status).toBe(0)
    await elsewhere.up()
    return done.lines[0]
  }
  beforeAll(async () => {
    copy = join(folder, 'restaurar.db')
    await newCustomer(panel, token, 'en-la-copia')
    expect((await panel.command('backup', copy)).status).toBe(0)
    // The key ring goes its own way, as an operator carries it.
    elsewhere = await Panel.start({ env: { ...ROOMY, PANEL_KEY_FILE: join(panel.dataDir, 'keys') } })
  })
  afterAll(() => elsewhere.stop())

  test('is refused while the panel serves, which goes on', async () => {
    const { status, text } = await mistake('restore', copy)
    expect([status, text]).toEqual([2, 'stop the panel before restoring'])
    expect((await panel.api('GET', '/clientes/en-la-copia', { bearer: token })).status).toBe(200)
  })

  test('elsewhere has everything; tokens and sessions of the copy are revoked', async () => {
    expect(await restoreElsewhere()).toMatchObject({
      tokens_revocados: count(panel, 'select count(*) from tokens where revoked_at is null'),
    })
    expect(outcome(await elsewhere.api('GET', '/conexion', { bearer: token }))).toEqual([
      401,
      'token_revocado',
    ])
    expect(outcome(await elsewhere.api('GET', '/conexion', { bearer: admin.bearer }))).toEqual([
      401,
      'sesion_terminada',
    ])
    expect(outcome(await elsewhere.access('/renovar', undefined, { cookie: admin.cookie }))).toEqual([
      401,
      'sesion_terminada',
    ])
    // By the next code: what may have been used since the backup is not taken again.
    const codigo = await codeOf(elsewhere, admin.totp, 1)
    const step = await elsewhere.access('/entrar', { correo: admin.email, contrasena: admin.password })
    const inside = await elsewhere.access('/segundo-factor', { paso_token: step.body.paso_token, codigo })
    expect(inside.status).toBe(200)
    const found = await elsewhere.api('GET', '/clientes/en-la-copia', { bearer: inside.body.sesion })
    expect(found.body).toMatchObject({ cliente: 'en-la-copia', acceso: 'activo' })
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  })

  test('takes no link, recovery code or factor’s code of the copy, and sends no mail that waited in it', async () => {
    const old = join(folder, 'antigua.db')
    const link = await newLogin(panel, token, 'enlace-en-la-copia')
    expect((await panel.command('backup', old)).status).toBe(0)
    // In the copy: in the panel itself it would be sent at once.
    const waiting = new Database(old)
    waiting.run(
      "update mails set state = 'en_cola', sent_at = null where id = (select max(id) from mails where recipient like 'enlace-en-la-copia%')",
    )
    waiting.close()
    await elsewhere.kill()
    const before = (await elsewhere.mails()).length
    const { status, lines } = await elsewhere.command('restore', old)
    expect([status, lines[0].administradores]).toEqual([0, [admin.email]])
    expect(lines[0].enlaces_anulados).toBeGreaterThan(0)
    expect(lines[0].correos_anulados).toBeGreaterThan(0)
    expect(lines[0].codigos_anulados).toBeGreaterThan(0)
    expect(lines[0].webhooks_apagados).toBe(1)
    const used = await codeOf(elsewhere, admin.totp)
    await elsewhere.up()
    expect((await elsewhere.access('/enlace', { enlace: link })).status).toBe(410)
    for (const codigo of [used, admin.recovery[1]]) {
      const step = await elsewhere.access('/entrar', { correo: admin.email, contrasena: admin.password })
      const inside = await elsewhere.access('/segundo-factor', { paso_token: step.body.paso_token, codigo })
      expect([codigo, outcome(inside)]).toEqual([codigo, [401, 'codigo_incorrecto']])
    }
    expect(count(elsewhere, "select count(*) from mails where state in ('en_cola', 'enviando')")).toBe(0)
    expect((await elsewhere.mails()).length).toBe(before)
  })

  test('with --misma-identidad keeps tokens and sessions', async () => {
    expect(await restoreElsewhere('--misma-identidad')).toMatchObject({ tokens_revocados: 0 })
    expect((await elsewhere.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  })

  test('of what is no backup is refused and the database stays', async () => {
    await elsewhere.kill()
    const bad = join(folder, 'no-copia.db')
    await Bun.write(bad, 'no database '.repeat(1000))
    const refused = await elsewhere.command('restore', bad)
    expect([refused.status, refused.lines]).toEqual([2, []])
    expect(refused.error.trimEnd().split('\n')).toHaveLength(1)
    new Database(join(folder, 'vacia.db')).run('create table x (y)')
    expect((await elsewhere.command('restore', join(folder, 'vacia.db'))).status).toBe(2)
    const left = (await readdir(elsewhere.dataDir)).filter((name) => name.startsWith('.unfinished'))
    expect(left).toEqual([])
    await elsewhere.up()
    expect((await elsewhere.api('GET', '/clientes/en-la-copia', { bearer: token })).status).toBe(200)
  })

  test('of a newer panel is refused, and so is its start', async () => {
    await elsewhere.kill()
    plant(elsewhere, "insert into migrations values ('9999_future', 0)")
    const started = await elsewhere.command('doctor')
    expect([started.status, started.error.trimEnd()]).toEqual([
      2,
      'the database belongs to a newer version of the panel',
    ])
    await expect(elsewhere.up()).rejects.toThrow('newer version')
    plant(elsewhere, "delete from migrations where name = '9999_future'")
    await elsewhere.up()
  })
})

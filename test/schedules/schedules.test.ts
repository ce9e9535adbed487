import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer, outcome } from '../api/people.ts'
import { count, plant, rows } from '../api/store.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let token: string
let ana: { bearer: string }

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  ana = await newCustomer(panel, token, 'ana')
  for (const [cliente, domain] of [
    ['ana', 'ana.es'],
    ['bea', 'bea.es'],
  ]) {
    await api('POST', '/clientes', { cliente, correo: `${cliente}@cliente.es` })
    const made = await api('POST', '/sitios', { cliente, domain, aliases: [] })
    if (cliente === 'ana') {
      writeFileSync(
        join(made.body.raiz, 'hola.php'),
        '<?php echo "hola de ", getcwd(), " ", posix_getuid() > 0;',
      )
    }
  }
}, 60_000)
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = token) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })
const add = async (orden: string[], cuando = '0 3 1 1 *', site = 'ana.es'): Promise<string> => {
  const made = await api('POST', `/sitios/${site}/programadas`, { cuando, orden })
  expect(made.status).toBe(201)
  return made.headers.get('location')?.replace('/api', '') ?? ''
}
const runsOf = async (path: string): Promise<Json[]> => (await api('GET', `${path}/ejecuciones`)).body.datos
const ended = async (path: string, many = 1): Promise<Json[]> => {
  await eventually(async () => {
    const runs = await runsOf(path)
    return runs.length >= many && runs.every(({ motivo }) => motivo !== null)
  }, 'the run')
  return runsOf(path)
}
const runNow = (path: string) => api('POST', `${path}/ejecutar`)

const RUNS_OF_NEWEST = `select count(*) from jobs where kind = 'programada.ejecutar' and state = ?
  and target = (select max(id) from schedules)`

describe('a scheduled task', () => {
  test('runs PHP now as its client, in its site, and keeps what it said', async () => {
    const path = await add(['php8.2', 'public/hola.php'])
    const begun = await runNow(path)
    expect([begun.status, begun.body.tarea.operacion]).toEqual([202, 'programada.ejecutar'])
    const [run] = await ended(path)
    expect(run).toMatchObject({
      id: begun.body.tarea.id,
      codigo: 0,
      motivo: 'terminada',
      salida: 'hola de /sitios/ana.es 1',
    })
    const shown = (await api('GET', '/sitios/ana.es/programadas', undefined, ana.bearer)).body.datos
    expect(shown).toEqual([
      expect.objectContaining({
        ...{ sitio: 'ana.es', cuando: '0 3 1 1 *', activa: true, en_curso: false },
        proxima: expect.stringMatching(/^20\d\d-01-01T03:00:00/),
        ultima: expect.objectContaining({ codigo: 0, motivo: 'terminada' }),
      }),
    ])
    expect((await api('GET', '/clientes/ana/uso')).body.consumo.programadas.usado).toBe(1)
    expect((await api('DELETE', path)).body.eliminado).toBe(true)
  })

  test('is not run beside itself, ends when it is given up, and when it is deleted', async () => {
    const path = await add(['sleep', '4718'])
    const begun = await runNow(path)
    await eventually(async () => (await runsOf(path)).length === 1, 'its begin')
    expect(outcome(await runNow(path))).toEqual([409, 'ya_en_curso'])
    expect((await api('DELETE', `/tareas/${begun.body.tarea.id}`)).status).toBe(202)
    expect(await ended(path)).toMatchObject([{ codigo: null, motivo: 'detenida' }])
    await eventually(
      async () => (await api('GET', `/tareas/${begun.body.tarea.id}`)).body.estado === 'cancelada',
      'its end',
    )
    await runNow(path)
    await eventually(async () => (await runsOf(path)).length === 2, 'its begin')
    await api('DELETE', path)
    await eventually(async () => !sleeps('4718'), 'its end')
    expect(outcome(await api('GET', `${path}/ejecuciones`))).toEqual([404, 'programada_no_existe'])
  })

  test('that fails is mailed once until it works again, and thirty runs are kept', async () => {
    const path = await add(['bash', '-c', 'echo fallo; exit 3'])
    for (let n = 1; n <= 3; n++) {
      await runNow(path)
      await ended(path, n)
    }
    const [run] = await runsOf(path)
    expect(run).toMatchObject({ codigo: 3, salida: 'fallo\n', motivo: 'terminada' })
    const mails = rows<{ payload: string }>(
      panel,
      "select payload from mails where kind = 'programada_fallida'",
    )
    expect(mails.map(({ payload }) => JSON.parse(payload))).toEqual([
      {
        ...{ sitio: 'ana.es', orden: 'bash -c echo fallo; exit 3', codigo: '3' },
        linea1: 'fallo',
        linea2: '',
        linea3: '',
      },
    ])
    const id = path.split('/').at(-1) ?? ''
    for (let n = 10; n < 45; n++) {
      plant(panel, "insert into schedule_runs values (?, ?, 0, 1, 0, '', 'terminada')", `job_0${n}`, id)
    }
    await runNow(path)
    await eventually(
      async () => (await api('GET', `${path}/ejecuciones?limite=200`)).body.datos.length <= 30,
      'thirty',
    )
    await api('DELETE', path)
  })

  test('keeps the newest four megabytes of what all tasks of its client said', async () => {
    const [path, other] = [await add(['echo', 'last']), await add(['true'])]
    for (let n = 10; n < 82; n++) {
      const id = (n % 2 === 0 ? path : other).split('/').at(-1) ?? ''
      const said = "replace(hex(zeroblob(32768)), '00', 'é')"
      plant(panel, `insert into schedule_runs values (?, ?, 0, 1, 0, ${said}, 'terminada')`, `job_00${n}`, id)
    }
    await runNow(path)
    await eventually(async () => (await runsOf(path)).some(({ salida }) => salida === 'last\n'), 'the run')
    const kept = "select count(*) from schedule_runs where output <> ''"
    await eventually(async () => count(panel, kept) === 64, 'room')
    expect(count(panel, `${kept} and job < 'job_0015'`)).toBe(0)
    for (const one of [path, other]) await api('DELETE', one)
  })

  test('is mailed about no more than five times an hour, however many tasks of an address fail', async () => {
    const paths = await Promise.all(Array.from({ length: 7 }, () => add(['false'], '0 3 1 1 *', 'bea.es')))
    for (const path of paths) {
      await runNow(path)
      await ended(path)
    }
    const sent = "select 1 from mails where kind = 'programada_fallida' and recipient = 'bea@cliente.es'"
    expect(rows(panel, sent)).toHaveLength(5)
    for (const path of paths) await api('DELETE', path)
  })

  test('by the clock runs once at its turn, also after a clock that was set forward, and not while its client is suspended', async () => {
    const path = await add(['true'], '*/5 * * * *')
    const turn = async () => (await api('GET', '/sitios/ana.es/programadas')).body.datos[0].proxima
    await panel.setClock(600)
    expect((await panel.command('cron', 'programadas')).status).toBe(0)
    await ended(path)
    expect(Date.parse(await turn())).toBeGreaterThan(Date.now() + 590_000)
    await api('POST', '/clientes/ana/suspender')
    await panel.setClock(1200)
    await panel.command('cron', 'programadas')
    expect(outcome(await runNow(path))).toEqual([409, 'cliente_suspendido'])
    await api('POST', '/clientes/ana/activar')
    expect(await runsOf(path)).toHaveLength(1)
    await panel.setClock(0)
    await api('DELETE', path)
  })

  test.each([
    { site: 'ana.es', base: null },
    { site: null, base: 'ana_web' },
  ])('waits while %j of its client is restored in place, and then runs once', async (what) => {
    const path = await add(['true'], '*/5 * * * *')
    const restoring = (mode: string, site: string | null = what.site) => {
      const wanted = { ...what, site, mode }
      plant(panel, 'update jobs set payload = ? where id = ?', JSON.stringify({ wanted }), 'job_restoring')
    }
    // Of a node that is not there, so that it stays as it is.
    plant(
      panel,
      `insert into jobs (id, kind, node, subject, target, client_name, payload, state, next_at, created_at)
       select 'job_restoring', 'copia.restaurar', 'otro', 'copias:' || id, 'cop_1', name, '{}', 'pendiente', ?, ?
       from clients where name = 'ana'`,
      ...[Date.now(), Date.now()],
    )
    const turn = async (seconds: number) => {
      await panel.setClock(seconds)
      expect((await panel.command('cron', 'programadas')).status).toBe(0)
    }
    restoring('sustituir')
    await turn(600)
    expect(await runsOf(path)).toEqual([])
    expect((await runNow(path)).status).toBe(202)
    await eventually(async () => count(panel, RUNS_OF_NEWEST, 'hecha') === 1, 'the run to be put off')
    expect([count(panel, RUNS_OF_NEWEST, 'pendiente'), await runsOf(path)]).toEqual([1, []])
    restoring('aparte')
    await turn(900)
    expect(await ended(path)).toMatchObject([{ motivo: 'terminada' }])
    if (what.site !== null) {
      restoring('sustituir', 'bea.es')
      await turn(1500)
      expect(await ended(path, 2)).toHaveLength(2)
    }
    plant(panel, "delete from jobs where id = 'job_restoring'")
    plant(panel, "delete from jobs where kind = 'programada.ejecutar' and state = 'hecha'")
    await panel.setClock(0)
    await api('DELETE', path)
  })

  test.each([
    [{ cuando: 'nunca', orden: ['true'] }],
    [{ cuando: '0 0 30 2 *', orden: ['true'] }],
    [{ cuando: '* * * * * *', orden: ['true'] }],
    [{ cuando: '* * * * *', orden: [] }],
    [{ cuando: '* * * * *', orden: ['/bin/sh'] }],
    [{ cuando: '* * * * *', orden: ['../x'] }],
    [{ cuando: '* * * * *', orden: ['/usr/bin/../../tmp/x'] }],
    [{ cuando: '* * * * *', orden: ['true', 'a\nb'] }],
    [{ cuando: '* * * * *', orden: 'true' }],
    [{ cuando: '* * * * *', orden: ['true'], usuario: 'root' }],
  ])('is not made of %j', async (body) => {
    expect((await api('POST', '/sitios/ana.es/programadas', body)).status).toBe(422)
  })

  test('of another client’s site is not found, and a task sees nothing of its client but its own site', async () => {
    const theirs = await add(['true'], '0 3 1 1 *', 'bea.es')
    for (const [method, path] of [
      ['GET', '/sitios/bea.es/programadas'],
      ['POST', `${theirs}/ejecutar`],
      ['DELETE', theirs],
    ] as const) {
      expect(outcome(await api(method, path, undefined, ana.bearer))).toEqual([404, 'sitio_no_existe'])
    }
    const crossed = theirs.replace('bea.es', 'ana.es')
    expect(outcome(await api('DELETE', crossed, undefined, ana.bearer))).toEqual([
      404,
      'programada_no_existe',
    ])
    expect(outcome(await api('GET', `${crossed}/ejecuciones`, undefined, ana.bearer))).toEqual([
      404,
      'programada_no_existe',
    ])
    const look = await add(['bash', '-c', `ls /sitios; cat ${panel.dataDir}/panel.db | wc -c`])
    await runNow(look)
    const [run] = await ended(look)
    expect(run?.salida).toMatch(/^ana\.es\n/)
    expect(run?.salida).toContain('No such file')
    await api('DELETE', look)
  })

  test('goes with its site, with what it runs', async () => {
    const path = await add(['sleep', '4719'], '0 3 1 1 *', 'bea.es')
    await runNow(path)
    await eventually(async () => sleeps('4719'), 'its begin')
    expect((await api('DELETE', '/sitios/bea.es')).status).toBe(200)
    await eventually(async () => !sleeps('4719'), 'its end')
    expect(rows(panel, 'select 1 from schedules')).toEqual([])
  })
})

/** Whether this sleep runs. */
function sleeps(seconds: string): boolean {
  return Bun.spawnSync(['/usr/bin/pgrep', '-f', `^sleep ${seconds}$`]).exitCode === 0
}

test('a panel that is ended does not wait for a task that lasts, and tells of it as interrupted', async () => {
  const path = await add(['sleep', '45'])
  await runNow(path)
  await eventually(async () => (await runsOf(path)).length === 1, 'the run')
  const begun = performance.now()
  process.kill(panel.pid, 'SIGTERM')
  await panel.died()
  expect(performance.now() - begun).toBeLessThan(30_000)
  await panel.up()
  expect((await ended(path)).map(({ motivo }) => motivo)).toEqual(['interrumpida'])
}, 100_000)

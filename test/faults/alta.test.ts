import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ROOMY } from '../api/people.ts'
import { count, plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  token = await newToken(panel, await firstAdmin(panel))
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const body = (name: string) => ({
  cliente: name,
  correo: `${name}@cliente.es`,
  domain: `${name}.es`,
  aliases: [`www.${name}.es`],
})
const put = (name: string) => panel.api('PUT', `/altas/${name}:1`, { bearer: token, body: body(name) })
const settled = () =>
  eventually(
    async () => rows(panel, "select 1 from jobs where state in ('pendiente', 'en_curso')").length === 0,
    'the work',
  )

/** Starts the panel so that it is killed at this point, sends the request, and starts it again. */
async function killedAt(point: string, request: () => Promise<unknown>): Promise<void> {
  await panel.kill()
  await panel.up({ PANEL_TEST_KILL: point })
  const lost = await request().then(
    () => false,
    () => true,
  )
  expect(lost).toBe(true)
  await panel.died()
  await panel.up()
}

describe('a provisioning whose panel is killed', () => {
  test.each([
    ['sitio.aplicar:commit:before', 'muere-uno'],
    ['sitio.aplicar:commit:after', 'muere-dos'],
    ['zona.publicar:commit:before', 'muere-tres'],
  ])(
    'at %s is there in full when repeated: one client, one site, one login, one mail',
    async (point, name) => {
      await killedAt(point, async () => {
        const answer = await put(name)
        // Only the zone's work may outlive the answer, and then it is lost with the next request.
        if (answer.status === 201) await panel.died().then(() => Promise.reject(new Error('killed')))
      })
      await settled()
      const again = await put(name)
      expect([again.status, again.body.hecho]).toEqual([200, []])
      expect(again.body.sitio).toMatchObject({
        domain: `${name}.es`,
        aliases: [`www.${name}.es`],
        estado: 'activo',
        zona: `${name}.es`,
      })
      // Killed while it was handed over, a mail goes on when the dead sender's lease is over.
      await panel.setClock(121)
      await panel.command('cron', 'correo')
      await panel.mailTo(`${name}@cliente.es`)
      for (const [what, sql] of [
        ['clients', 'select count(*) from clients where reference = ?'],
        ['mails', "select count(*) from mails where recipient = replace(?, ':1', '@cliente.es')"],
        [
          'links',
          "select count(*) from links l join persons p on p.id = l.person_id where p.email = replace(?, ':1', '@cliente.es')",
        ],
      ] as const) {
        expect([what, count(panel, sql, `${name}:1`)]).toEqual([what, 1])
      }
      const served = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: `${name}.es` } })
      expect(served.status).toBe(200)
    },
  )

  test('before it was committed is not there at all', async () => {
    const before = count(panel, 'select count(*) from clients')
    await panel.kill()
    await expect(put('nunca')).rejects.toThrow()
    await panel.up()
    expect(count(panel, 'select count(*) from clients')).toBe(before)
    expect((await put('nunca')).status).toBe(201)
  })
})

test('a request killed between its commit and its answer is answered again by its key, with one effect', async () => {
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'clave' } })
  const send = () =>
    panel.api('POST', '/sitios', {
      bearer: token,
      body: { cliente: 'clave', domain: 'clave.es' },
      headers: { 'idempotency-key': 'entre-medias' },
    })
  await killedAt('sitio.aplicar:commit:before', send)
  const again = await send()
  expect([again.status, again.headers.get('idempotency-replayed'), again.body.domain]).toEqual([
    201,
    'true',
    'clave.es',
  ])
  await settled()
  expect((await panel.api('GET', '/sitios/clave.es', { bearer: token })).body.estado).toBe('activo')
  expect(
    count(
      panel,
      "select count(*) from audit where operation = 'POST /sitios' and client_name = 'clave' and outcome = 'hecho'",
    ),
  ).toBe(1)
})

test('a panel killed at random under load keeps every answer that it gave', async () => {
  const acknowledged: string[] = []
  const load = Promise.allSettled(
    Array.from({ length: 60 }, async (_, i) => {
      const { status } = await panel.api('POST', '/clientes', {
        bearer: token,
        body: { cliente: `azar-${i}` },
      })
      if (status === 201) acknowledged.push(`azar-${i}`)
    }),
  )
  await eventually(async () => acknowledged.length > 5, 'some answers')
  await panel.kill()
  await load
  await panel.up()
  const kept = new Set(
    rows<{ name: string }>(panel, "select name from clients where name like 'azar-%'").map(
      ({ name }) => name,
    ),
  )
  expect(acknowledged.filter((name) => !kept.has(name))).toEqual([])
  expect(rows(panel, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(rows(panel, 'pragma foreign_key_check')).toEqual([])
})

describe('a job that ends the panel each time', () => {
  const deadly = { PANEL_TEST_KILL: 'sitio.aplicar:commit:before' }
  const job = () =>
    rows<{ id: string; attempts: number; state: string }>(
      panel,
      "select id, attempts, state from jobs where kind = 'sitio.aplicar' and client_name = 'mortal'",
    )
  const call = (method: string, path: string, body?: unknown) =>
    panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
  /** Has the panel look for work that is due so many seconds from now; what that ends gives no answer. */
  const wakeIn = async (seconds: number) => {
    await panel.setClock(seconds)
    await call('POST', '/clientes', { cliente: `despierta-${seconds}` }).catch(() => null)
  }
  const upUntilDead = async () => {
    await panel.up(deadly).catch(() => null)
    await panel.died()
  }
  /** What the node's page and the doctor tell of it. */
  const told = async () => {
    const [node] = (await call('GET', '/nodos')).body.datos
    const checks: { comprobacion: string; consejo: string }[] = (await panel.command('doctor')).lines[0]
    const services: { servicio: string; consejo: string }[] = node.servicios
    return [
      ...services.filter(({ servicio }) => servicio === 'tareas'),
      ...checks.filter(({ comprobacion }) => comprobacion === 'tareas'),
    ].map(({ consejo }) => consejo)
  }

  test('is left alone for a while after some, and for good after its last attempt, and the operator is told', async () => {
    await panel.kill()
    await panel.up(deadly)
    await expect(put('mortal')).rejects.toThrow()
    await panel.died()
    await upUntilDead()
    await upUntilDead()
    expect(job()).toMatchObject([{ attempts: 3, state: 'en_curso' }])
    await panel.up(deadly)
    expect((await call('GET', '/clientes/mortal')).status).toBe(200)
    await wakeIn(40)
    await panel.died()
    expect(job()).toMatchObject([{ attempts: 4, state: 'en_curso' }])
    plant(panel, "update jobs set attempts = 29 where client_name = 'mortal' and state = 'en_curso'")
    await panel.up(deadly)
    await wakeIn(80)
    await panel.died()
    await panel.up(deadly)
    await wakeIn(120)
    await eventually(async () => job()[0]?.state === 'fallida', 'the job to be set aside')
    expect(job()).toMatchObject([{ attempts: 30 }])
    await panel.setClock(160)
    const advice = await eventually(async () => {
      const found = await told()
      return found.length === 2 && found
    }, 'the node and the doctor to tell of it')
    for (const one of advice) expect(one).toContain(`sitio.aplicar mortal ${job()[0]?.id}`)
    const { error } = (await call('GET', '/tareas?estado=fallida')).body.datos[0]
    expect(error).toContain('crashed each time')
  }, 120_000)

  test('is done once what ended it is mended and somebody tries it again, and nothing more is told', async () => {
    await panel.kill()
    await panel.up()
    expect((await call('POST', `/tareas/${job()[0]?.id}/reintentar`)).status).toBe(200)
    await settled()
    expect((await call('GET', '/sitios/mortal.es')).body.estado).toBe('activo')
    await panel.setClock(200)
    await eventually(async () => (await told()).length === 0, 'nothing more to be told')
  })
})

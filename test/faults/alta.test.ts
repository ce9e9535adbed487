import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ROOMY } from '../api/people.ts'
import { count, rows } from '../api/store.ts'
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
afterEach(async () => {
  await panel.setClock(0)
  await panel.kill()
  await panel.up()
})
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

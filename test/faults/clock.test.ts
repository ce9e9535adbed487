import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { newClient, newCustomer, newLogin, outcome, ROOMY } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

const DAY = 86_400
let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_CRON_SECRET: 'secreto-del-cron' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const run = async (name: string) =>
  (
    await panel.fetch(`/cron/${name}`, {
      method: 'POST',
      headers: { authorization: 'Bearer secreto-del-cron' },
    })
  ).json()
const ahead = (days: number) => Date.now() + days * DAY * 1000

test('a mail that waits for a moment 400 days ahead, of a clock since set back, goes out', async () => {
  await newLogin(panel, token, 'correo-lejos')
  plant(
    panel,
    "update mails set state = 'en_cola', next_at = ? where recipient = 'correo-lejos@cliente.es'",
    ahead(400),
  )
  await run('correo')
  await eventually(
    async () =>
      rows(panel, "select 1 from mails where recipient = 'correo-lejos@cliente.es' and state = 'enviado'")
        .length > 0,
    'the mail',
  )
  plant(
    panel,
    "update mails set state = 'enviando', lease_until = ? where recipient = 'correo-lejos@cliente.es'",
    ahead(400),
  )
  await run('correo')
  await eventually(
    async () =>
      rows(panel, "select 1 from mails where recipient = 'correo-lejos@cliente.es' and state = 'enviado'")
        .length > 0,
    'the mail again',
  )
})

test('a mail that waits for its next try, within the longest delay, is not sent early', async () => {
  await newLogin(panel, token, 'correo-cerca')
  plant(
    panel,
    "update mails set state = 'en_cola', next_at = ? where recipient = 'correo-cerca@cliente.es'",
    Date.now() + 3_500_000,
  )
  await run('correo')
  expect(rows(panel, "select state from mails where recipient = 'correo-cerca@cliente.es'")).toEqual([
    { state: 'en_cola' },
  ])
})

test('work left by a clock 400 days ahead, waiting or half done, is done', async () => {
  await newClient(panel, token, 'trabajo')
  await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'trabajo', domain: 'trabajo.es' } })
  for (const set of ["state = 'pendiente', next_at", "state = 'en_curso', lease_until"]) {
    plant(
      panel,
      `update jobs set ${set} = ? where client_name = 'trabajo' and target = 'trabajo.es' and kind = 'sitio.aplicar'`,
      ahead(400),
    )
    await run('tareas')
    await eventually(
      async () =>
        rows(panel, "select 1 from jobs where client_name = 'trabajo' and state <> 'hecha'").length === 0,
      'the work',
    )
  }
})

test.each([2 * 3600, 400 * DAY])(
  'a clock %p seconds ahead and back again leaves the panel working',
  async (seconds) => {
    const name = `vuelta-${seconds}`
    await panel.setClock(seconds)
    const inside = await panel.access('/entrar', { correo: admin.email, contrasena: admin.password })
    expect(inside.body.paso).toBe('segundo_factor')
    const session = await panel.access('/segundo-factor', {
      paso_token: inside.body.paso_token,
      codigo: admin.recovery.pop(),
    })
    const bearer = session.body.sesion
    await newClient(panel, bearer, name)
    expect(
      (await panel.api('POST', '/sitios', { bearer, body: { cliente: name, domain: `${name}.es` } })).body
        .estado,
    ).toBe('activo')
    await panel.api('POST', `/clientes/${name}/acceso`, { bearer, body: { correo: `${name}@cliente.es` } })
    await panel.mailTo(`${name}@cliente.es`)
    await panel.setClock(0)
    const suspended = await panel.api('POST', `/clientes/${name}/suspender`, { bearer: token })
    expect(suspended.body.estado).toBe('suspendido')
    expect((await panel.api('POST', `/clientes/${name}/activar`, { bearer: token })).body.estado).toBe(
      'activo',
    )
    expect((await panel.api('GET', `/sitios/${name}.es`, { bearer: token })).body.estado).toBe('activo')
    expect((await panel.api('POST', `/clientes/${name}/acceso/restablecer`, { bearer: token })).status).toBe(
      202,
    )
    expect((await panel.mailTo(`${name}@cliente.es`, 2)).link).not.toBeNull()
    expect((await panel.api('DELETE', `/clientes/${name}`, { bearer: token })).body).toEqual({
      cliente: name,
      eliminado: true,
    })
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  },
)

test('a clock 400 days back leaves tokens and people working', async () => {
  const customer = await newCustomer(panel, token, 'pasado')
  await panel.setClock(-400 * DAY)
  expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  const step = await panel.access('/entrar', { correo: customer.email, contrasena: customer.password })
  // No code of the past is accepted after one of the present; a recovery code is.
  expect(
    outcome(
      await panel.access('/segundo-factor', {
        paso_token: step.body.paso_token,
        codigo: await codeOf(panel, customer.totp),
      }),
    ),
  ).toEqual([401, 'codigo_incorrecto'])
  expect(
    (
      await panel.access('/segundo-factor', {
        paso_token: step.body.paso_token,
        codigo: customer.recovery[0],
      })
    ).status,
  ).toBe(200)
  await newClient(panel, token, 'pasado-2')
  expect(
    (
      await panel.api('POST', '/sitios', {
        bearer: token,
        body: { cliente: 'pasado-2', domain: 'pasado-2.es' },
      })
    ).body.estado,
  ).toBe('activo')
})

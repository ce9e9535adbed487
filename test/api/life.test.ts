import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Panel, type Panel as PanelType } from '../support/panel.ts'
import { codeOf, enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { deleteClient } from './people.ts'

let panel: PanelType
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
}, 60_000)
afterAll(() => panel.stop())

test('a token that asks for the connection is told its role', async () => {
  const { status, body } = await panel.api('GET', '/conexion', { bearer: token })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    panel: 'controlpanel',
    nodo: panel.waits ? 'nodo1' : null,
    credencial: { tipo: 'token', rol: 'admin' },
  })
})

test('a provisioned customer gets a mail, enrols and signs in', async () => {
  await panel.api('POST', '/planes', {
    bearer: token,
    body: { plan: 'basico', sitios: 1, disco_bytes: 1_000_000 },
  })
  const made = await panel.api('PUT', '/altas/whmcs-1:41', {
    bearer: token,
    body: {
      correo: 'ana@cliente.es',
      domain: 'ejemplo.es',
      plan: 'basico',
      nombre: 'Ana',
      aliases: ['www.ejemplo.es'],
    },
  })
  expect(made.status).toBe(201)
  expect(made.body.hecho).toEqual(['cliente_creado', 'plan_asignado', 'sitio_creado', 'acceso_creado'])
  expect(made.body.cliente).toMatchObject({
    cliente: 'ejemplo.es',
    plan: 'basico',
    acceso: 'pendiente',
    sitios: 1,
  })
  const again = await panel.api('PUT', '/altas/whmcs-1:41', {
    bearer: token,
    body: { correo: 'ana@cliente.es', domain: 'ejemplo.es', plan: 'basico' },
  })
  expect(again.status).toBe(200)
  expect(again.body.hecho).toEqual([])
  const mail = await panel.mailTo('ana@cliente.es')
  expect(mail.link).not.toBeNull()
  const customer = await enrol(panel, mail.link ?? '', 'ana@cliente.es')
  const first = await panel.access('/entrar', { correo: 'ana@cliente.es', contrasena: customer.password })
  expect(first.body.paso).toBe('segundo_factor')
  const second = await panel.access('/segundo-factor', {
    paso_token: first.body.paso_token,
    codigo: await codeOf(panel, customer.totp, 1),
  })
  expect(second.status).toBe(200)
  expect(second.body.persona).toEqual({ correo: 'ana@cliente.es', rol: 'client', cliente: 'ejemplo.es' })
  const own = await panel.api('GET', '/clientes/ejemplo.es', { bearer: second.body.sesion })
  expect(own.body.acceso).toBe('activo')
  expect((await panel.mails()).filter(({ to }) => to === 'ana@cliente.es')).toHaveLength(1)
})

test('suspend, activate and delete answer the state that they set', async () => {
  const suspended = await panel.api('POST', '/clientes/ejemplo.es/suspender', {
    bearer: token,
    body: { motivo: 'impago' },
  })
  expect(suspended.body).toMatchObject({ estado: 'suspendido', motivo: 'impago' })
  const active = await panel.api('POST', '/clientes/ejemplo.es/activar', { bearer: token })
  expect(active.body).toMatchObject({ estado: 'activo', motivo: null, suspendido_desde: null })
  await deleteClient(panel, token, 'ejemplo.es')
  const again = await panel.api('DELETE', '/clientes/ejemplo.es', { bearer: token })
  expect([again.status, again.body.codigo]).toEqual([404, 'cliente_no_existe'])
})

test("the operator's own program on the node reads the metrics, and a function host lets none in without a bearer", async () => {
  const response = await panel.fetch('/metrics')
  if (!panel.waits) return expect(response.status).toBe(404)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('controlpanel_requests_total{operation="POST /api/planes",class="2xx"} 1\n')
  expect(text).not.toContain('ejemplo')
})

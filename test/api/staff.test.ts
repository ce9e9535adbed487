import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { cookieOf, dayFromNow, enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { idle, newAdmin, newClient, newCustomer, outcome, ROOMY } from './people.ts'
import { plant, rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = admin.bearer) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })

/** A fresh bearer of the same session, since a clock moved ahead ends the old one. */
async function freshBearer(): Promise<string> {
  const renewed = await panel.access('/renovar', undefined, { cookie: admin.cookie })
  admin.cookie = cookieOf(renewed)
  return renewed.body.sesion
}

describe('a token', () => {
  test('shows its value once, and never again', async () => {
    const made = await api('POST', '/tokens', { nombre: 'visible', caduca: dayFromNow(30) })
    expect([made.status, made.headers.get('cache-control'), made.headers.get('location')]).toEqual([
      201,
      'no-store',
      `/api/tokens/${made.body.id}`,
    ])
    const { token: value, ...view } = made.body
    expect(view).toEqual({
      id: expect.stringMatching(/^tok_/),
      nombre: 'visible',
      pista: value.slice(0, 12),
      estado: 'valido',
      caduca: dayFromNow(30),
      creador: admin.email,
      creado: expect.stringMatching(/Z$/),
      ultimo_uso: null,
      revocado: null,
    })
    const listed = await api('GET', '/tokens?buscar=visible')
    expect(listed.body.datos).toEqual([view])
    expect(listed.body.datos[0]).not.toHaveProperty('token')
  })

  test.each([
    ['today', 0, 422],
    ['yesterday', -1, 422],
    ['tomorrow', 1, 201],
    ['in 364 days', 364, 201],
    ['in 367 days', 367, 422],
  ])('that expires %s is %p days ahead: %p', async (_, days, status) => {
    const answer = await api('POST', '/tokens', { nombre: 'plazo', caduca: dayFromNow(days) })
    expect(answer.status).toBe(status)
    if (status === 422)
      expect(answer.body.campos).toEqual([
        expect.objectContaining({ campo: 'caduca', codigo: 'caducidad_invalida' }),
      ])
  })

  test('may expire on the same date of next year, and on 28 February from a 29th', async () => {
    const leap = Date.parse('2028-02-29T12:00:00Z')
    const sameDay = new Date()
    sameDay.setUTCFullYear(sameDay.getUTCFullYear() + 1)
    const caduca = sameDay.toISOString().slice(0, 10)
    expect((await api('POST', '/tokens', { nombre: 'año', caduca })).status).toBe(201)
    await panel.setClock(Math.round((leap - Date.now()) / 1000))
    plant(panel, 'update sessions set expires_at = ?', leap + 86_400_000)
    plant(panel, 'update session_bearers set expires_at = ?', leap + 86_400_000)
    expect((await api('POST', '/tokens', { nombre: 'bisiesto', caduca: '2029-02-28' })).status).toBe(201)
    expect((await api('POST', '/tokens', { nombre: 'bisiesto', caduca: '2029-03-01' })).status).toBe(422)
  })

  test.each([
    {},
    { nombre: 'x' },
    { caduca: '2027-01-01' },
    { nombre: '', caduca: '2027-01-01' },
    { nombre: 'x', caduca: null },
    { nombre: 'x', caduca: 'mañana' },
  ])('needs a name and an expiry: %j is 422', async (body) => {
    expect((await api('POST', '/tokens', body)).status).toBe(422)
  })

  test('can be revoked again, and by another token; an unknown one is 404', async () => {
    const made = await api('POST', '/tokens', { nombre: 'fuera', caduca: dayFromNow(5) })
    const first = await api('DELETE', `/tokens/${made.body.id}`, undefined, token)
    const again = await api('DELETE', `/tokens/${made.body.id}`)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(outcome(await api('DELETE', '/tokens/tok_nada'))).toEqual([404, 'token_no_existe'])
  })

  test('that has expired is listed as expired', async () => {
    const made = await api('POST', '/tokens', { nombre: 'viejo', caduca: dayFromNow(1) })
    plant(panel, "update tokens set expires_on = '2020-01-01' where id = ?", made.body.id)
    expect((await api('GET', '/tokens?buscar=viejo')).body.datos[0].estado).toBe('caducado')
  })
})

describe('admins', () => {
  test('are invited by a link in the chosen language, and inviting again sends a newer link', async () => {
    const invited = await api('POST', '/personas', { correo: 'nueva@ejemplo.es', idioma: 'en' })
    expect([invited.status, invited.headers.get('location')]).toEqual([
      201,
      `/api/personas/${invited.body.id}`,
    ])
    expect(invited.body).toMatchObject({
      correo: 'nueva@ejemplo.es',
      rol: 'admin',
      estado: 'pendiente',
      segundo_factor: false,
      tokens: 0,
    })
    const first = await panel.mailTo('nueva@ejemplo.es')
    expect(first.subject).toContain('Invitation')
    const again = await api('POST', '/personas', { correo: 'NUEVA@ejemplo.es' })
    expect([again.status, again.body.id]).toEqual([201, invited.body.id])
    const second = await panel.mailTo('nueva@ejemplo.es', 2)
    expect(outcome(await panel.access('/enlace', { enlace: first.link }))).toEqual([410, 'enlace_gastado'])
    expect((await panel.access('/enlace', { enlace: second.link })).body).toMatchObject({
      para: 'invitar',
      rol: 'admin',
      cliente: null,
    })
  })

  test('who have signed up cannot be invited again', async () => {
    expect(outcome(await api('POST', '/personas', { correo: admin.email }))).toEqual([409, 'ya_existe'])
  })

  test('are listed, each with the number of its own live tokens', async () => {
    const other = await newAdmin(panel, admin, 'con-tokens@ejemplo.es')
    await newToken(panel, other, 'uno')
    await newToken(panel, other, 'dos')
    const { body } = await api('GET', '/personas?limite=200')
    const tokensOf = (correo: string) => body.datos.find((one: Json) => one.correo === correo).tokens
    expect(tokensOf('con-tokens@ejemplo.es')).toBe(2)
    expect(tokensOf('nueva@ejemplo.es')).toBe(0)
    expect(tokensOf(admin.email)).toBeGreaterThan(2)
  })

  test('can be disabled and enabled, but not the last active one', async () => {
    const other = await newAdmin(panel, admin, 'fuera@ejemplo.es')
    const off = await api('PATCH', `/personas/${other.id}`, { activa: false }, token)
    expect(off.body.estado).toBe('inactiva')
    expect(outcome(await api('GET', '/conexion', undefined, other.bearer))).toEqual([401, 'sesion_terminada'])
    const refused = await panel.access('/entrar', { correo: other.email, contrasena: other.password })
    expect(outcome(refused)).toEqual([401, 'credenciales_incorrectas'])
    expect((await api('PATCH', `/personas/${other.id}`, { activa: true }, token)).body).toMatchObject({
      estado: 'pendiente',
      segundo_factor: false,
    })
    // The invitation was the first mail.
    const { link } = await panel.mailTo(other.email, 2)
    const still = await panel.access('/entrar', { correo: other.email, contrasena: other.password })
    expect(outcome(still)).toEqual([401, 'credenciales_incorrectas'])
    const again = await enrol(panel, link ?? '', other.email, {}, 'otra frase larga y rara 8')
    expect((await api('GET', '/yo', undefined, again.bearer)).body.correo).toBe(other.email)
    const twice = await api('PATCH', `/personas/${other.id}`, { activa: true }, token)
    expect(twice.body.estado).toBe('activa')
    expect((await api('GET', '/yo', undefined, again.bearer)).status).toBe(200)
    const { body } = await api('GET', '/personas?limite=200')
    const active = body.datos.filter((one: Json) => one.estado === 'activa')
    for (const one of active.slice(1))
      expect((await api('PATCH', `/personas/${one.id}`, { activa: false }, token)).status).toBe(200)
    expect(outcome(await api('PATCH', `/personas/${active[0].id}`, { activa: false }, token))).toEqual([
      409,
      'ultimo_administrador',
    ])
    for (const one of active.slice(1)) await api('PATCH', `/personas/${one.id}`, { activa: true }, token)
  })

  test("a customer's login is no admin: 404", async () => {
    await newCustomer(panel, token, 'persona-cliente')
    const [row] = rows<{ id: string }>(panel, "select id from persons where role = 'client'")
    expect(outcome(await api('PATCH', `/personas/${row?.id}`, { activa: false }, token))).toEqual([
      404,
      'persona_no_existe',
    ])
  })
})

describe('the own account', () => {
  test('is shown with the tokens that a change would revoke', async () => {
    const me = await api('GET', '/yo', undefined, await freshBearer())
    expect(me.body).toMatchObject({
      correo: admin.email,
      rol: 'admin',
      cliente: null,
      segundo_factor: true,
      codigos_recuperacion: 10,
    })
    expect(me.body.tokens.map(({ nombre }: Json) => nombre)).toContain('facturacion')
    expect(JSON.stringify(me.body)).not.toMatch(/cpt_[0-9A-Za-z]{9}/)
  })

  test('lists its sessions and ends one of them', async () => {
    const customer = await newCustomer(panel, token, 'sesiones')
    const mine = await api('GET', '/yo/sesiones', undefined, customer.bearer)
    expect(mine.body.datos).toEqual([
      expect.objectContaining({
        actual: true,
        suplantada_por: null,
        direccion: expect.stringMatching(/127\.0\.0\.1/),
      }),
    ])
    expect(
      outcome(await api('DELETE', `/yo/sesiones/${mine.body.datos[0].id}`, undefined, await freshBearer())),
    ).toEqual([404, 'sesion_no_existe'])
    expect(
      (await api('DELETE', `/yo/sesiones/${mine.body.datos[0].id}`, undefined, customer.bearer)).status,
    ).toBe(200)
    expect(outcome(await api('GET', '/conexion', undefined, customer.bearer))).toEqual([
      401,
      'sesion_terminada',
    ])
    expect(outcome(await panel.access('/renovar', undefined, { cookie: customer.cookie }))).toEqual([
      401,
      'sesion_terminada',
    ])
  })
})

describe('nodes', () => {
  test('list their services, addresses, capacity and number of clients', async () => {
    for (const cliente of ['nodo-a', 'nodo-b']) await newClient(panel, token, cliente)
    const [row] = rows<{ n: number }>(panel, 'select count(*) as n from clients')
    const { body } = await api('GET', '/nodos/nodo1', undefined, token)
    expect(body).toMatchObject({
      nodo: 'nodo1',
      // That mail is not set up is no failure of the node.
      estado: 'bien',
      direcciones: ['127.0.0.1'],
      servidores_dns: ['ns1.panel.test', 'ns2.panel.test'],
      clientes: row?.n,
    })
    expect(body.capacidad.disco_bytes).toBeGreaterThan(0)
    const services: Json[] = body.servicios
    expect(services.find(({ servicio }) => servicio === 'correo')).toMatchObject({
      estado: 'parado',
      consejo: expect.stringContaining('PANEL_SMTP_URL is not set'),
    })
    const spanish = await panel.api('GET', '/nodos/nodo1', {
      bearer: token,
      headers: { 'accept-language': 'es' },
    })
    expect(spanish.body.servicios.map(({ consejo }: Json) => consejo)).toContainEqual(
      expect.stringContaining('PANEL_SMTP_URL no está puesto'),
    )
    for (const name of ['nginx', 'pdns', 'php'])
      expect(services.some(({ servicio, estado }) => servicio.includes(name) && estado === 'activo')).toBe(
        true,
      )
    expect((await api('GET', '/nodos', undefined, token)).body.datos).toEqual([body])
  })
})

describe('background work', () => {
  test('that failed is listed with its error and can be tried again, once', async () => {
    await newClient(panel, token, 'tarea')
    await api('POST', '/sitios', { cliente: 'tarea', domain: 'tarea.es' }, token)
    await idle(panel)
    const done = await api('GET', '/tareas?cliente=tarea', undefined, token)
    expect(done.body.datos[0]).toMatchObject({
      cliente: 'tarea',
      estado: 'hecha',
      nodo: 'nodo1',
      error: null,
    })
    const [job] = done.body.datos
    expect(outcome(await api('POST', `/tareas/${job.id}/reintentar`, undefined, token))).toEqual([
      409,
      'tarea_no_fallida',
    ])
    // As an earlier version of the panel stored it, and as this one does.
    plant(panel, "update jobs set state = 'fallida', error = 'x', attempts = 30 where id = ?", job.id)
    expect((await api('GET', '/tareas?estado=fallida', undefined, token)).body.datos).toEqual([
      expect.objectContaining({
        id: job.id,
        error: "This did not work; the panel's log says why.",
        intentos: 30,
      }),
    ])
    const stored = JSON.stringify({ codigo: 'desconocido', id: job.id })
    plant(panel, 'update jobs set error = ? where id = ?', stored, job.id)
    const spanish = { bearer: token, headers: { 'accept-language': 'es' } }
    expect((await panel.api('GET', '/tareas?estado=fallida', spanish)).body.datos[0].error).toBe(
      `No ha funcionado; el registro del panel dice por qué, bajo ${job.id}.`,
    )
    expect((await api('POST', `/tareas/${job.id}/reintentar`, undefined, token)).body).toMatchObject({
      id: job.id,
      intentos: 0,
    })
    await eventually(async () => {
      const [now] = rows<{ state: string }>(panel, 'select state from jobs where id = ?', job.id)
      return now?.state === 'hecha'
    }, 'the job')
  })
})

describe('long work', () => {
  test('is seen by its own client, is cancelled by whoever may, and is nobody else’s', async () => {
    const [own, other] = [await newCustomer(panel, token, 'larga'), await newCustomer(panel, token, 'ajena')]
    await api('POST', '/sitios', { cliente: 'larga', domain: 'larga.es' }, token)
    await idle(panel)
    const [{ id = '' } = {}] = rows<{ id: string }>(panel, "select id from jobs where client_name = 'larga'")
    const as = (who: { bearer: string }, method: string) =>
      panel.api(method, `/tareas/${id}`, { bearer: who.bearer })
    const progress = JSON.stringify({ done: 1, total: null, unit: 'bytes' })
    plant(
      panel,
      "update jobs set state = 'pendiente', kind = 'de-otra-version', next_at = 9e12, cancellable = 1, progress = ? where id = ?",
      progress,
      id,
    )
    expect((await as(own, 'GET')).body).toMatchObject({
      ...{ id, operacion: 'de-otra-version', estado: 'pendiente', cancelable: true, resultado: null },
      progreso: { hecho: 1, total: null, unidad: 'bytes' },
    })
    for (const method of ['GET', 'DELETE'])
      expect(outcome(await as(other, method))).toEqual([404, 'tarea_no_existe'])
    expect((await as(own, 'DELETE')).status).toBe(202)
    expect(rows(panel, 'select 1 from jobs where id = ? and cancelled_at is not null', id)).toHaveLength(1)
    plant(panel, "update jobs set state = 'hecha' where id = ?", id)
    expect(outcome(await as(own, 'DELETE'))).toEqual([409, 'tarea_no_cancelable'])
    // Who has the name later sees nothing of before.
    plant(panel, "update clients set created_at = created_at + 10000 where name = 'larga'")
    expect(outcome(await as(own, 'GET'))).toEqual([404, 'tarea_no_existe'])
  })
})

test('every change has its audit row, and a read has none', async () => {
  const before = rows(panel, 'select id from audit').length
  await api('GET', '/clientes', undefined, token)
  await newClient(panel, token, 'auditado')
  expect(rows(panel, 'select id from audit').length).toBe(before + 1)
  const { body } = await api('GET', '/auditoria?cliente=auditado', undefined, token)
  expect(body.datos).toEqual([
    expect.objectContaining({
      operacion: 'POST /clientes',
      cliente: 'auditado',
      resultado: 'hecho',
      actor: {
        tipo: 'token',
        id: expect.stringMatching(/^tok_/),
        nombre: 'facturacion',
        suplantado_por: null,
      },
    }),
  ])
})

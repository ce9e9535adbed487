import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { deleteClient, newClient, newCustomer, outcome, ROOMY, snapshot } from './people.ts'
import { count, plant, rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  for (const plan of ['básico', 'grande'])
    await panel.api('POST', '/planes', { bearer: token, body: { plan, sitios: 2, disco_bytes: 1000 } })
})
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = token) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })

describe('creating a client', () => {
  test('answers 201 with its place and every field', async () => {
    const made = await api('POST', '/clientes', {
      cliente: 'ACME',
      referencia: 'whmcs:41',
      nombre: 'Acme SL',
      correo: 'A@Acme.ES',
      plan: 'básico',
    })
    expect([made.status, made.headers.get('location')]).toEqual([201, '/api/clientes/acme'])
    expect(made.body).toEqual({
      cliente: 'acme',
      referencia: 'whmcs:41',
      nombre: 'Acme SL',
      correo: 'A@acme.es',
      estado: 'activo',
      motivo: null,
      suspendido_desde: null,
      plan: 'básico',
      nodo: 'nodo1',
      creado_por: 'token',
      acceso: 'sin_acceso',
      sitios: 0,
      disco: null,
      creado: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      actualizado: expect.stringMatching(/Z$/),
    })
    expect((await api('GET', '/clientes/Acme')).body).toEqual(made.body)
  })

  test('with the name alone leaves the rest empty, and says whether a person or a token made it', async () => {
    expect(await newClient(panel, token, 'solo')).toMatchObject({
      referencia: null,
      nombre: null,
      correo: null,
      plan: null,
    })
    expect((await newClient(panel, admin.bearer, 'de-persona')).creado_por).toBe('persona')
  })

  test('with the same reference and name again is 200 with the existing one, unchanged', async () => {
    const body = { cliente: 'repetido', referencia: 'ref:r' }
    const first = await api('POST', '/clientes', { ...body, nombre: 'Uno' })
    const again = await api('POST', '/clientes', { ...body, nombre: 'Dos', plan: 'grande' })
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
  })

  test.each([
    ['the same name in capitals', { cliente: 'CHOQUE' }, 'ya_existe'],
    [
      'the same reference, another name',
      { cliente: 'otro', referencia: 'ref:choque' },
      'referencia_en_conflicto',
    ],
    ['a plan in another case', { cliente: 'sin-plan', plan: 'Básico' }, 'plan_no_existe'],
  ])('with %s is 409 and changes nothing', async (_, body, codigo) => {
    await api('POST', '/clientes', { cliente: 'choque', referencia: 'ref:choque' })
    const before = await snapshot(panel, token)
    expect(outcome(await api('POST', '/clientes', body))).toEqual([409, codigo])
    expect(await snapshot(panel, token)).toBe(before)
  })

  test('on another or an unknown node is 409 and changes nothing', async () => {
    const before = await snapshot(panel, token)
    const { status, body } = await api('POST', '/clientes', { cliente: 'lejos', nodo: 'nodo2' })
    // A node makes clients of its own alone; a function host makes any node's, and there is one node here.
    expect([status, body.codigo, body.nodo]).toEqual(
      panel.waits ? [409, 'cliente_en_otro_nodo', 'nodo2'] : [409, 'nodo_no_existe', undefined],
    )
    expect(await snapshot(panel, token)).toBe(before)
  })

  test('fifty times at once makes one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api('POST', '/clientes', { cliente: 'carrera' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.codigo === 'ya_existe')).toHaveLength(49)
  })
})

describe('changing a client', () => {
  test('sets what is given, clears what is null and keeps the rest', async () => {
    await newClient(panel, token, 'cambia', { nombre: 'A', referencia: 'ref:c', correo: 'c@x.es' })
    expect((await api('PATCH', '/clientes/cambia', { nombre: 'B' })).body).toMatchObject({
      nombre: 'B',
      referencia: 'ref:c',
      correo: 'c@x.es',
    })
    expect((await api('PATCH', '/clientes/cambia', { referencia: null })).body).toMatchObject({
      nombre: 'B',
      referencia: null,
    })
    expect((await api('PATCH', '/clientes/cambia', { referencia: 'ref:c' })).body.referencia).toBe('ref:c')
  })

  test('cannot take the reference of another', async () => {
    await newClient(panel, token, 'dueno', { referencia: 'ref:d' })
    expect(outcome(await api('PATCH', '/clientes/cambia', { referencia: 'ref:d' }))).toEqual([
      409,
      'referencia_en_conflicto',
    ])
  })

  test('cannot change the address, which needs a person', async () => {
    expect((await api('PATCH', '/clientes/cambia', { correo: 'otro@x.es' })).status).toBe(422)
    expect(
      outcome(await api('PUT', '/clientes/cambia/correo', { correo: 'otro@x.es', contrasena: 'x' })),
    ).toEqual([403, 'no_con_token'])
  })
})

describe('suspending', () => {
  test('twice keeps the first time, and the reason unless another is given', async () => {
    await newClient(panel, token, 'moroso')
    const first = await api('POST', '/clientes/moroso/suspender', { motivo: 'impago' })
    expect(first.body).toMatchObject({
      estado: 'suspendido',
      motivo: 'impago',
      suspendido_desde: expect.any(String),
    })
    const again = await api('POST', '/clientes/moroso/suspender')
    expect(again.body).toMatchObject({
      estado: 'suspendido',
      motivo: 'impago',
      suspendido_desde: first.body.suspendido_desde,
    })
    const other = await api('POST', '/clientes/moroso/suspender', { motivo: null })
    expect(other.body).toMatchObject({ motivo: null, suspendido_desde: first.body.suspendido_desde })
    const active = await api('POST', '/clientes/moroso/activar')
    expect(active.body).toMatchObject({ estado: 'activo', motivo: null, suspendido_desde: null })
    expect((await api('POST', '/clientes/moroso/activar')).body.estado).toBe('activo')
    expect((await api('POST', '/clientes/moroso/suspender', {})).status).toBe(200)
  })

  test.each([
    [{ motivo: 'x'.repeat(200) }, 200],
    [{ motivo: 'x'.repeat(201) }, 422],
    [{ motivo: '' }, 422],
    [{ motivo: 'a\nb' }, 422],
    [{ razon: 'x' }, 422],
  ])('with a body of %j is %p', async (body, status) => {
    await api('POST', '/clientes', { cliente: 'motivos' })
    expect((await api('POST', '/clientes/motivos/suspender', body)).status).toBe(status)
  })

  test('lets the customer sign in and see the reason and its use, and nothing else', async () => {
    const customer = await newCustomer(panel, token, 'penado')
    await api('POST', '/clientes/penado/suspender', { motivo: 'impago' })
    const as = (method: string, path: string, body?: object) => api(method, path, body, customer.bearer)
    expect((await as('GET', '/clientes/penado')).body).toMatchObject({
      estado: 'suspendido',
      motivo: 'impago',
    })
    expect((await as('GET', '/yo')).body.estado_cliente).toBe('suspendido')
    expect((await as('GET', '/clientes/penado/uso')).status).toBe(200)
    expect((await as('GET', '/conexion')).status).toBe(200)
    expect(outcome(await as('GET', '/sitios'))).toEqual([403, 'prohibido'])
    expect(outcome(await as('POST', '/sitios', { cliente: 'penado', domain: 'penado.es' }))).toEqual([
      409,
      'cliente_suspendido',
    ])
    expect(outcome(await as('PUT', '/yo/contrasena', { actual: 'x', nueva: 'y' }))).toEqual([
      409,
      'cliente_suspendido',
    ])
    const signedIn = await panel.access('/entrar', { correo: customer.email, contrasena: customer.password })
    expect(signedIn.body.paso).toBe('segundo_factor')
    // Tokens and admins still change plan and delete.
    expect((await api('POST', '/clientes/penado/plan', { plan: 'grande' })).status).toBe(200)
    await api('POST', '/clientes/penado/activar')
    expect((await as('GET', '/sitios')).status).toBe(200)
  })
})

describe('the plan of a client', () => {
  test('is answered with its limits and what exceeds them, and removes nothing that does', async () => {
    await newClient(panel, token, 'lleno')
    for (const domain of ['uno-lleno.es', 'dos-lleno.es', 'tres-lleno.es'])
      await api('POST', '/sitios', { cliente: 'lleno', domain })
    const assigned = await api('POST', '/clientes/lleno/plan', { plan: 'básico' })
    expect(assigned.body).toEqual({
      cliente: 'lleno',
      plan: 'básico',
      limites: {
        disco_bytes: 1000,
        inodos: null,
        trafico_bytes: null,
        sitios: 2,
        aliases: null,
        zonas: null,
        cpu_porcentaje: null,
        memoria_bytes: null,
        procesos: null,
        cuentas_sftp: null,
        bases: null,
        bases_bytes: null,
        programadas: null,
        correos_dia: null,
      },
      excesos: [{ recurso: 'sitios', usado: 3, limite: 2 }],
    })
    expect((await api('GET', '/clientes/lleno')).body).toMatchObject({ plan: 'básico', sitios: 3 })
    const refused = await api('POST', '/sitios', { cliente: 'lleno', domain: 'cuatro-lleno.es' })
    expect(refused.body).toMatchObject({
      status: 409,
      codigo: 'limite_del_plan',
      recurso: 'sitios',
      usado: 3,
      limite: 2,
    })
    const none = await api('POST', '/clientes/lleno/plan', { plan: null })
    expect(none.body).toMatchObject({ plan: null, excesos: [], limites: { sitios: null } })
  })

  test('that is unknown is 409 and the old one is kept', async () => {
    await newClient(panel, token, 'fiel', { plan: 'grande' })
    expect(outcome(await api('POST', '/clientes/fiel/plan', { plan: 'grandee' }))).toEqual([
      409,
      'plan_no_existe',
    ])
    expect((await api('GET', '/clientes/fiel')).body.plan).toBe('grande')
  })

  test.each([[{}], [{ plan: '' }], [{ plan: 7 }], [{ plan: ['grande'] }], [{ plan: 'grande', x: 1 }]])(
    'is not set by %j',
    async (body) => {
      expect((await api('POST', '/clientes/fiel/plan', body)).status).toBe(422)
    },
  )
})

describe('plans', () => {
  test('without limits are unlimited, and without functions have all of them', async () => {
    const made = await api('POST', '/planes', { plan: 'Vacío €' })
    expect(made.headers.get('location')).toBe(`/api/planes/${encodeURIComponent('Vacío €')}`)
    expect(made.body).toEqual({
      plan: 'Vacío €',
      disco_bytes: null,
      inodos: null,
      trafico_bytes: null,
      sitios: null,
      aliases: null,
      zonas: null,
      cpu_porcentaje: null,
      memoria_bytes: null,
      procesos: null,
      cuentas_sftp: null,
      bases: null,
      bases_bytes: null,
      programadas: null,
      correos_dia: null,
      funciones: [
        ...[
          'php',
          'https',
          'espejo_dns',
          'sftp',
          'bases',
          'archivos',
          'programadas',
          'aplicaciones',
          'copias',
        ],
      ],
      clientes: 0,
      creado: expect.stringMatching(/Z$/),
    })
    expect((await panel.request('GET', made.headers.get('location') ?? '', { bearer: token })).body).toEqual(
      made.body,
    )
    expect(outcome(await api('POST', '/planes', { plan: 'Vacío €' }))).toEqual([409, 'ya_existe'])
  })

  test('change by field: new limits hold at once, and clients keep a renamed plan', async () => {
    await api('POST', '/planes', { plan: 'viejo', sitios: 5, funciones: ['php'] })
    await newClient(panel, token, 'con-viejo', { plan: 'viejo' })
    const renamed = await api('PATCH', '/planes/viejo', { plan: 'nuevo', sitios: 0 })
    expect(renamed.body).toMatchObject({ plan: 'nuevo', sitios: 0, funciones: ['php'], clientes: 1 })
    expect((await api('GET', '/clientes/con-viejo')).body.plan).toBe('nuevo')
    expect((await api('GET', '/planes/viejo')).status).toBe(404)
    expect(outcome(await api('POST', '/sitios', { cliente: 'con-viejo', domain: 'con-viejo.es' }))).toEqual([
      409,
      'limite_del_plan',
    ])
    expect((await api('PATCH', '/planes/nuevo', { sitios: null })).body.sitios).toBeNull()
    expect((await api('POST', '/sitios', { cliente: 'con-viejo', domain: 'con-viejo.es' })).status).toBe(201)
    const unpaid = await api('POST', '/sitios/con-viejo.es/https')
    expect(unpaid.body).toMatchObject({
      status: 402,
      codigo: 'funcion_de_pago',
      funcion: 'https',
      plan: 'nuevo',
    })
    expect(outcome(await api('PATCH', '/planes/nuevo', { plan: 'grande' }))).toEqual([409, 'ya_existe'])
  })

  test('tell the least memory and processes that PHP starts with, and hold what is given above them', async () => {
    const small = await api('POST', '/planes', { plan: 'cerrado', memoria_bytes: 1, procesos: 1 })
    expect(small.body.campos).toEqual([
      { campo: 'memoria_bytes', codigo: 'memoria_invalida', mensaje: expect.stringMatching(/64 MiB/) },
      { campo: 'procesos', codigo: 'procesos_invalidos', mensaje: expect.stringMatching(/\b8\b/) },
    ])
    const least = { cpu_porcentaje: 1, memoria_bytes: 67_108_864, procesos: 8 }
    const made = await api('POST', '/planes', { plan: 'cerrado', ...least })
    expect(made.body).toMatchObject(least)
    expect((await api('PATCH', '/planes/cerrado', { procesos: 100 })).body).toMatchObject({
      ...least,
      procesos: 100,
    })
    expect((await api('PATCH', '/planes/cerrado', { memoria_bytes: null })).body.memoria_bytes).toBeNull()
    await newClient(panel, token, 'encerrado')
    const assigned = await api('POST', '/clientes/encerrado/plan', { plan: 'cerrado' })
    expect(assigned.body.limites).toMatchObject({ cpu_porcentaje: 1, memoria_bytes: null, procesos: 100 })
  })

  test('in use cannot be deleted, and others can be deleted once', async () => {
    expect(outcome(await api('DELETE', '/planes/nuevo'))).toEqual([409, 'plan_en_uso'])
    expect((await api('DELETE', `/planes/${encodeURIComponent('Vacío €')}`)).body).toEqual({
      plan: 'Vacío €',
      eliminado: true,
    })
    expect(outcome(await api('DELETE', `/planes/${encodeURIComponent('Vacío €')}`))).toEqual([
      404,
      'plan_no_existe',
    ])
  })

  test.each([
    { sitios: -1 },
    { sitios: 1.5 },
    { sitios: '1' },
    { funciones: ['volar'] },
    { funciones: 'php' },
    { disco: 1 },
    { cpu_porcentaje: 0 },
    { cpu_porcentaje: 1_000_001 },
    { cpu_porcentaje: 12.5 },
    { cpu_porcentaje: '100' },
    { memoria_bytes: 67_108_863 },
    { memoria_bytes: 2 ** 53 },
    { procesos: 7 },
    { procesos: 4_194_305 },
    { procesos: true },
  ])('do not take %j', async (more) => {
    expect((await api('POST', '/planes', { plan: 'malo', ...more })).status).toBe(422)
  })
})

describe('use', () => {
  test('is answered against the plan, with its age, source, period and levels', async () => {
    await api('POST', '/planes', { plan: 'medido', disco_bytes: 1000, inodos: 10, sitios: 1 })
    await newClient(panel, token, 'medido', { plan: 'medido' })
    const before = (await api('GET', '/clientes/medido/uso')).body
    expect(before).toMatchObject({ cliente: 'medido', plan: 'medido', medido: null, origen: null })
    const id = count(panel, "select id from clients where name = 'medido'")
    plant(
      panel,
      "insert into usage (client_id, measured_at, source, disk_bytes, inodes) values (?, ?, 'recorrido', 850, 10)",
      id,
      Date.now(),
    )
    plant(
      panel,
      'insert into usage_days (client_id, day, traffic_in, traffic_out) values (?, ?, 5, 7)',
      id,
      new Date().toISOString().slice(0, 10),
    )
    const { body } = await api('GET', '/clientes/medido/uso')
    expect(body).toMatchObject({ medido: expect.stringMatching(/Z$/), origen: 'recorrido' })
    expect(body.periodo.desde).toMatch(/^\d{4}-\d\d-01$/)
    expect(body.consumo).toEqual({
      disco_bytes: { usado: 850, limite: 1000, porcentaje: 85, nivel: 'aviso' },
      inodos: { usado: 10, limite: 10, porcentaje: 100, nivel: 'superado' },
      trafico_bytes: { usado: 12, limite: null, porcentaje: null, nivel: 'bien' },
      sitios: { usado: 0, limite: 1, porcentaje: 0, nivel: 'bien' },
      aliases: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      zonas: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      cpu_porcentaje: { usado: null, limite: null, porcentaje: null, nivel: 'bien' },
      memoria_bytes: { usado: null, limite: null, porcentaje: null, nivel: 'bien' },
      procesos: { usado: null, limite: null, porcentaje: null, nivel: 'bien' },
      cuentas_sftp: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      bases: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      bases_bytes: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      programadas: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
      correos_dia: { usado: 0, limite: null, porcentaje: null, nivel: 'bien' },
    })
    const all = await api('GET', '/uso?limite=200')
    expect(all.body.datos.find((one: Json) => one.cliente === 'medido')).toEqual(body)
    const refused = await api('POST', '/sitios', { cliente: 'medido', domain: 'medido.es' })
    expect(refused.body).toMatchObject({
      status: 507,
      codigo: 'sin_espacio',
      recurso: 'inodos',
      usado: 10,
      limite: 10,
    })
    const days = await api('GET', '/clientes/medido/uso/historial')
    expect(days.body.datos).toEqual([
      expect.objectContaining({ trafico_entrada_bytes: 5, trafico_salida_bytes: 7 }),
    ])
    expect(
      (await api('GET', '/clientes/medido/uso/historial?dia_desde=2020-01-01&dia_hasta=2020-02-01')).body
        .datos,
    ).toEqual([])
    expect((await api('GET', '/clientes/medido/uso/historial?dia_desde=ayer')).status).toBe(422)
  })
})

describe('deleting', () => {
  test('removes everything of the client and frees the name; deleting again is 404', async () => {
    const customer = await newCustomer(panel, token, 'fin')
    await api('POST', '/sitios', { cliente: 'fin', domain: 'fin.es' })
    await deleteClient(panel, token, 'fin')
    expect(outcome(await api('DELETE', '/clientes/fin'))).toEqual([404, 'cliente_no_existe'])
    for (const path of ['/clientes/fin', '/sitios/fin.es', '/zonas/fin.es'])
      expect((await api('GET', path)).status).toBe(404)
    expect((await api('GET', '/conexion', undefined, customer.bearer)).status).toBe(401)
    const signIn = await panel.access('/entrar', { correo: customer.email, contrasena: customer.password })
    expect(outcome(signIn)).toEqual([401, 'credenciales_incorrectas'])
    expect(await newClient(panel, token, 'fin')).toMatchObject({ sitios: 0, acceso: 'sin_acceso' })
  })

  test('a client of another node cannot be changed at a node (409), and a function host queues it for that node', async () => {
    await newClient(panel, token, 'ajeno')
    plant(panel, "update clients set node = 'nodo2' where name = 'ajeno'")
    // A node that sends heartbeats: nothing new is put on one that does not.
    plant(
      panel,
      `insert into nodes (name, addresses, name_servers, services, version, started_at, seen_at)
       select 'nodo2', addresses, name_servers, services, version, started_at, seen_at from nodes where name = 'nodo1'`,
    )
    for (const [method, path, body, done] of [
      ['POST', '/clientes/ajeno/suspender', undefined, 200],
      ['POST', '/clientes/ajeno/activar', undefined, 200],
      ['POST', '/clientes/ajeno/plan', { plan: null }, 200],
      ['PATCH', '/clientes/ajeno', { nombre: 'x' }, 200],
      ['POST', '/clientes/ajeno/acceso', { correo: 'a@x.es' }, 201],
      ['POST', '/sitios', { cliente: 'ajeno', domain: 'ajeno.es' }, 201],
      ['POST', '/zonas', { cliente: 'ajeno', zona: 'ajena.es' }, 201],
      ['DELETE', '/clientes/ajeno', undefined, 202],
    ] as const) {
      const answer = await api(method, path, body)
      expect([method, path, answer.status, answer.body.codigo, answer.body.nodo, answer.body.detail]).toEqual(
        panel.waits
          ? [method, path, 409, 'cliente_en_otro_nodo', 'nodo2', 'The account lives on node nodo2.']
          : [method, path, done, undefined, answer.body.nodo, undefined],
      )
    }
    expect((await api('GET', '/clientes/ajeno')).body.nodo).toBe('nodo2')
    const queued = rows(panel, "select distinct node, state from jobs where client_name = 'ajeno'")
    expect(queued).toEqual(panel.waits ? [] : [{ node: 'nodo2', state: 'pendiente' }])
  })
})

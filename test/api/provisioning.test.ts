import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { deleteClient, newClient, newCustomer, outcome, ROOMY, settledSite, snapshot } from './people.ts'
import { count, rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'básico', sitios: 1, aliases: 1 } })
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'grande' } })
})
afterAll(() => panel.stop())

const put = (referencia: string, body: object, query = '', bearer = token) =>
  panel.api('PUT', `/altas/${referencia}${query}`, { bearer, body })
/** The newest PHP-FPM installed on this machine. */
const newestPhp = () =>
  readdirSync('/usr/sbin')
    .flatMap((name) => /^php-fpm(\d+\.\d+)$/.exec(name)?.[1] ?? [])
    .sort()
    .at(-1) ?? 'none'
const mailsTo = (address: string) => count(panel, 'select count(*) from mails where recipient = ?', address)

describe('the page cache of a site', () => {
  const change = (cache: unknown) =>
    panel.api('PATCH', '/sitios/guardada.es', { bearer: token, body: { cache } })
  const visit = async (path: string) => {
    const headers = { host: 'guardada.es' }
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers })
    return { told: answer.headers.get('x-cache'), body: await answer.text() }
  }

  test('is off until it is switched on, is set as a whole, and is off again', async () => {
    const made = await put('g:1', { correo: 'g@cliente.es', domain: 'guardada.es', enviar: false })
    expect([await settledSite(panel, token, made.body.sitio), made.body.sitio.cache]).toEqual([
      'activo',
      null,
    ])
    const all = { segundos: 60, parametros: ['pagina'], estaticos: true, tipos: {} }
    expect((await change(all)).body.cache).toEqual(all)
    expect((await change({ segundos: 90 })).body.cache).toEqual({
      segundos: 90,
      parametros: [],
      estaticos: false,
      tipos: {},
    })
    expect((await change({ estaticos: true })).body.cache).toMatchObject({ segundos: null, estaticos: true })
    for (const nothing of [null, {}, { segundos: null, estaticos: false }]) {
      expect((await change(nothing)).body.cache).toBeNull()
    }
  })

  test.each([
    ['no time', { segundos: 0 }, 'cache.segundos'],
    ['half a second', { segundos: 0.5 }, 'cache.segundos'],
    ['more than a day', { segundos: 86_401 }, 'cache.segundos'],
    ['a time as a text', { segundos: '60' }, 'cache.segundos'],
    ['a parameter with a comma', { parametros: ['a,b'] }, 'cache.parametros.0'],
    ['a parameter with a blank', { parametros: ['a b'] }, 'cache.parametros.0'],
    ['a parameter that is nothing', { parametros: [''] }, 'cache.parametros.0'],
    [
      'too many of them',
      { parametros: Array.from({ length: 9 }, (_, i) => `${i}`.repeat(30)) },
      'cache.parametros',
    ],
    ['what it does not know', { segundo: 60 }, 'cache.segundo'],
  ])('takes not %s', async (_name, cache, campo) => {
    const refused = await change(cache)
    expect([refused.status, refused.body.campos?.[0]?.campo]).toEqual([422, campo])
  })

  test('keeps pages from the answer on, and none after it was emptied or switched off', async () => {
    const on = await change({ segundos: 3600 })
    if (!panel.waits) return
    await writeFile(join(on.body.raiz, 'index.php'), '<?php echo hrtime(true);', { mode: 0o644 })
    const first = await visit('/p')
    expect([first.told, await visit('/p')]).toEqual(['MISS', { told: 'HIT', body: first.body }])
    const emptied = await panel.api('DELETE', '/sitios/guardada.es/cache', { bearer: token })
    expect([emptied.status, emptied.body.cache.segundos]).toEqual([200, 3600])
    expect((await visit('/p')).told).toBe('MISS')
    await change(null)
    expect((await visit('/p')).told).toBeNull()
  })

  test('is emptied of a site that is there, and of no other', async () => {
    const refused = await panel.api('DELETE', '/sitios/nada.es/cache', { bearer: token })
    expect(outcome(refused)).toEqual([404, 'sitio_no_existe'])
  })
})

describe('a provisioning', () => {
  test('makes client, site, plan and login, and mails one link', async () => {
    const body = {
      cliente: 'Alfa',
      nombre: 'Alfa SL',
      correo: 'alfa@cliente.es',
      domain: 'Alfa.ES',
      aliases: ['www.alfa.es'],
      plan: 'básico',
      idioma: 'en',
    }
    const made = await put('whmcs-1a2b3c4d:1', body)
    expect([made.status, made.headers.get('location')]).toEqual([201, '/api/clientes/alfa'])
    expect(made.body.hecho).toEqual(['cliente_creado', 'plan_asignado', 'sitio_creado', 'acceso_creado'])
    expect(made.body.cliente).toMatchObject({
      cliente: 'alfa',
      referencia: 'whmcs-1a2b3c4d:1',
      nombre: 'Alfa SL',
      correo: 'alfa@cliente.es',
      plan: 'básico',
      creado_por: 'token',
      acceso: 'pendiente',
      sitios: 1,
    })
    expect(made.body.sitio).toMatchObject({
      domain: 'alfa.es',
      aliases: ['www.alfa.es'],
      cliente: 'alfa',
    })
    expect(await settledSite(panel, token, made.body.sitio)).toBe('activo')
    // The newest PHP of the node that serves the site, whichever host was asked.
    expect(made.body.sitio.php).toBe(newestPhp())
    const php = (version: string) =>
      panel.api('PATCH', '/sitios/alfa.es', { bearer: token, body: { php: version } })
    expect(outcome(await php('5.6'))).toEqual([409, 'php_no_disponible'])
    expect((await php(newestPhp())).status).toBe(200)
    expect(made.body.acceso).toMatchObject({
      correo: 'alfa@cliente.es',
      rol: 'client',
      estado: 'pendiente',
      segundo_factor: false,
    })
    const mail = await panel.mailTo('alfa@cliente.es')
    expect(mail.subject).toBe('Your hosting alfa at localhost is ready: activate your login')
    expect(mail.link).not.toBeNull()
  })

  test('without `cliente` names the client after the domain, with a number where that is taken', async () => {
    expect((await put('n:1', { correo: 'n@cliente.es', domain: 'nombre.es' })).body.cliente.cliente).toBe(
      'nombre.es',
    )
    await newClient(panel, token, 'ocupado.es')
    expect((await put('n:2', { correo: 'n@cliente.es', domain: 'ocupado.es' })).body.cliente.cliente).toBe(
      'ocupado.es-2',
    )
  })

  test('repeated does nothing, mails nothing and answers 200', async () => {
    const body = { correo: 'rep@cliente.es', domain: 'repite.es', plan: 'básico', nombre: 'R' }
    const first = await put('r:1', body)
    await panel.mailTo('rep@cliente.es')
    const again = await put('r:1', body)
    expect([again.status, again.body.hecho]).toEqual([200, []])
    expect({ ...again.body.cliente, actualizado: '' }).toEqual({ ...first.body.cliente, actualizado: '' })
    expect(mailsTo('rep@cliente.es')).toBe(1)
    const shorter = await put('r:1', { correo: 'REP@cliente.es', domain: 'repite.es' })
    expect([shorter.status, shorter.body.hecho, shorter.body.cliente.plan]).toEqual([200, [], 'básico'])
  })

  test('twenty times at once makes one of each and mails once', async () => {
    const body = { correo: 'vez@cliente.es', domain: 'a-la-vez.es' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => put('v:1', body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    await panel.mailTo('vez@cliente.es')
    expect([
      mailsTo('vez@cliente.es'),
      count(panel, "select count(*) from clients where reference = 'v:1'"),
    ]).toEqual([1, 1])
  })

  test('converges: a new plan and name are set, what is missing is made, the rest stays', async () => {
    await put('c:1', { correo: 'con@cliente.es', domain: 'converge.es', plan: 'básico', enviar: false })
    const next = await put('c:1', {
      correo: 'con@cliente.es',
      domain: 'converge.es',
      plan: 'grande',
      nombre: 'Nuevo',
    })
    expect([next.status, next.body.hecho]).toEqual([
      200,
      ['cliente_actualizado', 'plan_asignado', 'acceso_creado'],
    ])
    expect(next.body.cliente).toMatchObject({ nombre: 'Nuevo', plan: 'grande', sitios: 1 })
    const second = await put('c:1', { correo: 'con@cliente.es', domain: 'converge-dos.es' })
    expect(second.body.hecho).toEqual(['sitio_creado'])
    expect(
      (await put('c:1', { correo: 'con@cliente.es', domain: 'converge.es', plan: null })).body.cliente.plan,
    ).toBeNull()
  })

  test('converges: aliases that the site lacks are added, under the same rules; none is taken away', async () => {
    const body = { correo: 'ali@cliente.es', domain: 'con-alias.es', enviar: false }
    await put('c:2', { ...body, aliases: ['www.con-alias.es'] })
    const more = await put('c:2', { ...body, aliases: ['blog.con-alias.es', 'www.con-alias.es'] })
    expect([more.status, more.body.hecho]).toEqual([200, ['sitio_actualizado']])
    const both = ['www.con-alias.es', 'blog.con-alias.es']
    expect(more.body.sitio.aliases).toEqual(both)
    for (const aliases of [['www.con-alias.es'], [], undefined]) {
      const again = await put('c:2', { ...body, aliases })
      expect([again.body.hecho, again.body.sitio.aliases]).toEqual([[], both])
    }
    const foreign = await put('c:2', { ...body, aliases: ['www.alfa.es'] })
    expect(outcome(foreign)).toEqual([409, 'dominio_ocupado'])
    const tooMany = await put('c:2', { ...body, plan: 'básico', aliases: ['tercero.con-alias.es'] })
    expect(outcome(tooMany)).toEqual([409, 'limite_del_plan'])
    const after = await panel.api('GET', '/sitios/con-alias.es', { bearer: token })
    expect(after.body.aliases).toEqual(both)
  })

  test('takes the most aliases allowed, also when repeated, and one more is 422', async () => {
    const names = (first: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${first}${i}.muchos-alias.es`)
    const alias = { correo: 'muchos@cliente.es', domain: 'muchos.es', enviar: false }
    const made = await put('muchos:1', { ...alias, aliases: names('a', 1000) })
    expect([made.status, made.body.sitio.aliases.length]).toEqual([201, 1000])
    const changed = await panel.api('PATCH', '/sitios/muchos.es', {
      bearer: token,
      body: { aliases: names('b', 1000) },
    })
    expect([changed.status, changed.body.aliases.length]).toEqual([200, 1000])
    expect((await put('muchos:2', { ...alias, domain: 'demas.es', aliases: names('c', 1001) })).status).toBe(
      422,
    )
  })

  test('of a client whose login is active sends no second link', async () => {
    await put('act:1', { correo: 'act@cliente.es', domain: 'activa.es' })
    await enrol(panel, (await panel.mailTo('act@cliente.es')).link ?? '', 'act@cliente.es')
    const again = await put('act:1', { correo: 'act@cliente.es', domain: 'activa.es' })
    expect([again.body.hecho, again.body.acceso.estado]).toEqual([[], 'activo'])
    expect(mailsTo('act@cliente.es')).toBe(1)
  })

  test('with `enviar: false` makes no login; one can be made later', async () => {
    const made = await put('e:1', { correo: 'mig@cliente.es', domain: 'migrada.es', enviar: false })
    expect([made.body.acceso, made.body.cliente.acceso, made.body.cliente.correo]).toEqual([
      null,
      'sin_acceso',
      'mig@cliente.es',
    ])
    expect(made.body.hecho).toEqual(['cliente_creado', 'sitio_creado'])
    expect(mailsTo('mig@cliente.es')).toBe(0)
    expect(
      (
        await panel.api('POST', '/clientes/migrada.es/acceso', {
          bearer: token,
          body: { correo: 'mig@cliente.es' },
        })
      ).status,
    ).toBe(201)
  })
})

describe('a simulation', () => {
  test('says what would happen and changes nothing', async () => {
    const before = await snapshot(panel, token)
    const told = await put(
      's:1',
      { correo: 's@cliente.es', domain: 'simulada.es', plan: 'básico' },
      '?simular=si',
    )
    expect([told.status, told.body.hecho]).toEqual([
      200,
      ['cliente_creado', 'plan_asignado', 'sitio_creado', 'acceso_creado'],
    ])
    expect(told.body.cliente.cliente).toBe('simulada.es')
    expect(await snapshot(panel, token)).toBe(before)
    expect([
      mailsTo('s@cliente.es'),
      count(panel, "select count(*) from jobs where client_name = 'simulada.es'"),
    ]).toEqual([0, 0])
    expect(told.headers.get('location')).toBeNull()
  })

  test('of what is there already says that nothing would happen, and of what is refused says why', async () => {
    expect(
      (await put('r:1', { correo: 'rep@cliente.es', domain: 'repite.es' }, '?simular=si')).body.hecho,
    ).toEqual([])
    expect(outcome(await put('s:2', { correo: 's@cliente.es', domain: 'alfa.es' }, '?simular=si'))).toEqual([
      409,
      'dominio_ocupado',
    ])
    expect(
      (await put('s:3', { correo: 's@cliente.es', domain: 'no-simulada.es' }, '?simular=quizá')).status,
    ).toBe(422)
    expect(
      (await put('s:3', { correo: 's@cliente.es', domain: 'no-simulada.es' }, '?simular=no')).status,
    ).toBe(201)
  })
})

describe('nothing is changed when', () => {
  const good = { correo: 'err@cliente.es', domain: 'error-uno.es' }
  test.each([
    ['the plan is unknown', 'x:1', { ...good, plan: 'ninguno' }, 409, 'plan_no_existe'],
    ['the domain is taken', 'x:2', { ...good, domain: 'alfa.es' }, 409, 'dominio_ocupado'],
    ['the domain lies below another’s', 'x:3', { ...good, domain: 'sub.alfa.es' }, 409, 'dominio_ocupado'],
    ['an alias is taken', 'x:4', { ...good, aliases: ['www.alfa.es'] }, 409, 'dominio_ocupado'],
    ['an alias is repeated', 'x:5', { ...good, aliases: ['error-uno.es'] }, 422, 'datos_invalidos'],
    ['the domain is reserved', 'x:6', { ...good, domain: 'co.uk' }, 422, 'datos_invalidos'],
    ['the domain is a name server', 'x:14', { ...good, domain: 'ns1.panel.test' }, 422, 'datos_invalidos'],
    ['the name is taken', 'x:7', { ...good, cliente: 'alfa' }, 409, 'ya_existe'],
    [
      'the plan has no room for the aliases',
      'x:8',
      { ...good, plan: 'básico', aliases: ['a.error-uno.es', 'b.error-uno.es'] },
      409,
      'limite_del_plan',
    ],
    [
      'the reference is another client’s',
      'whmcs-1a2b3c4d:1',
      { ...good, cliente: 'otro', correo: 'alfa@cliente.es' },
      409,
      'referencia_en_conflicto',
    ],
    ['the address is another', 'whmcs-1a2b3c4d:1', { ...good, domain: 'alfa.es' }, 409, 'correo_distinto'],
    [
      'the plan has no room for a second site',
      'r:1',
      { correo: 'rep@cliente.es', domain: 'repite-dos.es' },
      409,
      'limite_del_plan',
    ],
    [
      'the plan changes but the site cannot be',
      'r:1',
      { correo: 'rep@cliente.es', domain: 'alfa.es', plan: 'grande' },
      409,
      'dominio_ocupado',
    ],
    ['the address is none', 'x:9', { ...good, correo: 'a, b@c.es' }, 422, 'datos_invalidos'],
    ['there is no address', 'x:10', { domain: 'error-uno.es' }, 422, 'datos_invalidos'],
    ['there is no domain', 'x:11', { correo: 'err@cliente.es' }, 422, 'datos_invalidos'],
    ['a role is given', 'x:12', { ...good, rol: 'admin' }, 422, 'datos_invalidos'],
    ['the reference is none', '-x', good, 422, 'datos_invalidos'],
    ['the language is unknown', 'x:13', { ...good, idioma: 'fr' }, 422, 'datos_invalidos'],
  ])('%s', async (_, referencia, body, status, codigo) => {
    const seen = async () => [
      await snapshot(panel, token),
      rows(panel, 'select id, state from mails'),
      rows(panel, 'select id from jobs'),
    ]
    const before = await seen()
    expect(outcome(await put(referencia, body))).toEqual([status, codigo])
    expect(await seen()).toEqual(before)
  })

  test('a token provisions on a client that a person made and that has no login', async () => {
    await newClient(panel, admin.bearer, 'de-persona', { referencia: 'p:1' })
    const before = await snapshot(panel, token)
    const refused = await put('p:1', { correo: 'p@cliente.es', domain: 'de-persona.es', plan: 'grande' })
    expect(outcome(refused)).toEqual([403, 'solo_cuentas_de_token'])
    expect(await snapshot(panel, token)).toBe(before)
    expect(
      (await put('p:1', { correo: 'p@cliente.es', domain: 'de-persona.es' }, '', admin.bearer)).status,
    ).toBe(200)
  })
})

describe('a staging copy of the billing system', () => {
  test('with other references finds nothing and deletes nothing', async () => {
    const found = await panel.api('GET', '/clientes?referencia=whmcs-99999999:1', { bearer: token })
    expect(found.body).toEqual({ datos: [], siguiente: null })
    const taken = await put('whmcs-99999999:1', { correo: 'alfa@cliente.es', domain: 'alfa.es' })
    expect(outcome(taken)).toEqual([409, 'dominio_ocupado'])
    expect(
      (await panel.api('GET', '/clientes?referencia=whmcs-1a2b3c4d:1', { bearer: token })).body.datos,
    ).toHaveLength(1)
  })
})

describe('a login made by a token', () => {
  const make = (cliente: string, body: object, bearer = token) =>
    panel.api('POST', `/clientes/${cliente}/acceso`, { bearer, body })
  test('is for a client that a token made, of role client, without a sign-in', async () => {
    await newClient(panel, admin.bearer, 'p-login')
    expect(outcome(await make('p-login', { correo: 'l@cliente.es' }))).toEqual([403, 'solo_cuentas_de_token'])
    expect((await make('p-login', { correo: 'l@cliente.es' }, admin.bearer)).status).toBe(201)
    await newClient(panel, token, 't-login')
    for (const rol of ['admin', 'Client', '', 'root']) {
      expect(outcome(await make('t-login', { correo: 'l@cliente.es', rol }))).toEqual([
        403,
        'rol_no_permitido',
      ])
    }
    expect((await panel.api('GET', '/clientes/t-login', { bearer: token })).body.acceso).toBe('sin_acceso')
    expect((await make('t-login', { correo: 'l@cliente.es', rol: 'client' })).body).toMatchObject({
      cliente: 't-login',
      rol: 'client',
      estado: 'pendiente',
      ultimo_acceso: null,
    })
    expect(outcome(await make('t-login', { correo: 'l@cliente.es' }))).toEqual([409, 'acceso_ya_existe'])
    expect(outcome(await make('nadie', { correo: 'l@cliente.es' }))).toEqual([404, 'cliente_no_existe'])
  })

  test('twenty at once make one login and one live link', async () => {
    await newClient(panel, token, 'veinte')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => make('veinte', { correo: 'v20@cliente.es' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.codigo === 'acceso_ya_existe')).toHaveLength(19)
    const live =
      "select count(*) from links l join persons p on p.id = l.person_id where p.email = 'v20@cliente.es' and l.ended_at is null"
    expect(count(panel, live)).toBe(1)
  })

  test('takes the address as the recovery address, which a token cannot change', async () => {
    await newClient(panel, token, 'con-correo', { correo: 'mio@cliente.es' })
    expect(outcome(await make('con-correo', { correo: 'otro@cliente.es' }))).toEqual([409, 'correo_distinto'])
    expect((await make('con-correo', { correo: 'MIO@cliente.es' })).status).toBe(201)
    await newClient(panel, token, 'sin-correo')
    await make('sin-correo', { correo: 'primero@cliente.es' })
    expect((await panel.api('GET', '/clientes/sin-correo', { bearer: token })).body.correo).toBe(
      'primero@cliente.es',
    )
  })

  test('one address may have a login for each of several clients', async () => {
    for (const cliente of ['varios-1', 'varios-2']) {
      await newClient(panel, token, cliente)
      expect((await make(cliente, { correo: 'varios@cliente.es' })).status).toBe(201)
    }
  })

  test('a suspended client gets one too, and a deleted one none', async () => {
    await newClient(panel, token, 'susp-login')
    await panel.api('POST', '/clientes/susp-login/suspender', { bearer: token })
    expect((await make('susp-login', { correo: 's@cliente.es' })).status).toBe(201)
    const customer = await newCustomer(panel, token, 'borrado')
    await deleteClient(panel, token, 'borrado')
    expect((await make('borrado', { correo: customer.email })).status).toBe(404)
  })
})

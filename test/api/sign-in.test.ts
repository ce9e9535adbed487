import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { codeOf, cookieOf, enrol, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { quickest } from '../support/quickest.ts'
import { newAdmin, newClient, newCustomer, newLogin, outcome, ROOMY } from './people.ts'
import { count, plant, rows } from './store.ts'

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

const enter = (correo: string, contrasena = PASSWORD, more: object = {}) =>
  panel.access('/entrar', { correo, contrasena, ...more })
const factor = (paso_token: string, codigo: string) => panel.access('/segundo-factor', { paso_token, codigo })
const stepOf = async (person: SignedIn): Promise<string> =>
  (await enter(person.email, person.password)).body.paso_token

describe('signing in', () => {
  test('takes password, then code, and answers a session with its cookie', async () => {
    const ana = await newCustomer(panel, token, 'ana')
    const first = await enter('ANA@cliente.es')
    expect(first.body).toEqual({
      paso: 'segundo_factor',
      paso_token: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
    })
    const second = await factor(first.body.paso_token, await codeOf(panel, ana.totp, 1))
    expect(second.body).toEqual({
      sesion: expect.stringMatching(/^cps_/),
      caduca: expect.any(String),
      persona: { correo: 'ana@cliente.es', rol: 'client', cliente: 'ana' },
      formatos: { idioma: 'es', region: null, zona_horaria: null },
    })
    expect(Date.parse(second.body.caduca) - Date.now()).toBeWithin(14 * 60_000, 15 * 60_000 + 1000)
    expect(second.headers.getSetCookie()[0]).toMatch(
      /^__Host-panel=[0-9A-Za-z]{65}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    )
    expect(second.headers.get('cache-control')).toBe('no-store')
    expect((await panel.api('GET', '/conexion', { bearer: second.body.sesion })).status).toBe(200)
    const { body } = await panel.api('GET', '/auditoria?cliente=ana&limite=3', { bearer: token })
    expect(body.datos.map(({ operacion }: { operacion: string }) => operacion)).toEqual([
      'POST /segundo-factor',
      'POST /entrar',
      'POST /segundo-factor/inscribir',
    ])
  })

  test('answers the same for an unknown or disabled login, one without a password and a wrong password', async () => {
    const off = await newAdmin(panel, admin, 'apagada@ejemplo.es')
    await panel.api('PATCH', `/personas/${off.id}`, { bearer: admin.bearer, body: { activa: false } })
    await newLogin(panel, token, 'sin-contrasena')
    const tries = await Promise.all([
      enter('nadie@cliente.es'),
      enter('apagada@ejemplo.es'),
      enter('sin-contrasena@cliente.es'),
      enter(admin.email, 'no es esta frase'),
      enter(admin.email, PASSWORD, { cliente: 'ana' }),
      enter(admin.email, ''),
      enter(admin.email, 'x'.repeat(1000)),
    ])
    const shape = tries.map(({ status, body, headers }) => [
      status,
      { ...body, peticion: '' },
      headers.get('www-authenticate'),
      headers.get('set-cookie'),
    ])
    for (const one of shape) expect(one).toEqual(shape[0] ?? [])
    expect(tries[0] && outcome(tries[0])).toEqual([401, 'credenciales_incorrectas'])
  })

  test('takes the same time for a known and an unknown address', async () => {
    const timed = (correo: string) => quickest(() => enter(correo, 'no es esta frase'), 1)
    await newCustomer(panel, token, 'coste')
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // In turn, so that what else the machine does holds up both.
    for (let turn = 0; turn < 4; turn++) {
      known = Math.min(known, await timed('coste@cliente.es'))
      unknown = Math.min(unknown, await timed('nadie-coste@cliente.es'))
    }
    // The hash takes tens of milliseconds; without it an answer would take a tenth of that.
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(3)
  })

  test('asks which client where the password fits several under one address', async () => {
    for (const cliente of ['varios-a', 'varios-b', 'varios-c']) {
      await newClient(panel, token, cliente)
      await panel.api('POST', `/clientes/${cliente}/acceso`, {
        bearer: token,
        body: { correo: 'varios@cliente.es' },
      })
    }
    const links = await Promise.all([1, 2, 3].map((n) => panel.mailTo('varios@cliente.es', n)))
    const linkOf = (cliente: string) => links.find(({ subject }) => subject.includes(cliente))?.link ?? ''
    const a = await enrol(panel, linkOf('varios-a'), 'varios@cliente.es')
    await enrol(panel, linkOf('varios-b'), 'varios@cliente.es')
    await enrol(panel, linkOf('varios-c'), 'varios@cliente.es', {}, 'otra frase larga y rara')
    const which = await enter('varios@cliente.es')
    expect(which.body).toEqual({ paso: 'elegir', clientes: expect.any(Array) })
    expect(which.body.clientes.toSorted()).toEqual(['varios-a', 'varios-b'])
    const chosen = await enter('varios@cliente.es', PASSWORD, { cliente: 'varios-a' })
    const inside = await factor(chosen.body.paso_token, await codeOf(panel, a.totp, 1))
    expect(inside.body.persona.cliente).toBe('varios-a')
    expect((await enter('varios@cliente.es', 'otra frase larga y rara')).body.paso).toBe('segundo_factor')
    expect(outcome(await enter('varios@cliente.es', PASSWORD, { cliente: 'varios-c' }))).toEqual([
      401,
      'credenciales_incorrectas',
    ])
  })

  test('opens an admin’s login before a customer’s with the same address and password, which its client’s name opens', async () => {
    const boss = await newAdmin(panel, admin, 'doble@ejemplo.es')
    await newClient(panel, token, 'doble')
    await panel.api('POST', '/clientes/doble/acceso', { bearer: token, body: { correo: 'doble@ejemplo.es' } })
    const customer = await enrol(
      panel,
      (await panel.mailTo('doble@ejemplo.es', 2)).link ?? '',
      'doble@ejemplo.es',
    )
    const asAdmin = await enter('doble@ejemplo.es')
    expect(asAdmin.body.paso).toBe('segundo_factor')
    expect((await factor(asAdmin.body.paso_token, await codeOf(panel, boss.totp, 1))).body.persona.rol).toBe(
      'admin',
    )
    const asCustomer = await enter('doble@ejemplo.es', PASSWORD, { cliente: 'doble' })
    expect(
      (await factor(asCustomer.body.paso_token, await codeOf(panel, customer.totp, 1))).body.persona,
    ).toMatchObject({ rol: 'client', cliente: 'doble' })
  })

  test.each([
    {},
    { correo: 'x@y.es' },
    { contrasena: 'x' },
    { correo: ['x@y.es'], contrasena: 'x' },
    { correo: 'x@y.es', contrasena: null },
    { correo: 'x@y.es', contrasena: 'x', totp: '1' },
  ])('does not take %j', async (body) => {
    expect(outcome(await panel.access('/entrar', body))).toEqual([422, 'datos_invalidos'])
  })
})

describe('the second factor', () => {
  test('is accepted once: not twice, not in parallel, and no step before a used one', async () => {
    const person = await newCustomer(panel, token, 'repite')
    const code = await codeOf(panel, person.totp, 1)
    const steps = await Promise.all([1, 2, 3, 4].map(() => stepOf(person)))
    const answers = await Promise.all(steps.map((step) => factor(step, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const step = await stepOf(person)
    expect(outcome(await factor(step, code))).toEqual([401, 'codigo_incorrecto'])
    expect(outcome(await factor(step, await codeOf(panel, person.totp)))).toEqual([401, 'codigo_incorrecto'])
    await panel.setClock(30)
    expect((await factor(step, await codeOf(panel, person.totp, 1))).status).toBe(200)
  })

  test.each([
    [-2, 401],
    [-1, 200],
    [1, 200],
    [2, 401],
  ])('of a clock %p steps away is %p', async (steps, status) => {
    const person = await newCustomer(panel, token, `reloj${steps + 2}`)
    // The enrolment used the present step.
    await panel.setClock(90)
    expect((await factor(await stepOf(person), await codeOf(panel, person.totp, steps))).status).toBe(status)
  })

  test('of another person is wrong', async () => {
    const [one, other] = [await newCustomer(panel, token, 'propio'), await newCustomer(panel, token, 'ajeno')]
    expect(outcome(await factor(await stepOf(one), await codeOf(panel, other.totp, 1)))).toEqual([
      401,
      'codigo_incorrecto',
    ])
  })

  test('can be a recovery code, each of which works once, in any spelling', async () => {
    const person = await newCustomer(panel, token, 'recupera')
    const [first = '', second = ''] = person.recovery
    expect(person.recovery).toHaveLength(10)
    expect((await factor(await stepOf(person), first)).status).toBe(200)
    expect(outcome(await factor(await stepOf(person), first))).toEqual([401, 'codigo_incorrecto'])
    const parallel = await Promise.all(
      [await stepOf(person), await stepOf(person)].map((step) =>
        factor(step, ` ${second.toUpperCase().replace('-', ' ')} `),
      ),
    )
    expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1)
    const inside = parallel.find(({ status }) => status === 200)
    const me = await panel.api('GET', '/yo', { bearer: inside?.body.sesion })
    expect(me.body.codigos_recuperacion).toBe(8)
  })

  test('needs an open step: made-up steps, other purposes and steps of ten minutes ago are refused', async () => {
    const person = await newCustomer(panel, token, 'paso')
    const step = await stepOf(person)
    for (const bad of ['', 'x', '0'.repeat(43)]) {
      expect([401, 422]).toContain((await factor(bad, '123456')).status)
    }
    expect(
      outcome(
        await panel.api('POST', '/yo/segundo-factor/confirmar', {
          bearer: person.bearer,
          body: { paso_token: step, codigo: '123456' },
        }),
      ),
    ).toEqual([401, 'paso_invalido'])
    await panel.setClock(601)
    expect(outcome(await factor(step, await codeOf(panel, person.totp)))).toEqual([401, 'paso_invalido'])
  })

  test('once accepted ends the person’s other unfinished sign-ins', async () => {
    const person = await newCustomer(panel, token, 'otros-pasos')
    const [one, two] = [await stepOf(person), await stepOf(person)]
    expect((await factor(one, await codeOf(panel, person.totp, 1))).status).toBe(200)
    expect(outcome(await factor(two, person.recovery[0] ?? ''))).toEqual([401, 'paso_invalido'])
  })
})

describe('guessing', () => {
  test('codes, over many sign-ins and addresses, locks the account for longer each time, and never for good', async () => {
    const person = await newCustomer(panel, token, 'codigos')
    const steps = await Promise.all(Array.from({ length: 5 }, () => stepOf(person)))
    const waits: number[] = []
    for (const step of steps) expect((await factor(step, '000000')).status).toBe(401)
    let clock = 0
    for (let round = 0; round < 6; round++) {
      const [step = ''] = steps
      const locked = await factor(step, await codeOf(panel, person.totp, 1))
      expect(outcome(locked)).toEqual([429, 'espera'])
      const wait = Number(locked.headers.get('retry-after'))
      waits.push(wait)
      clock += wait + 1
      // The unfinished sign-in would have expired by then.
      plant(panel, 'update sign_in_steps set expires_at = ?', Date.now() + 3_600_000)
      await panel.setClock(clock)
      expect(outcome(await factor(step, '000000'))).toEqual([401, 'codigo_incorrecto'])
    }
    for (const [i, wait] of waits.entries())
      expect(wait).toBeWithin(Math.min(900, 30 * 2 ** i) - 4, Math.min(900, 30 * 2 ** i) + 1)
    clock += 901
    plant(panel, 'update sign_in_steps set expires_at = ?', Date.now() + 7_200_000)
    await panel.setClock(clock)
    expect((await factor(steps[0] ?? '', await codeOf(panel, person.totp))).status).toBe(200)
  })

  test('passwords of an address locks it for a while, whether the address is known or not', async () => {
    await newCustomer(panel, token, 'fuerza')
    for (const correo of ['fuerza@cliente.es', 'nadie-fuerza@cliente.es']) {
      await panel.setClock(0)
      for (let i = 0; i < 6; i++) expect((await enter(correo, `frase equivocada ${i}`)).status).toBe(401)
      const locked = await enter(correo, PASSWORD)
      expect(outcome(locked)).toEqual([429, 'espera'])
      const wait = Number(locked.headers.get('retry-after'))
      expect(wait).toBeWithin(55, 61)
      await panel.setClock(wait + 1)
      expect((await enter(correo, PASSWORD)).status).toBe(correo.startsWith('fuerza') ? 200 : 401)
    }
    expect((await enter(admin.email)).status).toBe(200)
  })

  test('the own password when changing something locks that session alone', async () => {
    const person = await newCustomer(panel, token, 'propia')
    const change = (contrasena: string) =>
      panel.api('POST', '/yo/codigos-recuperacion', { bearer: person.bearer, body: { contrasena } })
    for (let i = 0; i < 6; i++)
      expect(outcome(await change(`frase equivocada ${i}`))).toEqual([403, 'contrasena_incorrecta'])
    const locked = await change(PASSWORD)
    expect(outcome(locked)).toEqual([429, 'espera'])
    expect((await enter(person.email)).status).toBe(200)
    await panel.setClock(Number(locked.headers.get('retry-after')) + 1)
    expect((await change(PASSWORD)).status).toBe(200)
  })

  test('the own password many times at once counts every guess', async () => {
    const person = await newCustomer(panel, token, 'a-la-vez')
    const change = (contrasena: string) =>
      panel.api('POST', '/yo/codigos-recuperacion', { bearer: person.bearer, body: { contrasena } })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => change(`frase equivocada ${i}`)))
    for (const answer of answers) expect([403, 429]).toContain(answer.status)
    expect(outcome(await change(PASSWORD))).toEqual([429, 'espera'])
  })

  test('a lock-out ends when the clock is set back', async () => {
    const person = await newCustomer(panel, token, 'atras')
    await panel.setClock(2 * 3600)
    const step = await stepOf(person)
    for (let i = 0; i < 6; i++) await factor(step, '000000')
    await panel.setClock(0)
    expect((await factor(await stepOf(person), await codeOf(panel, person.totp, 1))).status).toBe(200)
  })
})

describe('the renewal cookie', () => {
  const renew = (cookie: string) => panel.access('/renovar', undefined, { cookie })
  test('gives a new bearer, and older ones work until they expire', async () => {
    const person = await newCustomer(panel, token, 'renueva')
    const fresh = await renew(person.cookie)
    expect([fresh.status, fresh.body.persona.cliente]).toEqual([200, 'renueva'])
    expect(fresh.body.sesion).not.toBe(person.bearer)
    for (const bearer of [person.bearer, fresh.body.sesion])
      expect((await panel.api('GET', '/yo', { bearer })).status).toBe(200)
    await panel.setClock(15 * 60 + 5)
    expect(outcome(await panel.api('GET', '/yo', { bearer: person.bearer }))).toEqual([
      401,
      'sesion_caducada',
    ])
    const later = await renew(cookieOf(fresh))
    expect((await panel.api('GET', '/yo', { bearer: later.body.sesion })).status).toBe(200)
  })

  test('leaves no row in the audit trail, while the sign-in does', async () => {
    const person = await newCustomer(panel, token, 'rutina')
    expect((await renew(person.cookie)).status).toBe(200)
    const { body } = await panel.api('GET', '/auditoria?limite=200', { bearer: token })
    const operations = body.datos.map(({ operacion }: { operacion: string }) => operacion)
    expect(operations).toContain('POST /segundo-factor/inscribir')
    expect(operations).not.toContain('POST /renovar')
  })

  test('is replaced by each renewal', async () => {
    const person = await newCustomer(panel, token, 'rota')
    const cookies = [person.cookie]
    for (let i = 0; i < 3; i++) cookies.push(cookieOf(await renew(cookies.at(-1) ?? '')))
    expect(new Set(cookies).size).toBe(4)
    expect((await renew(cookies.at(-1) ?? '')).status).toBe(200)
  })

  test('sent by two tabs at once, or again after a lost answer, gives the same new cookie', async () => {
    const person = await newCustomer(panel, token, 'pestanas')
    const both = await Promise.all([renew(person.cookie), renew(person.cookie)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await panel.setClock(50)
    const again = await renew(person.cookie)
    expect(new Set([...both, again].map(cookieOf)).size).toBe(1)
    expect((await renew(cookieOf(again))).status).toBe(200)
  })

  test.each([
    ['the one before, a minute later', 1],
    ['one before that', 2],
  ])('that comes back after it was replaced ends the session: %s', async (_, renewals) => {
    const person = await newCustomer(panel, token, `vuelve-${renewals}`)
    let newest = person.cookie
    for (let i = 0; i < renewals; i++) newest = cookieOf(await renew(newest))
    await panel.setClock(61)
    expect(outcome(await renew(person.cookie))).toEqual([401, 'sesion_terminada'])
    expect(outcome(await renew(newest))).toEqual([401, 'sesion_terminada'])
    expect(outcome(await panel.api('GET', '/yo', { bearer: person.bearer }))).toEqual([
      401,
      'sesion_terminada',
    ])
    const { body } = await panel.api('GET', '/auditoria?limite=5', { bearer: token })
    expect(body.datos).toContainEqual(
      expect.objectContaining({ operacion: 'POST /renovar', resultado: 'sesion_terminada' }),
    )
  })

  test('ends twelve hours after its last use', async () => {
    const person = await newCustomer(panel, token, 'jornada')
    await panel.setClock(11 * 3600)
    const renewed = await renew(person.cookie)
    expect(renewed.status).toBe(200)
    // A browser drops the cookie by its own clock, so each answer has to set it again.
    expect(renewed.headers.get('set-cookie')).toEndWith('; Max-Age=43200')
    await panel.setClock(22 * 3600)
    const later = await renew(cookieOf(renewed))
    expect(later.status).toBe(200)
    await panel.setClock(34 * 3600 + 60)
    expect(outcome(await renew(cookieOf(later)))).toEqual([401, 'sesion_caducada'])
  })

  test('works on its two paths alone', async () => {
    const person = await newCustomer(panel, token, 'solo-dos')
    const headers = { cookie: person.cookie }
    for (const path of ['/api/yo', '/api/conexion', '/api/yo/sesiones']) {
      const response = await panel.fetch(path, { headers })
      expect([response.status, await response.text()]).toEqual([404, ''])
    }
    expect(
      outcome(
        await panel.access(
          '/segundo-factor',
          { paso_token: person.cookie.slice(-43), codigo: '123456' },
          headers,
        ),
      ),
    ).toEqual([401, 'paso_invalido'])
    expect((await renew(person.cookie)).status).toBe(200)
  })

  test.each([
    '',
    'x',
    '__Host-panel=',
    `__Host-panel=${'0'.repeat(65)}`,
    `other=${'0'.repeat(65)}`,
    `__Host-panel=${'0'.repeat(43)}`,
    `__Host-panel=${'z'.repeat(65)}`,
  ])('%p renews nothing', async (cookie) => {
    expect(outcome(await renew(cookie))).toEqual([401, 'credencial_invalida'])
  })

  test('and every bearer of its session end at a sign-out, which may be repeated', async () => {
    const person = await newCustomer(panel, token, 'sale')
    const fresh = await renew(person.cookie)
    const out = await panel.access('/salir', undefined, { cookie: person.cookie })
    expect(out.body).toEqual({ terminada: true })
    expect(cookieOf(out)).toBe('__Host-panel=')
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    for (const bearer of [person.bearer, fresh.body.sesion])
      expect(outcome(await panel.api('GET', '/yo', { bearer }))).toEqual([401, 'sesion_terminada'])
    expect(outcome(await renew(cookieOf(fresh)))).toEqual([401, 'sesion_terminada'])
    expect((await panel.access('/salir', undefined, { cookie: person.cookie })).body).toEqual({
      terminada: true,
    })
    expect((await panel.access('/salir')).status).toBe(200)
  })

  test('is audited with its client wherever it was known whose it is, wrong codes and signing out too', async () => {
    const person = await newCustomer(panel, token, 'apuntes')
    const { paso_token } = (await enter('apuntes@cliente.es')).body
    expect(outcome(await factor(paso_token, '000000'))).toEqual([401, 'codigo_incorrecto'])
    await panel.setClock(61)
    expect(outcome(await renew(cookieOf(await renew(person.cookie))))).toEqual([200, undefined])
    await panel.setClock(180)
    expect(outcome(await renew(person.cookie))).toEqual([401, 'sesion_terminada'])
    const other = await newCustomer(panel, token, 'apuntes-2')
    await panel.access('/salir', undefined, { cookie: other.cookie })
    const told = async (client: string) => {
      const { body } = await panel.api('GET', `/auditoria?cliente=${client}&limite=8`, { bearer: token })
      return body.datos.map(({ operacion, resultado }: Json) => `${operacion} ${resultado}`)
    }
    expect(await told('apuntes')).toEqual(
      expect.arrayContaining([
        'POST /renovar sesion_terminada',
        'POST /segundo-factor codigo_incorrecto',
        'POST /entrar hecho',
        'POST /segundo-factor/inscribir hecho',
        'POST /enlace/gastar hecho',
      ]),
    )
    expect((await told('apuntes-2'))[0]).toBe('POST /salir hecho')
  })

  test('is refused from another site', async () => {
    const person = await newCustomer(panel, token, 'otro-sitio')
    const foreign = await panel.access('/renovar', undefined, {
      cookie: person.cookie,
      origin: 'https://evil.example',
    })
    expect(outcome(foreign)).toEqual([403, 'origen_ajeno'])
    expect(
      outcome(
        await panel.access('/salir', undefined, { cookie: person.cookie, origin: 'https://evil.example' }),
      ),
    ).toEqual([403, 'origen_ajeno'])
    expect((await renew(person.cookie)).status).toBe(200)
  })
})

describe('a session', () => {
  test('keeps few of its expired bearers, and every one that is still good', async () => {
    const person = await newCustomer(panel, token, 'insistente')
    const id = rows<{ id: string }>(
      panel,
      'select s.id from sessions s join persons p on p.id = s.person_id where p.email = ?',
      person.email,
    )[0]?.id
    const of = (more: string) =>
      count(panel, `select count(*) from session_bearers where session_id = ? ${more}`, id ?? '')
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)'
    const made = "insert into session_bearers select '_' || i || ?, x'00', ?, ? + i from n"
    plant(panel, `${many} ${made}`, 'old', id ?? '', Date.now() - 86_400_000)
    plant(panel, `${many} ${made}`, 'new', id ?? '', Date.now() + 600_000)
    expect((await panel.access('/renovar', undefined, { cookie: person.cookie })).status).toBe(200)
    expect([of("and public_id like '%old'"), of("and public_id like '%new'")]).toEqual([0, 500])
    plant(panel, 'delete from session_bearers where session_id = ? and public_id like ?', id ?? '', '%new')
    expect((await panel.api('GET', '/conexion', { bearer: person.bearer })).status).toBe(200)
  })

  test('is forgotten thirty days after its end, with the address and the browser that it came from', async () => {
    const old = await newCustomer(panel, token, 'pasada')
    const kept = () =>
      count(
        panel,
        'select count(*) from sessions s join persons p on p.id = s.person_id where p.email = ?',
        old.email,
      )
    const expire = async (days: number) => {
      await panel.setClock(days * 86_400)
      expect((await panel.command('cron', 'caducidad')).status).toBe(0)
    }
    await expire(29)
    expect(kept()).toBe(1)
    expect((await panel.api('GET', '/conexion', { bearer: old.bearer })).body.codigo).toBe('sesion_caducada')
    await expire(31)
    expect(kept()).toBe(0)
    expect(
      count(panel, 'select count(*) from session_bearers where session_id not in (select id from sessions)'),
    ).toBe(0)
  })
})

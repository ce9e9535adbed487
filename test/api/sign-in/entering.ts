import { describe, expect, test } from 'bun:test'
import { codeOf, enrol, PASSWORD } from '../../support/people.ts'
import { quickest } from '../../support/quickest.ts'
import { newAdmin, newClient, newCustomer, newLogin, outcome } from '../people.ts'
import { admin, enter, factor, panel, token } from './world.ts'

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

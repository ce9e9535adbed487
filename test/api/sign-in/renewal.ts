import { describe, expect, test } from 'bun:test'
import type { Json } from '../../support/panel.ts'
import { cookieOf } from '../../support/people.ts'
import { newCustomer, outcome } from '../people.ts'
import { enter, factor, panel, token } from './world.ts'

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

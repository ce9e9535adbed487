import { describe, expect, test } from 'bun:test'
import { codeOf, PASSWORD } from '../../support/people.ts'
import { newCustomer, outcome } from '../people.ts'
import { plant } from '../store.ts'
import { admin, enter, factor, panel, stepOf, token } from './world.ts'

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

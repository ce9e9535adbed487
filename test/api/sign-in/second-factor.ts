import { describe, expect, test } from 'bun:test'
import { codeOf } from '../../support/people.ts'
import { newCustomer, outcome } from '../people.ts'
import { factor, panel, stepOf, token } from './world.ts'

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

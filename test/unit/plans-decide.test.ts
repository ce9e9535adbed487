import { describe, expect, test } from 'bun:test'
import {
  type Consumption,
  excessesOf,
  hasRoom,
  type Plan,
  requireFunction,
  requirePlan,
  requirePlanNameFree,
  requireRoom,
  requireSpace,
  requireUnused,
} from '../../lib/plans/decide.ts'
import { limitsOf } from '../../lib/plans/view.ts'
import { UNLIMITED, UNUSED } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const PLAN: Plan = {
  ...UNLIMITED,
  name: 'básico',
  diskBytes: 1000,
  inodes: 10,
  sites: 2,
  aliases: 0,
  functions: ['php'],
}

test('a plan that was not found is 404 where the path names it and 409 where the body does', () => {
  expect(requirePlan(PLAN, 'básico', 404)).toBe(PLAN)
  expect(refusal(() => requirePlan(undefined, 'x', 404))).toEqual([404, 'plan_no_existe'])
  expect(refusal(() => requirePlan(undefined, 'x', 409))).toEqual([409, 'plan_no_existe'])
})

test("a plan may keep its name, and cannot take another's", () => {
  expect(refusal(() => requirePlanNameFree(undefined))).toBeNull()
  expect(refusal(() => requirePlanNameFree(PLAN, PLAN))).toBeNull()
  expect(refusal(() => requirePlanNameFree(PLAN))).toEqual([409, 'ya_existe'])
  expect(refusal(() => requirePlanNameFree(PLAN, { id: 2 }))).toEqual([409, 'ya_existe'])
})

test('a plan that a client has cannot be deleted', () => {
  expect(refusal(() => requireUnused({ clients: 0 }))).toBeNull()
  expect(refusal(() => requireUnused({ clients: 1 }))).toEqual([409, 'plan_en_uso'])
})

test.each<[Plan | null, 'php' | 'https', boolean]>([
  [PLAN, 'php', true],
  [PLAN, 'https', false],
  [null, 'https', true],
])('a function is refused with 402 exactly where the plan does not include it', (plan, name, included) => {
  expect(refusal(() => requireFunction(plan, name))).toEqual(included ? null : [402, 'funcion_de_pago'])
})

describe('what is counted', () => {
  test.each<[string, Plan | null, Partial<Consumption>, 'sitios' | 'aliases' | 'zonas', number, boolean]>([
    ['one of two', PLAN, { sitios: 0 }, 'sitios', 1, true],
    ['the last', PLAN, { sitios: 1 }, 'sitios', 1, true],
    ['one too many', PLAN, { sitios: 2 }, 'sitios', 1, false],
    ['two too many at once', PLAN, { sitios: 1 }, 'sitios', 2, false],
    ['any of what a plan has none of', PLAN, {}, 'aliases', 1, false],
    ['nothing more, though there is too much', PLAN, { aliases: 3 }, 'aliases', 0, true],
    ['any of what is unlimited', PLAN, { zonas: 1000 }, 'zonas', 1, true],
    ['any without a plan', null, { sitios: 1000 }, 'sitios', 1, true],
  ])('%s fits or is refused', (_, plan, used, recurso, more, fits) => {
    const consumed = { ...UNUSED, ...used }
    expect(refusal(() => requireRoom(plan, consumed, recurso, more))).toEqual(
      fits ? null : [409, 'limite_del_plan'],
    )
    if (more === 1) expect(hasRoom(plan, consumed, recurso)).toBe(fits)
  })

  test('is told where it exceeds new limits, and not where it equals them', () => {
    const consumed = { ...UNUSED, sitios: 3, disco_bytes: 1000, zonas: 99 }
    expect(excessesOf(consumed, limitsOf(PLAN))).toEqual([{ recurso: 'sitios', usado: 3, limite: 2 }])
    expect(excessesOf(consumed, limitsOf(null))).toEqual([])
  })
})

test.each<[Partial<Consumption>, boolean]>([
  [{ disco_bytes: 999, inodos: 9 }, true],
  [{ disco_bytes: 1000 }, false],
  [{ inodos: 11 }, false],
])('with %j used there is space: %p', (used, space) => {
  const run = (plan: Plan | null) => refusal(() => requireSpace(plan, { ...UNUSED, ...used }))
  expect([run(PLAN), run(null)]).toEqual([space ? null : [507, 'sin_espacio'], null])
})

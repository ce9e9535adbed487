import { describe, expect, test } from 'bun:test'
import { AppError } from '../../lib/endpoint/errors.ts'
import { type CheckedAccount, decideAccount, quotaPatch } from '../../lib/mirror/decide-account.ts'
import {
  type AdmissionFacts,
  decideAdmission,
  decideHere,
  requireRoom,
} from '../../lib/mirror/decide-admission.ts'
import type { Observation } from '../../lib/mirror/eligibility.ts'
import { levelOf, quotaOf, warningOf } from '../../lib/mirror/quota.ts'
import type { AccountRow } from '../../lib/mirror/states.ts'
import type { Plan } from '../../lib/plans/decide.ts'

const now = new Date('2026-11-23T00:00:00Z')
const before = new Date('2026-11-01T00:00:00Z')
const entered: CheckedAccount = {
  node: 'nodo1',
  kind: 'desec',
  sealed: 'sealed',
  account: null,
  url: null,
  adminLimit: null,
  quota: { used: 0, limit: null },
}
const held = decideAccount(undefined, entered, before).row

/** The code of what a decision refuses with. */
function refusalOf(decide: () => unknown): string | null {
  try {
    decide()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.codigo
    throw error
  }
}

describe('a zone that is to be mirrored', () => {
  const allowed: AdmissionFacts = { zone: { id: 7 }, plan: null, account: held, mirror: undefined }
  const without: Plan = {
    ...{ id: 1, name: 'basico', functions: ['https'], createdAt: before },
    ...{ diskBytes: null, inodes: null, trafficBytes: null, sites: null, aliases: null, zones: null },
    ...{ cpuPercent: null, memoryBytes: null, processes: null, schedules: null, dailyMails: null },
    ...{ sftpAccounts: null, databases: null, databaseBytes: null },
  }
  const at = (state: NonNullable<AdmissionFacts['mirror']>['state'], zoneId: number | null = 7) => ({
    ...allowed,
    mirror: { zoneId, state },
  })

  test.each<[string, AdmissionFacts, string | null]>([
    ['without a plan', allowed, null],
    ['of a plan without the function', { ...allowed, plan: without, account: undefined }, 'funcion_de_pago'],
    ['of a node without an account', { ...allowed, account: undefined }, 'sin_proveedor'],
    ['while the account goes', { ...allowed, account: { ...held, removing: true } }, 'sin_proveedor'],
    ['while its copy is removed', at('retirando'), 'espejo_no_activo'],
    ['while the copy of another zone of that name is left', at('retirada', null), 'espejo_no_activo'],
  ])('%s', (_, facts, refusal) => {
    expect(refusalOf(() => decideAdmission(facts))).toBe(refusal)
  })

  test('is begun anew where its mirror rests, and left alone where it stands', () => {
    const anew = (['conflicto', 'perdida', 'retirada', 'sin_cuota'] as const).map((state) => at(state))
    expect(anew.map(decideAdmission)).toEqual(anew.map(() => held))
    const standing = (['comprobando', 'en_cola', 'sincronizando', 'al_dia', 'error'] as const).map((state) =>
      at(state),
    )
    expect(standing.map(decideAdmission)).toEqual(standing.map(() => null))
  })

  const told = (resultado: Observation['resultado'], late = false): Observation => ({
    ...{ resolver: 'r', resultado, late, ttlSeconds: 60 },
    visto: resultado === 'no_concluyente' ? [] : ['203.0.113.9'],
  })

  test.each<[string, Observation[], boolean | string]>([
    ['leads here by two resolvers', [told('aqui'), told('aqui')], true],
    ['leads elsewhere', [told('fuera'), told('fuera')], 'zona_no_resuelve_aqui'],
    [
      'leads elsewhere, though one resolver is late',
      [told('fuera'), told('fuera'), told('no_concluyente', true)],
      'zona_no_resuelve_aqui',
    ],
    ['is not told by anybody', [told('no_concluyente')], 'zona_no_resuelve_aqui'],
    ['may lead here, but a resolver is late', [told('aqui'), told('no_concluyente', true)], false],
  ])('that %s', (_, observations, expected) => {
    const decided = () => decideHere(observations, ['192.0.2.1'])
    if (typeof expected === 'string') expect(refusalOf(decided)).toBe(expected)
    else expect(decided()).toBe(expected)
  })

  test('is told what was seen, each address once, and what was expected', () => {
    const seen = [told('fuera'), told('fuera')]
    const answer = { resolver: 'r', resultado: 'fuera', visto: ['203.0.113.9'] }
    const extra = { visto: ['203.0.113.9'], esperado: ['192.0.2.1'], respuestas: [answer, answer] }
    expect(() => decideHere(seen, ['192.0.2.1'])).toThrow(expect.objectContaining({ extra }))
  })

  test.each<[string, boolean, { used: number; limit: number | null }, AccountRow, string | null]>([
    ['a name that the account holds', true, { used: 1, limit: 1 }, held, 'zona_ya_en_proveedor'],
    ['a full account', false, { used: 2, limit: 2 }, held, 'cuota_de_zonas'],
    [
      'an account that an admin said is full',
      false,
      { used: 2, limit: null },
      { ...held, adminLimit: 2 },
      'cuota_de_zonas',
    ],
    ['an account with room', false, { used: 1, limit: 2 }, held, null],
    ['an account whose limit nobody knows', false, { used: 900, limit: null }, held, null],
  ])('%s', (_, found, quota, account, refusal) => {
    expect(refusalOf(() => requireRoom(account, found, quota))).toBe(refusal)
  })
})

describe('an account that is entered', () => {
  test('first gets a fence above any earlier account’s, so that a late worker changes nothing', () => {
    const { row, notices } = decideAccount(undefined, entered, now)
    expect(row).toMatchObject({ node: 'nodo1', epoch: 1, fence: now.getTime(), warned: 0, createdAt: now })
    expect(notices).toEqual([])
  })

  test('again keeps its place in the queue and forgets what was refused', () => {
    const troubled = { ...held, fence: 9, failures: 3, learnedLimit: 2, refusedAt: before, pausedUntil: now }
    const { row } = decideAccount({ ...troubled, removing: true, nextSlotAt: before }, entered, now)
    expect(row).toEqual({ ...held, fence: 9, nextSlotAt: before, epoch: 2, checkedAt: now })
  })

  test.each([
    ['the same', 'desec', 0],
    ['another', 'hetzner', 1],
  ])('at %s provider, warns %s of what was warned about before', (_, kind, mails) => {
    const quota = { used: 85, limit: 100 }
    const { row, notices } = decideAccount({ ...held, warned: 80 }, { ...entered, kind, quota }, now)
    expect([row.warned, row.used, notices.length]).toEqual([80, 85, mails])
  })
})

test('the account’s own limit counts first, then the lower of a typed and a learned one', () => {
  const facts = { used: 8, apiLimit: null, adminLimit: null, learnedLimit: null }
  expect(quotaOf(facts)).toEqual({ used: 8, limit: null, source: null, level: 'desconocido' })
  expect(quotaOf({ ...facts, learnedLimit: 8 })).toMatchObject({
    limit: 8,
    source: 'aprendida',
    level: 'lleno',
  })
  expect(quotaOf({ ...facts, learnedLimit: 8, adminLimit: 10 })).toMatchObject({
    limit: 8,
    source: 'aprendida',
  })
  expect(quotaOf({ ...facts, learnedLimit: 12, adminLimit: 10 })).toMatchObject({
    limit: 10,
    source: 'admin',
  })
  expect(quotaOf({ ...facts, adminLimit: 10, apiLimit: 100 })).toMatchObject({ source: 'api', level: 'bien' })
})

test('warnings come at 80 and 95 percent', () => {
  const levels = [79, 80, 94, 95, 100].map((used) => levelOf(used, 100))
  expect(levels).toEqual(['bien', 'aviso', 'aviso', 'critico', 'lleno'])
  expect(levels.map(warningOf)).toEqual([0, 80, 80, 95, 95])
})

test('each warning goes out once on the way up', () => {
  const account = { ...held, adminLimit: 100 }
  const at = (used: number, warned: number) => quotaPatch({ ...account, warned }, { used, limit: null })
  expect(at(79, 0).notices).toEqual([])
  expect(at(80, 0).notices).toEqual([{ kind: 'cuota', provider: 'desec', percent: 80, used: 80, limit: 100 }])
  expect(at(90, 80)).toEqual({
    patch: { used: 90, apiLimit: null, learnedLimit: null, warned: 80 },
    notices: [],
  })
  expect(at(95, 80).notices).toMatchObject([{ percent: 95 }])
  expect(at(50, 95).patch.warned).toBe(0)
})

test('an account that holds more zones than its learned limit has been given more room', () => {
  const account = { ...held, learnedLimit: 15 }
  expect(quotaPatch(account, { used: 16, limit: null }).patch.learnedLimit).toBeNull()
  expect(quotaPatch(account, { used: 15, limit: null }).patch.learnedLimit).toBe(15)
})

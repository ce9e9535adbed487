import { describe, expect, test } from 'bun:test'
import {
  adminAt,
  decideConfirmed,
  decideExpired,
  decidePassword,
  decideReset,
  type Link,
  linkWaitSeconds,
  type Person,
  purposeFor,
  requireAdmin,
  requireAnotherAdmin,
} from '../../lib/identity/decide.ts'
import { requireLoginAllowed } from '../../lib/identity/decide-login.ts'
import { ADMIN, NOW } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const ago = (seconds: number) => new Date(NOW.getTime() - 1000 * seconds)
const LOGIN: Person = { ...ADMIN, id: 'per_2', role: 'client', clientId: 7 }
const LINK: Link = {
  id: 'enl_1',
  purpose: 'activar',
  personId: 'per_2',
  hash: new Uint8Array(32),
  keyId: 'k1',
  email: null,
  anyone: false,
  createdAt: NOW,
  expiresAt: null,
  spentAt: null,
  endedAt: null,
  endedWhy: null,
}

test.each<[string, { byToken: boolean; exists: boolean; email: string }, 'token' | 'persona', string | null]>(
  [
    ['a token, for its own', { byToken: true, exists: false, email: 'b@x.es' }, 'token', null],
    [
      "a token, for a person's",
      { byToken: true, exists: true, email: 'b@x.es' },
      'persona',
      'solo_cuentas_de_token',
    ],
    ['a person, for any', { byToken: false, exists: false, email: 'B@X.es' }, 'persona', null],
    ['where there is one', { byToken: false, exists: true, email: 'c@x.es' }, 'persona', 'acceso_ya_existe'],
    ['at another address', { byToken: false, exists: false, email: 'c@x.es' }, 'persona', 'correo_distinto'],
  ],
)('a login is made by %s, or refused', (_, wanted, createdBy, codigo) => {
  expect(refusal(() => requireLoginAllowed({ createdBy, email: 'b@x.es' }, wanted))?.[1] ?? null).toBe(codigo)
})

describe('another link', () => {
  test.each<[string, number[], number]>([
    ['none before', [], 0],
    ['one a second ago', [1], 59],
    ['one a minute ago', [60], 0],
    ['four in the hour', [3000, 2000, 1000, 61], 0],
    ['five in the hour', [3000, 2000, 1000, 500, 61], 600],
    ['five, in any order', [61, 3000, 500, 2000, 1000], 600],
  ])('with %s may be had in time', (_, recent, seconds) => {
    expect(linkWaitSeconds(recent.map(ago), NOW)).toBe(seconds)
  })

  test.each<[string, Person | null, Date[], string | null]>([
    ['without a login', null, [], 'sin_acceso'],
    ['without an address', { ...LOGIN, email: null }, [ago(1)], 'sin_correo'],
    ['too soon after the last', LOGIN, [ago(1)], 'espera'],
    ['otherwise', LOGIN, [ago(61)], null],
  ])('%s is sent or refused', (_, login, recent, codigo) => {
    expect(refusal(() => decideReset(login, recent, NOW))?.[1] ?? null).toBe(codigo)
  })

  test('activates a login that has no password or no factor, and resets any other', () => {
    expect([LOGIN, { ...LOGIN, passwordHash: null }, { ...LOGIN, totpSecret: null }].map(purposeFor)).toEqual(
      ['restablecer', 'activar', 'activar'],
    )
  })
})

describe('spending a link', () => {
  test.each<[string, Link | undefined, boolean | string]>([
    ['that is live', LINK, false],
    ['that is gone', undefined, true],
    ['whose hour is over', { ...LINK, expiresAt: NOW }, true],
    ['whose hour is not over', { ...LINK, expiresAt: new Date(NOW.getTime() + 1) }, false],
    ['that was spent', { ...LINK, spentAt: NOW }, 'enlace_gastado'],
    ['that a newer one replaced', { ...LINK, endedAt: NOW }, 'enlace_gastado'],
  ])('%s is too old, or not, or refused', (_, link, expected) => {
    if (typeof expected === 'boolean') expect(decideExpired(link, NOW)).toBe(expected)
    else expect(refusal(() => decideExpired(link, NOW))).toEqual([410, expected])
  })

  test('the first admin cannot take the address of another, however it is spelt', () => {
    const first = { ...ADMIN, id: 'per_0', email: null }
    expect(refusal(() => decidePassword(first, [ADMIN], 'ANA@ejemplo.es'))).toEqual([409, 'ya_existe'])
    expect(decidePassword(first, [ADMIN], 'eva@ejemplo.es').email).toBe('eva@ejemplo.es')
    expect(decidePassword(ADMIN, [ADMIN], undefined).email).toBe('ana@ejemplo.es')
  })

  test('of a disabled person, or for a client on its way out, is refused', () => {
    const gone: [number, string] = [410, 'enlace_gastado']
    const mailed = { email: 'new@x.es' }
    expect(refusal(() => decidePassword({ ...LOGIN, active: false }, [], undefined))).toEqual(gone)
    expect(refusal(() => decideConfirmed({ state: 'eliminando' }, mailed))).toEqual(gone)
    expect(refusal(() => decideConfirmed(null, mailed))).toEqual(gone)
    expect(decideConfirmed({ state: 'suspendido' }, mailed).email).toBe('new@x.es')
  })
})

test.each<[string, Partial<Person>, boolean]>([
  ['who can sign in', {}, true],
  ['who is disabled', { active: false }, false],
  ['without a password', { passwordHash: null }, false],
  ['without a factor', { totpSecret: null }, false],
])('an admin may be disabled beside another %s: %p', (_, other, may) => {
  const admins = [ADMIN, { ...ADMIN, id: 'per_9', ...other }]
  expect(refusal(() => requireAnotherAdmin(admins, ADMIN.id))?.[1] ?? null).toBe(
    may ? null : 'ultimo_administrador',
  )
})

test("a customer's login is no admin, and an address finds its admin", () => {
  expect(refusal(() => requireAdmin(LOGIN))).toEqual([404, 'persona_no_existe'])
  expect(refusal(() => requireAdmin(undefined))).toEqual([404, 'persona_no_existe'])
  expect(adminAt([{ ...ADMIN, email: null }, ADMIN], 'ANA@EJEMPLO.ES')).toBe(ADMIN)
})

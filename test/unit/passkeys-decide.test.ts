import { expect, test } from 'bun:test'
import {
  type Challenge,
  counterGoesOn,
  MOST_PASSKEYS,
  type Passkey,
  requireChallenge,
  requireOwn,
  requireRoom,
  signsIn,
} from '../../lib/passkeys/decide.ts'
import { relyingHost } from '../../lib/passkeys/webauthn.ts'
import { revokeRestored } from '../../lib/sign-in/restored.ts'
import { passkeyChallenges, passkeys, persons } from '../../schema/tables.ts'
import { ADMIN } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'
import { NOW, testServices } from '../usage/store.ts'

/** The code that a decision refuses with. */
const codeOf = (decide: () => unknown) => refusal(decide)?.[1] ?? null

const PASSKEY: Passkey = {
  id: 'lla_1',
  personId: 'per_1',
  credentialId: 'AQID',
  publicKey: new Uint8Array(1),
  counter: 7,
  transports: [],
  synced: true,
  host: 'panel.es',
  name: 'Móvil',
  createdAt: NOW,
  lastUsedAt: null,
}
const CHALLENGE: Challenge = {
  hash: new Uint8Array(1),
  personId: 'per_1',
  expiresAt: new Date(NOW.getTime() + 1),
}

test.each<[number, number, boolean]>([
  [0, 0, true],
  [0, 1, true],
  [7, 8, true],
  [7, 7, false],
  [7, 6, false],
  [7, 0, false],
])('after the counter %p, %p is taken: %p', (seen, given, taken) => {
  expect(counterGoesOn(seen, given)).toBe(taken)
})

test.each<[string, Challenge | undefined, string | null, string | null]>([
  ['its person’s', CHALLENGE, 'per_1', null],
  ['a sign-in’s', { ...CHALLENGE, personId: null }, null, null],
  ['none', undefined, 'per_1', 'paso_invalido'],
  ['somebody else’s', CHALLENGE, 'per_2', 'paso_invalido'],
  ['a registration’s, at a sign-in', CHALLENGE, null, 'paso_invalido'],
  ['a sign-in’s, at a registration', { ...CHALLENGE, personId: null }, 'per_1', 'paso_invalido'],
  ['one that ends now', { ...CHALLENGE, expiresAt: NOW }, 'per_1', 'paso_invalido'],
])('%s is a challenge that is taken or refused', (_, challenge, person, code) => {
  expect(codeOf(() => requireChallenge(challenge, person, NOW))).toBe(code)
})

test.each<[string, Partial<typeof ADMIN>, { counter: number } | null, boolean]>([
  ['an active person', {}, { counter: 8 }, true],
  ['one who is disabled', { active: false }, { counter: 8 }, false],
  ['one without a password', { passwordHash: null }, { counter: 8 }, false],
  ['one without a second factor', { totpSecret: null }, { counter: 8 }, false],
  ['a copied key', {}, { counter: 7 }, false],
  ['a wrong signature', {}, null, false],
])('%s signs in by a passkey, or does not', (_, person, asserted, right) => {
  const found = { person: { ...ADMIN, ...person }, client: null, passkey: PASSKEY }
  expect(signsIn(found, asserted && { ...asserted, synced: true })).toBe(right)
  expect(signsIn(undefined, asserted && { ...asserted, synced: true })).toBe(false)
})

test('there is room for so many, under a host name alone, and only one’s own goes', () => {
  expect(requireRoom({ count: MOST_PASSKEYS - 1, host: 'panel.es' })).toBe('panel.es')
  expect(codeOf(() => requireRoom({ count: MOST_PASSKEYS, host: 'panel.es' }))).toBe('demasiadas_llaves')
  expect(codeOf(() => requireRoom({ count: 0, host: null }))).toBe('llaves_no_disponibles')
  expect(codeOf(() => requireOwn(undefined))).toBe('llave_no_existe')
})

test.each<[string, string | null]>([
  ['https://panel.ejemplo.es:2087', 'panel.ejemplo.es'],
  ['https://localhost:2087', 'localhost'],
  ['https://192.0.2.1:2087', null],
  ['https://[2001:db8::1]:2087', null],
])('a panel at %s has passkeys for %p', (origin, host) => {
  expect(relyingHost({ origin })).toBe(host)
})

test('a restored copy has no passkeys, which may have been removed since, and no challenge', async () => {
  const { services, close } = await testServices()
  await services.db.write(async (tx) => {
    await tx.insert(persons).values(ADMIN)
    await tx.insert(passkeys).values(PASSKEY)
    await tx.insert(passkeyChallenges).values(CHALLENGE)
  })
  expect((await services.db.write((tx) => revokeRestored(tx, NOW))).passkeys).toBe(1)
  expect(await services.db.read.select().from(passkeys)).toEqual([])
  expect(await services.db.read.select().from(passkeyChallenges)).toEqual([])
  await close()
})

import { expect, test } from 'bun:test'
import { pureArgon2Passwords } from '../../deploy/function/passwords.ts'
import { argon2Passwords } from '../../deploy/node/passwords.ts'
import { quickest } from '../support/quickest.ts'
import { random } from '../support/seed.ts'

const pure = pureArgon2Passwords(random)
const native = argon2Passwords()
const PASSWORD = 'una contraseña larga ñandú'

test('a hash made in JavaScript verifies natively, and the other way round', async () => {
  const ofPure = await pure.hash(PASSWORD)
  const ofNative = await native.hash(PASSWORD)
  const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
  expect(ofPure).toMatch(form)
  expect(ofNative).toMatch(form)
  expect(await native.verify(ofPure, PASSWORD)).toBe(true)
  expect(await pure.verify(ofNative, PASSWORD)).toBe(true)
  expect(await native.verify(ofPure, `${PASSWORD}.`)).toBe(false)
  expect(await pure.verify(ofNative, `${PASSWORD}.`)).toBe(false)
}, 60_000)

test('composed and decomposed letters are one password on both sides', async () => {
  const hash = await native.hash(PASSWORD.normalize('NFD'))
  expect(await pure.verify(hash, PASSWORD.normalize('NFC'))).toBe(true)
}, 60_000)

test('the published vectors of the reference implementation verify', async () => {
  // phc-winner-argon2 src/test.c, version 0x13, Argon2id
  const vectors: [string, string][] = [
    ['password', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['password', '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc'],
  ]
  for (const [password, hash] of vectors) expect(await pure.verify(hash, password)).toBe(true)
})

test('a missing hash costs what a real one does and fits nothing', async () => {
  const real = await pure.hash(PASSWORD)
  const timeOf = (hash: string | null) =>
    quickest(async () => expect(await pure.verify(hash, 'otra cosa')).toBe(false))
  const [known, unknown] = [await timeOf(real), await timeOf(null)]
  expect(unknown / known).toBeGreaterThan(0.3)
  expect(unknown / known).toBeLessThan(3)
}, 60_000)

test('a stored string that asks for too much, or is none, fits nothing and costs nothing', async () => {
  const began = performance.now()
  for (const hash of [
    '',
    'plain',
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$argon2id$v=19$m=256,t=999,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ]) {
    expect(await pure.verify(hash, 'password')).toBe(false)
  }
  expect(performance.now() - began).toBeLessThan(100)
})

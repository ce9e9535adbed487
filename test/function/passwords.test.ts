import { expect, test } from 'bun:test'
import { pureArgon2Passwords } from '../../deploy/function/passwords.ts'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
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

test("a password for SFTP hashed on either side is one that Debian's crypt(3) checks", async () => {
  for (const { crypt } of [pure, native]) {
    const hash = await crypt(PASSWORD)
    expect(hash).toMatch(/^\$2b\$10\$/)
    const made = Bun.spawnSync(['perl', '-e', 'print crypt $ARGV[0], $ARGV[1]', PASSWORD, hash])
    expect(made.stdout.toString()).toBe(hash)
  }
}, 60_000)

test('composed and decomposed letters are the same password on both sides', async () => {
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

test('checking against a missing hash fails and takes as long as against a real one', async () => {
  const real = await pure.hash(PASSWORD)
  const timeOf = (hash: string | null) =>
    quickest(async () => expect(await pure.verify(hash, 'otra cosa')).toBe(false))
  const [known, unknown] = [await timeOf(real), await timeOf(null)]
  expect(unknown / known).toBeGreaterThan(0.3)
  expect(unknown / known).toBeLessThan(3)
}, 60_000)

test.each([
  '',
  'plain',
  '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=999,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
])('a stored string that is malformed or asks for too much memory fails at once: %p', async (hash) => {
  const verify = async () => expect(await pure.verify(hash, 'password')).toBe(false)
  expect(await quickest(verify)).toBeLessThan(20)
})

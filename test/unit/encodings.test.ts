import { describe, expect, test } from 'bun:test'
import { bearerHint, createBearer, parseBearer, sameHash } from '../../lib/identity/bearer.ts'
import { decodeBase62, encodeBase62 } from '../../lib/secrets/base62.ts'
import { crc32 } from '../../lib/secrets/crc32.ts'
import { hmacSha256, sha256 } from '../../lib/secrets/hash.ts'
import { ulid } from '../../lib/store/ids.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

describe('CRC-32', () => {
  // The check values of the algorithm's catalogue entry (CRC-32/ISO-HDLC) and of RFC 3720's neighbours.
  test.each([
    ['123456789', 0xcbf43926],
    ['', 0],
    ['a', 0xe8b7be43],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('of %p is the published value', (text, value) => {
    expect(crc32(text)).toBe(value)
  })
})

describe('hashes', () => {
  test('SHA-256 of FIPS 180-4 examples', () => {
    expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hex(sha256(''))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test('HMAC-SHA-256 of RFC 4231 test case 2', () => {
    expect(hex(hmacSha256(Buffer.from('Jefe'), 'what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })
})

describe('base62', () => {
  test.each([
    [0, 1, '0'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [35, 1, 'Z'],
    [36, 1, 'a'],
    [0xffffffff, 6, '4gfFC3'],
    [1, 6, '000001'],
  ])('%p in %p characters', (value, length, text) => {
    expect(encodeBase62(value, length)).toBe(text)
  })

  test('gives every value back', () => {
    const edges = [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(32).with(31, 1)]
    for (const bytes of [...edges, ...Array.from({ length: 200 }, () => random(32))]) {
      const text = encodeBase62(bytes, 43)
      expect(text).toMatch(/^[0-9A-Za-z]{43}$/)
      expect(hex(decodeBase62(text, 32) ?? new Uint8Array())).toBe(hex(bytes))
    }
  })

  test.each(['-', ' ', 'é', '_', '+', '/'])('refuses the foreign character %p', (character) => {
    expect(decodeBase62(`${'0'.repeat(42)}${character}`, 32)).toBeNull()
  })

  test('refuses a value that does not fit', () => {
    expect(decodeBase62('z'.repeat(43), 32)).toBeNull()
  })
})

describe('a bearer', () => {
  test.each([
    ['token', 'cpt_'],
    ['session', 'cps_'],
  ] as const)('of kind %p has the documented form', (kind, prefix) => {
    const { value, publicId } = createBearer(kind, random)
    expect(value.reveal()).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{8}[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`))
    expect(value.reveal().slice(4, 12)).toBe(publicId)
    expect(bearerHint(publicId)).toBe(`cpt_${publicId}`)
  })

  test('is parsed into its kind, id and the hash that is stored', () => {
    const made = createBearer('session', random)
    const parsed = parseBearer(made.value.reveal())
    expect(parsed).toMatchObject({ kind: 'session', publicId: made.publicId })
    expect(sameHash(parsed?.hash ?? new Uint8Array(), made.hash)).toBe(true)
    expect(made.hash).toHaveLength(32)
  })

  test('is made of 32 random bytes, whose hash alone is kept', () => {
    const secret = random(32)
    const source = (bytes: number) => (bytes === 32 ? secret : random(bytes))
    expect(hex(createBearer('token', source).hash)).toBe(hex(sha256(secret)))
  })

  test('carries the checksum of all before it', () => {
    const value = createBearer('token', random).value.reveal()
    expect(value.slice(-6)).toBe(encodeBase62(crc32(value.slice(0, -6)), 6))
  })

  test('with any one character changed is refused without a look-up', () => {
    const value = createBearer('token', random).value.reveal()
    for (let i = 0; i < value.length; i++) {
      const other = value[i] === 'x' ? 'y' : 'x'
      expect(parseBearer(value.slice(0, i) + other + value.slice(i + 1))).toBeNull()
    }
  })

  test.each([
    '',
    'cpt_',
    'cps_short',
    'CPT_',
    `cpt_${'0'.repeat(56)}`,
    `cpt_${'0'.repeat(58)}`,
    `xxx_${'0'.repeat(57)}`,
  ])('%p is none', (value) => {
    expect(parseBearer(value)).toBeNull()
  })

  test('never prints', () => {
    const { value } = createBearer('token', random)
    expect(`${value} ${JSON.stringify({ value })} ${Bun.inspect(value)}`).toBe(
      '[secret] {"value":"[secret]"} [secret]',
    )
  })
})

test('ULIDs sort by time and differ within a millisecond', () => {
  const at = (ms: number) => ulid(new Date(ms), random)
  expect(at(0)).toMatch(/^0{10}[0-9A-HJKMNP-TV-Z]{16}$/)
  // The specification's own example of a timestamp: 1469918176385 is 01ARYZ6S41.
  expect(at(1469918176385).slice(0, 10)).toBe('01ARYZ6S41')
  expect(at(1_700_000_000_000) < at(1_700_000_000_001)).toBe(true)
  expect(at(5)).not.toBe(at(5))
})

import { describe, expect, test } from 'bun:test'
import { matchTotp, newTotpSecret, totpCode, totpStep, totpUri } from '../../lib/sign-in/totp.ts'

/** RFC 6238 appendix B, SHA-1: the secret is the ASCII text below; the last six of the eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]
/** RFC 4226 appendix D: the same secret by counter. */
const COUNTERS = [
  '755224',
  '287082',
  '359152',
  '969429',
  '338314',
  '254676',
  '287922',
  '162583',
  '399871',
  '520489',
]

const at = (seconds: number) => new Date(seconds * 1000)

describe('TOTP', () => {
  test.each(VECTORS)('at %p seconds is %p (RFC 6238 appendix B)', async (seconds, code) => {
    expect(await totpCode(SECRET, totpStep(at(seconds)))).toBe(code)
    expect(await matchTotp(SECRET, code, at(seconds), 0)).toBe(totpStep(at(seconds)))
  })

  test.each(COUNTERS.map((code, step) => [step, code] as const))(
    'of step %p is %p (RFC 4226 appendix D)',
    async (step, code) => {
      expect(await totpCode(SECRET, step)).toBe(code)
    },
  )

  test.each([
    [-2, null],
    [-1, 99],
    [0, 100],
    [1, 101],
    [2, null],
  ])('a code %p steps away matches as %p', async (steps, matched) => {
    const code = await totpCode(SECRET, 100 + steps)
    expect(await matchTotp(SECRET, code, at(3000), 0)).toBe(matched)
  })

  test('steps are 30 seconds long', () => {
    expect([0, 29.999, 30, 59.999, 60].map((seconds) => totpStep(at(seconds)))).toEqual([0, 0, 1, 1, 2])
  })

  test('a step that was used is not matched again, nor one before it', async () => {
    const now = at(3000)
    expect(await matchTotp(SECRET, await totpCode(SECRET, 100), now, 100)).toBeNull()
    expect(await matchTotp(SECRET, await totpCode(SECRET, 99), now, 100)).toBeNull()
    expect(await matchTotp(SECRET, await totpCode(SECRET, 101), now, 100)).toBe(101)
  })

  test.each(['', '12345', '1234567', 'abcdef', '12 456', '１２３４５６', '-12345', '12345\n'])(
    '%p is no code',
    async (code) => {
      expect(await matchTotp(SECRET, code, at(3000), 0)).toBeNull()
    },
  )

  test('a new secret has 160 bits in base32 without padding', () => {
    const secret = newTotpSecret((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(newTotpSecret(() => Buffer.from('12345678901234567890'))).toBe(SECRET)
  })

  test('the address for an authenticator names account, panel and secret', () => {
    const uri = new URL(totpUri(SECRET, 'ana@cliente.es', 'panel.host.es'))
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.pathname)).toContain('ana@cliente.es')
    expect(uri.searchParams.get('secret')).toBe(SECRET)
    expect(uri.searchParams.get('issuer')).toBe('Panel panel.host.es')
    // Authenticators decode percent signs only: a plus would be shown as one.
    expect(uri.href).toContain('issuer=Panel%20panel.host.es')
  })
})

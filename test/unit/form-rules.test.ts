import { expect, test } from 'bun:test'
import { emailAddress } from '../../lib/text/email-address.ts'
import { clientName, hostName } from '../../lib/text/host-names.ts'

// The interface's modules ask the browser for its languages when they are loaded.
Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { isClientName, isEmail, isHost, isHttps, optional, required } = await import(
  '../../web/ui/forms/rules.ts'
)

const TYPED = [
  ...[
    'ejemplo.es',
    'EJEMPLO.es.',
    ' ejemplo.es ',
    'ñandú.es',
    'xn--and-6ma2c.es',
    'a.b.c.d.es',
    '例え.テスト',
  ],
  ...['ana@ejemplo.es', 'ana+x@sub.ejemplo.es', "o'neil@ejemplo.es", 'ana@ñandú.es', 'a.b-c_d@ejemplo.co.uk'],
  ...['acme', 'Acme', 'a', 'a-b_c.d', '0', 'a..b', '-a', 'a'.repeat(63), 'a'.repeat(64)],
  ...[
    '',
    ' ',
    'no es',
    'ejemplo',
    'ana@',
    '@es',
    'ejemplo.es/x',
    'https://ejemplo.es',
    '"a"@b.es',
    'a b@c.es',
  ],
]

test.each([
  ['a domain', isHost, hostName],
  ['an e-mail address', isEmail, emailAddress],
  ['the name of a client', isClientName, clientName],
] as const)(
  'what is checked of %s before it is sent refuses nothing that the API takes',
  (_, check, parse) => {
    const taken = TYPED.filter((typed) => parse(typed) !== null)
    expect(taken.length).toBeGreaterThan(3)
    expect(taken.filter((typed) => check(typed) !== null)).toEqual([])
  },
)

test('what is plainly no domain, address or name is refused with a sentence', () => {
  expect(['no es', 'ejemplo', 'ejemplo.es/x', 'a@b.es'].map(isHost)).not.toContain(null)
  expect(['ana', 'ana@', 'ana@ejemplo', 'a b@c.es'].map(isEmail)).not.toContain(null)
  expect(['', '-a', 'a..b', 'con espacio'].map(isClientName)).not.toContain(null)
  expect(['', 'http://a.es', 'https:///x'].map(isHttps)).not.toContain(null)
  expect([required(' ') === null, optional(isHost)('')]).toEqual([false, null])
})

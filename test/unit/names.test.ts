import { describe, expect, test } from 'bun:test'
import { emailAddress, emailKey, maskedEmail } from '../../lib/text/email-address.ts'
import {
  childRange,
  clientName,
  hostName,
  nameFromDomain,
  parentNames,
  reservedName,
  reversedName,
  unicodeName,
} from '../../lib/text/host-names.ts'

const LABEL = 'a'.repeat(63)

describe('a client name', () => {
  test.each([
    ['acme', 'acme'],
    ['ACME', 'acme'],
    ['a', 'a'],
    ['a.b-c_d9', 'a.b-c_d9'],
    ['x'.repeat(63), 'x'.repeat(63)],
  ])('%p is %p', (input, name) => {
    expect(clientName(input)).toBe(name)
  })

  test.each([
    '',
    'a..b',
    '-a',
    'a-',
    '.a',
    'a.',
    '_a',
    'a b',
    ' a',
    'a\n',
    'a\0',
    'á',
    'a/b',
    '../x',
    'x'.repeat(64),
    'ａ',
    '$(id)',
  ])('%p is none', (input) => {
    expect(clientName(input)).toBeNull()
  })
})

describe('a host name', () => {
  test.each([
    ['ejemplo.es', 'ejemplo.es'],
    ['  Ejemplo.ES.  ', 'ejemplo.es'],
    ['españa.es', 'xn--espaa-rta.es'],
    ['xn--espaa-rta.es', 'xn--espaa-rta.es'],
    ['ESPAÑA.es', 'xn--espaa-rta.es'],
    ['ｅｊｅｍｐｌｏ.es', 'ejemplo.es'],
    ['ejemplo。es', 'ejemplo.es'],
    // UTS 46 non-transitional: the German sharp s stays itself.
    ['faß.de', 'xn--fa-hia.de'],
    ['a.b.c.d.ejemplo.es', 'a.b.c.d.ejemplo.es'],
    [`${LABEL}.es`, `${LABEL}.es`],
    [`${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`, `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`],
    ['1.2.3.4.es', '1.2.3.4.es'],
  ])('%p is %p', (input, name) => {
    expect(hostName(input)).toBe(name)
  })

  test.each([
    '',
    '.',
    'localhost',
    'es',
    'a..b',
    '-a.es',
    'a-.es',
    '_a.es',
    '*.es',
    '*',
    '~^.*$',
    'a;.es',
    'a{.es',
    'a b.es',
    'a\n.es',
    'a.es\0',
    '$(id).es',
    '../x.es',
    'a/b.es',
    'a:80.es',
    'user@a.es',
    '192.0.2.1',
    '0x7f.0.0.1',
    '[::1]',
    '::1',
    '2130706433',
    'a.es..',
    'xn--zz--.es',
    'xn--a.es',
    `${LABEL}a.es`,
    `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(62)}`,
    'a%2eb.es',
    'a\u202eb.es',
    'a\u200db.es',
    '\ud800.es',
  ])('%p is none', (input) => {
    expect(hostName(input)).toBeNull()
  })

  test('is the same for its Unicode and its ASCII form', () => {
    expect(hostName(unicodeName('xn--espaa-rta.es'))).toBe('xn--espaa-rta.es')
    expect(unicodeName('ejemplo.es')).toBe('ejemplo.es')
  })
})

describe('a reserved name', () => {
  const own = ['panel.host.net', 'ns1.host.net']
  test.each([
    'localhost',
    'x.localhost',
    '1.2.0.192.in-addr.arpa',
    'arpa',
    'co.uk',
    'com.es',
    'github.io',
    'panel.host.net',
    'ns1.host.net',
    'host.net',
  ])('%p is refused', (name) => {
    expect(reservedName(name, own)).toBe(true)
  })
  test.each(['ejemplo.es', 'x.co.uk', 'x.github.io', 'www.panel.host.net', 'otherhost.net'])(
    '%p is free',
    (name) => {
      expect(reservedName(name, own)).toBe(false)
    },
  )
  test('only a parent of an own name can be overridden', () => {
    expect(reservedName('host.net', own, true)).toBe(false)
    for (const name of ['panel.host.net', 'co.uk', 'localhost'])
      expect(reservedName(name, own, true)).toBe(true)
  })
})

describe('kinship of names', () => {
  test('parents are listed nearest first, down to two labels', () => {
    expect(parentNames('a.b.ejemplo.es')).toEqual(['b.ejemplo.es', 'ejemplo.es'])
    expect(parentNames('ejemplo.es')).toEqual([])
  })

  test('the range of children holds them all and nothing else', () => {
    const { from, to } = childRange('ejemplo.es')
    const inside = (name: string) => reversedName(name) >= from && reversedName(name) < to
    for (const name of ['a.ejemplo.es', 'z.z.ejemplo.es', '0.ejemplo.es']) expect(inside(name)).toBe(true)
    for (const name of ['ejemplo.es', 'xejemplo.es', 'x-ejemplo.es', 'ejemplo.com', 'es'])
      expect(inside(name)).toBe(false)
  })

  test.each([
    ['ejemplo.es', 'ejemplo.es'],
    [`${LABEL}.es`, 'a'.repeat(50)],
    [`${'a'.repeat(49)}.es`, 'a'.repeat(49)],
  ])('a client of %p is called %p', (domain, name) => {
    expect(nameFromDomain(domain)).toBe(name)
    expect(clientName(name)).toBe(name)
  })
})

describe('an address', () => {
  test.each([
    ['ana@cliente.es', 'ana@cliente.es'],
    [' Ana.Perez+x@CLIENTE.es ', 'Ana.Perez+x@cliente.es'],
    ["o'neill@a-b.example", "o'neill@a-b.example"],
    [`${'a'.repeat(64)}@cliente.es`, `${'a'.repeat(64)}@cliente.es`],
  ])('%p is %p', (input, address) => {
    expect(emailAddress(input)).toBe(address)
  })

  test.each([
    '',
    'ana',
    '@cliente.es',
    'ana@',
    'ana@localhost',
    'a@b@cliente.es',
    'a, b@cliente.es',
    'a@cliente.es, b@cliente.es',
    'Ana <ana@cliente.es>',
    '"a b"@cliente.es',
    'a(x)@cliente.es',
    'a..b@cliente.es',
    '.a@cliente.es',
    'a.@cliente.es',
    'a@-x.es',
    'a@x-.es',
    'a@[192.0.2.1]',
    'a@192.0.2.1',
    'a@cliente.es\r\nBcc: b@x.es',
    'a\n@cliente.es',
    'a\0@cliente.es',
    'ñ@cliente.es',
    'a@españa.es',
    `${'a'.repeat(65)}@cliente.es`,
    `a@${'b.'.repeat(126)}es`,
    `${'a'.repeat(10_000)}@cliente.es`,
  ])('%p is none', (input) => {
    expect(emailAddress(input)).toBeNull()
  })

  test('is one account in any spelling, and is shown masked', () => {
    expect(emailKey('Ana@Cliente.es')).toBe(emailKey('ana@cliente.ES'))
    expect(maskedEmail('ana@acme.es')).toBe('a…@a….es')
    expect(maskedEmail('x@mail.acme.co.uk')).toBe('x…@m….a….c….uk')
  })
})

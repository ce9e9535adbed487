import { describe, expect, test } from 'bun:test'
import { servedTypes } from '../../lib/dns/rdata.ts'
import { canonicalRrset } from '../../lib/dns/rrset.ts'
import { readLine, readOwner, readTarget, readText } from '../../web/screens/zones/records/targets.ts'

const place = { zona: 'ejemplo.es', names: ['@', 'www', 'mail', 'sub', '*'] }

/** What the name servers would answer for a value as it was typed. */
function published(type: string, value: string, said: 'absolute' | 'relative' | null = null): string {
  const { presentation } = readTarget(place, { type, value, said })
  const rrset = { name: type === 'CNAME' ? 'x' : '@', type, ttl: 3600, values: [presentation] }
  return canonicalRrset(place.zona, rrset).values[0] ?? ''
}

describe('a target is published as the name that it looks like', () => {
  test.each([
    ['MX', '10 aspmx.l.google.com', '10 aspmx.l.google.com.'],
    ['MX', '10  ASPMX.L.GOOGLE.COM.', '10 aspmx.l.google.com.'],
    ['MX', '10 mail', '10 mail.ejemplo.es.'],
    ['MX', '10 mail.ejemplo.es', '10 mail.ejemplo.es.'],
    ['MX', '10 ejemplo.es', '10 ejemplo.es.'],
    ['MX', '10 @', '10 ejemplo.es.'],
    ['CNAME', 'shops.myshopify.com', 'shops.myshopify.com.'],
    ['CNAME', 'www', 'www.ejemplo.es.'],
    ['CNAME', 'sel1._domainkey.provider.co.uk', 'sel1._domainkey.provider.co.uk.'],
    ['NS', 'ns1.digitalocean.com', 'ns1.digitalocean.com.'],
    ['PTR', 'host.provider.net', 'host.provider.net.'],
    ['SRV', '100 1 443 sipdir.online.lync.com', '100 1 443 sipdir.online.lync.com.'],
    ['SRV', '0 0 5060 mail', '0 0 5060 mail.ejemplo.es.'],
    ['HTTPS', '1 cdn.provider.net alpn=h2', '1 cdn.provider.net. alpn=h2'],
    ['HTTPS', '1 . alpn=h2', '1 . alpn=h2'],
    ['SVCB', '1 svc.provider.net port=8443', '1 svc.provider.net. port=8443'],
    [
      'NAPTR',
      '100 10 "S" "SIP+D2U" "" _sip._udp.provider.com',
      '100 10 "S" "SIP+D2U" "" _sip._udp.provider.com.',
    ],
    ['A', '192.0.2.1', '192.0.2.1'],
    ['CAA', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'],
  ])('%s %p is %p', (type, typed, answer) => {
    expect(published(type, typed)).toBe(answer)
  })

  test.each([
    ['a name below one that the zone has', '10 mail.sub'],
    ['a name under no suffix that is known', '10 mail.interna'],
  ])('%s has two readings, and neither is assumed', (_, typed) => {
    const name = typed.slice(3)
    expect(readTarget(place, { type: 'MX', value: typed, said: null }).readings).toEqual({
      absolute: `${name}.`,
      relative: `${name}.ejemplo.es.`,
      likely: null,
    })
    expect(published('MX', typed, 'relative')).toBe(`10 ${name}.ejemplo.es.`)
    expect(published('MX', typed, 'absolute')).toBe(`10 ${name}.`)
  })

  test('a name that looks complete is taken below the zone where that is chosen', () => {
    expect(
      readTarget(place, { type: 'CNAME', value: 'shops.myshopify.com', said: null }).readings?.likely,
    ).toBe('absolute')
    expect(published('CNAME', 'shops.myshopify.com', 'relative')).toBe('shops.myshopify.com.ejemplo.es.')
  })

  test.each(['mail', 'mail.ejemplo.es', 'mail.google.com.', '@', '.'])('%p has one reading', (name) => {
    expect(readTarget(place, { type: 'NS', value: name, said: null }).readings).toBeNull()
  })

  test.each(['MX', 'SRV', 'NAPTR'])('%s without its target is passed on to the rules of records', (type) => {
    expect(readTarget(place, { type, value: '10', said: null })).toEqual({
      presentation: '10',
      readings: null,
    })
    expect(readTarget(place, { type, value: '', said: null })).toEqual({ presentation: '', readings: null })
  })
})

test.each([
  ['www', 'www'],
  ['www.ejemplo.es', 'www'],
  ['WWW.Ejemplo.ES.', 'WWW'],
  ['ejemplo.es', '@'],
  ['ejemplo.es.', '@'],
  ['', '@'],
  [' @ ', '@'],
  ['*.ejemplo.es', '*'],
  ['a.b', 'a.b'],
  ['miejemplo.es', 'miejemplo.es'],
  ['otro.com.', 'otro.com.'],
  ['www.ejemplo.es.ejemplo.es.', 'www.ejemplo.es'],
])('the owner %p is %p', (typed, owner) => {
  expect(readOwner('ejemplo.es', typed)).toBe(owner)
})

test.each([
  ['v=spf1 include:_spf.google.com ~all', '"v=spf1 include:_spf.google.com ~all"'],
  ['"v=spf1 -all"', '"v=spf1 -all"'],
  ["'v=spf1 -all'", '"v=spf1 -all"'],
  ['“v=spf1 -all”', '"v=spf1 -all"'],
  ['v=DMARC1;p=none', '"v=DMARC1;p=none"'],
  ['google-site-verification=abc', 'google-site-verification=abc'],
  ['( "one" "two" )', '"one" "two"'],
  ['say "hi" \\ now', '"say \\"hi\\" \\\\ now"'],
  ["d'Or", `"d'Or"`],
  ['', ''],
])('the text %p is %p', (typed, presentation) => {
  expect(readText(typed)).toBe(presentation)
  if (presentation) canonicalRrset('ejemplo.es', { name: '@', type: 'TXT', ttl: 60, values: [presentation] })
})

test('a text longer than one string is cut into several, not refused', () => {
  const key = `v=DKIM1; p=${'A'.repeat(400)}`
  const { values } = canonicalRrset('ejemplo.es', {
    name: '@',
    type: 'TXT',
    ttl: 60,
    values: [readText(key)],
  })
  expect(values[0]?.replaceAll('" "', '')).toBe(`"${key}"`)
})

describe('a line of a zone file', () => {
  const read = (text: string) => readLine(servedTypes(), text)

  test.each([
    [
      'www.ejemplo.es. 3600 IN CNAME shops.myshopify.com.',
      'www.ejemplo.es.',
      'CNAME',
      '3600',
      'shops.myshopify.com.',
    ],
    ['@ IN 1h MX 10 aspmx.l.google.com', '@', 'MX', '1h', '10 aspmx.l.google.com'],
    ['www\tA\t192.0.2.1 ; the server', 'www', 'A', null, '192.0.2.1'],
    ['MX 10 mail', null, 'MX', null, '10 mail'],
    ['  IN TXT "v=spf1 -all; x"', null, 'TXT', null, '"v=spf1 -all; x"'],
    ['k._domainkey IN TXT ( "v=DKIM1; " "p=AB" )', 'k._domainkey', 'TXT', null, '"v=DKIM1; " "p=AB"'],
  ])('%p is understood', (text, nombre, tipo, ttl, valor) => {
    expect(read(text)).toEqual({ nombre, tipo, ttl, valor })
  })

  test.each([
    '10 aspmx.l.google.com',
    '192.0.2.1',
    'shops.myshopify.com',
    '0 issue "letsencrypt.org"',
    'v=spf1 include:x ~all',
    '100 10 "S" "SIP+D2U" "" _sip._udp',
    'a mx record',
    'www IN SOA a b 1 2 3 4 5',
    'www IN A',
    '',
  ])('%p is none', (text) => {
    expect(read(text)).toBeNull()
  })
})

import { describe, expect, test } from 'bun:test'
import { canonicalRrset } from '../../lib/dns/rrset.ts'
import {
  filled,
  isBlank,
  joinValue,
  newLine,
  partFaults,
  splitValue,
} from '../../web/screens/zones/records/parts.ts'
import { draftOf, meant } from '../../web/screens/zones/records/record-draft.ts'
import { hostIn } from '../../web/ui/forms/host.ts'

describe('a stored record set that is opened and saved again stays as it is', () => {
  test.each([
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['CNAME', 'shops.example.net.'],
    ['MX', '10 mail.example.net.'],
    ['TXT', '"v=spf1 include:_spf.example.net ~all"'],
    ['TXT', '"one" "two"'],
    ['TXT', '"say \\"hi\\" \\\\ now"'],
    ['TXT', '"\\195\\177"'],
    ['TXT', '" blank at both ends "'],
    ['TXT', '""'],
    ['TXT', '"(in parentheses)"'],
    ['TXT', '"\'quoted\'"'],
    ['TXT', `"${'a'.repeat(255)}" "${'b'.repeat(60)}"`],
    ['SRV', '100 1 443 sipdir.example.net.'],
    ['CAA', '0 issue "letsencrypt.org; validationmethods=dns-01"'],
    ['CAA', '128 issue ""'],
    ['TLSA', `3 1 1 ${'0c'.repeat(32)}`],
    ['SSHFP', `4 2 ${'12'.repeat(32)}`],
    ['HTTPS', '1 . alpn="h2,h3" port=8443'],
    ['SVCB', '0 svc.example.net.'],
    ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.'],
    ['URI', '10 1 "https://example.net/a b"'],
  ])('%s %s', (tipo, value) => {
    const stored = canonicalRrset('ejemplo.es', { name: 'x', type: tipo, ttl: 300, values: [value] })
    const rrset = { nombre: 'x', tipo, ttl: 300, valores: stored.values, origen: 'usuario' as const }
    const { draft, undecided, unfinished } = meant('ejemplo.es', draftOf('ejemplo.es', rrset, ''), {
      rows: [],
      fixed: true,
      said: {},
    })
    expect([undecided, unfinished]).toEqual([false, false])
    const saved = canonicalRrset('ejemplo.es', { name: 'x', type: tipo, ttl: 300, values: draft.valores })
    expect(saved.values).toEqual(stored.values)
  })
})

describe('whole data put into one field fills all of them', () => {
  test.each([
    ['MX', 1, '20 mail.example.net', ['20', 'mail.example.net']],
    ['MX', 0, '20 mail.example.net.', ['20', 'mail.example.net.']],
    ['MX', 1, 'aspmx.l.example.net 1', ['1', 'aspmx.l.example.net']],
    ['MX', 1, 'mail.example.net', ['10', 'mail.example.net']],
    ['SRV', 3, '100 1 443 sip.example.net', ['100', '1', '443', 'sip.example.net']],
    ['SRV', 2, '443', ['10', '5', '443', '']],
    ['CAA', 2, '0 issuewild "ca.example"', ['0', 'issuewild', 'ca.example']],
    ['CAA', 2, 'ca.example; account=1 x=2', ['0', 'issue', 'ca.example; account=1 x=2']],
    ['TLSA', 3, '3 0 2 0C72 AC70', ['3', '0', '2', '0C72 AC70']],
    ['TLSA', 3, '1234 5678 9012 3456', ['3', '1', '1', '1234 5678 9012 3456']],
    ['HTTPS', 2, '1 . alpn=h2', ['1', '.', 'alpn=h2']],
    ['HTTPS', 2, 'alpn=h2 port=8443', ['1', '', 'alpn=h2 port=8443']],
    ['TXT', 0, 'v=spf1 mx -all', ['v=spf1 mx -all']],
  ])('%s, field %i: %p', (type, at, text, line) => {
    expect(filled(type, newLine(type), { at, text })).toEqual(line)
  })
})

test.each<[string, string[], ('missing' | 'number' | null)[]]>([
  ['MX', ['', 'mail'], ['missing', null]],
  ['MX', ['70000', 'mail'], ['number', null]],
  ['SRV', ['1', 'x', '', 'a'], [null, 'number', 'missing', null]],
  ['CAA', ['0', 'issue', ''], [null, null, null]],
  ['URI', ['10', '1', ''], [null, null, 'missing']],
  ['HTTPS', ['1', '.', ''], [null, null, null]],
])('of %s %p the fields at fault are told', (type, line, faults) => {
  expect(partFaults(type, line)).toEqual(faults)
})

test('a new record of any type is blank, and a value in it is not', () => {
  for (const type of ['A', 'MX', 'SRV', 'CAA', 'TLSA', 'HTTPS', 'NAPTR', 'TXT']) {
    expect([type, isBlank(type, newLine(type))]).toEqual([type, true])
    expect([type, isBlank(type, newLine(type).with(-1, 'x'))]).toEqual([type, false])
  }
  expect(joinValue('MX', splitValue('MX', '10 mail.example.net.'))).toBe('10 mail.example.net.')
})

test.each([
  ['https://www.ejemplo.es/x', 'www.ejemplo.es'],
  ['http://user@www.Ejemplo.es:8080/x?y#z', 'www.ejemplo.es'],
  ['//cdn.ejemplo.es', 'cdn.ejemplo.es'],
  ['www.ejemplo.es/x', 'www.ejemplo.es'],
  ['www.ejemplo.es', 'www.ejemplo.es'],
  ['https://', 'https://'],
  ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
  ['10 mail.ejemplo.es', '10 mail.ejemplo.es'],
  ['@', '@'],
])('the host in %p is %p', (typed, host) => {
  expect(hostIn(typed)).toBe(host)
})

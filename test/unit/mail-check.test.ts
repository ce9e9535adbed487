import { describe, expect, test } from 'bun:test'
import {
  dmarcProblems,
  dmarcProposal,
  isSigned,
  spfProblems,
  spfProposal,
  textsAt,
} from '../../lib/dns/mail/decide-mail.ts'
import { countLookups } from '../../lib/dns/mail/spf.ts'
import type { ResolverAnswer } from '../../lib/endpoint/context.ts'

const WORLD: Record<string, string> = {
  'big.example': 'v=spf1 include:one.example include:two.example a mx -all',
  'one.example': 'v=spf1 ip4:192.0.2.0/24 a:x.example exists:%{i}.example ~all',
  'two.example': 'v=spf1 redirect=three.example',
  'three.example': 'v=spf1 ip6:2001:db8::/32 -all',
  'loop.example': 'v=spf1 include:loop.example -all',
}
const ask = async (name: string): Promise<ResolverAnswer> => {
  const text = WORLD[name]
  return text
    ? { kind: 'answer', values: ['other=1', text], ttlSeconds: 60 }
    : { kind: 'nxdomain', ttlSeconds: 60 }
}

describe('the look-ups of an SPF record', () => {
  test.each([
    ['v=spf1 -all', 0, true],
    ['v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 ?all', 0, true],
    ['v=spf1 a mx:mail.example ptr exists:x.example -all', 4, true],
    // One for the term itself, and those of the record behind it.
    ['v=spf1 include:one.example -all', 3, true],
    ['v=spf1 include:two.example -all', 2, true],
    ['v=spf1 include:big.example -all', 8, true],
    ['v=spf1 include:gone.example -all', 1, false],
    ['v=spf1 include:%{d}.example -all', 1, false],
  ])('%s: %p', async (text, lookups, complete) => {
    expect(await countLookups(text, ask)).toMatchObject({ lookups, complete })
  })

  test('of a record that includes itself have an end, beyond what is allowed', async () => {
    const { lookups, complete } = await countLookups(WORLD['loop.example'] ?? '', ask)
    expect(lookups).toBeGreaterThan(10)
    expect(lookups).toBeLessThan(100)
    expect(complete).toBe(false)
  })
})

describe('SPF', () => {
  test.each([
    [[], true, ['falta'], 'v=spf1 mx ~all'],
    [[], false, ['falta'], 'v=spf1 -all'],
    [['v=spf1 mx -all'], true, [], null],
    [['v=spf1 redirect=x.example'], true, [], null],
    [['v=spf1 mx'], true, ['sin_final'], 'v=spf1 mx ~all'],
    [['v=spf1 mx +all'], true, ['permite_a_todos'], 'v=spf1 mx ~all'],
    [['v=spf1 mx all'], true, ['permite_a_todos'], 'v=spf1 mx ~all'],
    [['v=spf1 mx ptr -all'], true, ['usa_ptr'], 'v=spf1 mx -all'],
    [['v=spf1 mx typo:x -all'], true, ['termino_desconocido'], 'v=spf1 mx -all'],
    [['v=spf1 mx ~all', 'v=spf1 a mx -all'], true, ['varios'], 'v=spf1 mx a ~all'],
  ])('%p (mail: %p) has %p, and better is %p', (texts, receives, problems, proposal) => {
    expect([spfProblems(texts, null), spfProposal(texts, receives)]).toEqual([problems, proposal])
  })

  test('with more than ten look-ups is refused by receivers', () => {
    const count = { terms: [], lookups: 11, complete: true }
    expect(spfProblems(['v=spf1 mx -all'], count)).toEqual(['demasiadas_consultas'])
    expect(spfProblems(['v=spf1 mx -all'], { ...count, lookups: 10 })).toEqual([])
  })
})

test.each([
  [[], ['falta'], 'v=DMARC1; p=none'],
  [['v=DMARC1; p=none; rua=mailto:a@b.es'], ['solo_observa'], 'v=DMARC1; p=quarantine; rua=mailto:a@b.es'],
  [['v=DMARC1; sp=none; p=reject'], [], null],
  [['v=DMARC1; rua=mailto:a@b.es'], ['sin_politica'], 'v=DMARC1; p=none'],
  [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], ['varios'], 'v=DMARC1; p=none'],
])('DMARC %p has %p, and the next step is %p', (texts, problems, proposal) => {
  expect([dmarcProblems(texts), dmarcProposal(texts, true)]).toEqual([problems, proposal])
})

test('a policy that acts is only proposed for a domain whose mail can be signed', () => {
  const key = (name: string, type: string, ...values: string[]) => [{ name, type, values }]
  expect(dmarcProposal(['v=DMARC1; p=none'], false)).toBeNull()
  expect(dmarcProposal([], false)).toBe('v=DMARC1; p=none')
  expect(isSigned(key('google._domainkey', 'TXT', '"v=DKIM1; k=rsa; p=MIGf"'))).toBe(true)
  expect(isSigned(key('selector1._domainkey', 'CNAME', 'selector1.example.'))).toBe(true)
  expect(isSigned(key('*._domainkey', 'TXT', '"v=DKIM1; p="'))).toBe(false)
  expect(isSigned(key('@', 'TXT', '"v=DKIM1; p=MIGf"'))).toBe(false)
})

test('a text in several strings is read as one, as receivers do', () => {
  const values = ['"v=spf1 include:a.exam" "ple -all"', '"say \\"x\\""', 'bare']
  expect(textsAt([{ name: '@', type: 'TXT', values }], '@')).toEqual([
    'v=spf1 include:a.example -all',
    'say "x"',
    'bare',
  ])
})

import type { Rrset } from '../records/records-data.ts'
import { set, TTL, type Wanted } from './templates.ts'

type Row = Pick<Rrset, 'nombre' | 'tipo' | 'ttl' | 'valores'>

/** Providers that give each domain values of its own, which only its owner can copy from them. */
export type Provider = 'google' | 'microsoft'

const STEPS = {
  google: ['googleProof', 'googleKey'],
  microsoft: ['microsoftProof', 'microsoftKey1', 'microsoftKey2'],
} as const
export type Step = (typeof STEPS)[Provider][number]

/** Whose servers take the domain's mail, where it is one of those. */
export function providerOf(rows: Row[]): Provider | null {
  const hosts = mxOf(rows).map((value) => value.toLowerCase())
  if (hosts.some((host) => /\.google(mail)?\.com\.?$/.test(host))) return 'google'
  return hosts.some((host) => /\.mail\.protection\.outlook\.com\.?$/.test(host)) ? 'microsoft' : null
}

export const mxOf = (rows: Row[]): string[] =>
  rows.find(({ nombre, tipo }) => nombre === '@' && tipo === 'MX')?.valores ?? []

/** The names at which the domain has a key that its mail is signed with; an empty key is none. */
export const keysOf = (rows: Row[]): string[] =>
  rows
    .filter(
      ({ nombre, tipo, valores }) => isKey(nombre, tipo) && !valores.every((one) => /p=\s*"?$/.test(one)),
    )
    .map(({ nombre }) => nombre)

const isKey = (name: string, type: string) =>
  /\._domainkey$/.test(name) && (type === 'TXT' || type === 'CNAME')

const PLACES: Record<Step, { name: string; type: 'TXT' | 'CNAME'; looks: RegExp }> = {
  googleProof: { name: '@', type: 'TXT', looks: /^google-site-verification=\S+$/i },
  googleKey: { name: 'google._domainkey', type: 'TXT', looks: /^v=DKIM1;.*\bp=\S+/i },
  microsoftProof: { name: '@', type: 'TXT', looks: /^MS=\S+$/i },
  microsoftKey1: { name: 'selector1._domainkey', type: 'CNAME', looks: /^\S+\._domainkey\.\S+\.\S+$/i },
  microsoftKey2: { name: 'selector2._domainkey', type: 'CNAME', looks: /^\S+\._domainkey\.\S+\.\S+$/i },
}

/** What the provider wants beside its template, and the domain does not have. */
export const stillToCome = (provider: Provider, rows: Row[]): Step[] =>
  STEPS[provider].filter((step) => {
    const { name, type, looks } = PLACES[step]
    const found = rows.find(({ nombre, tipo }) => nombre === name && tipo === type)
    return !(found?.valores ?? []).some((value) => looks.test(plain(value)))
  })

/** A text as its owner copied it: without quotes, and in one piece. */
const plain = (typed: string) => typed.trim().replace(/"\s*"/g, '').replace(/^"|"$/g, '').trim()

export const looksRight = (step: Step, typed: string): boolean => PLACES[step].looks.test(plain(typed))

/** The record set that a pasted value makes; what else is at its name stays. */
export function pasted(step: Step, typed: string, rows: Row[]): Wanted {
  const { name, type } = PLACES[step]
  const found = rows.find(({ nombre, tipo }) => nombre === name && tipo === type)
  if (type === 'CNAME') return set(name, type, `${plain(typed).replace(/\.$/, '')}.`)
  // A string of a TXT record holds 255 bytes (RFC 1035 section 3.3).
  const strings = plain(typed).match(/.{1,255}/g) ?? []
  const kept = name === '@' ? (found?.valores ?? []) : []
  return { ...set(name, type, ...kept, strings.map((one) => `"${one}"`).join(' ')), ttl: found?.ttl ?? TTL }
}

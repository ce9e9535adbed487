import type { Rrset } from '../records/records-data.ts'

/** A record set that a template wants; the others of its zone stay. */
export type Wanted = Pick<Rrset, 'nombre' | 'tipo' | 'ttl' | 'valores'>

export const TEMPLATES = ['google', 'microsoft', 'fastmail', 'other', 'parked'] as const
export type Template = (typeof TEMPLATES)[number]

/** What a template has to be told: the host that its provider shows for this domain. */
export const HOST_ASKED: readonly Template[] = ['microsoft', 'other']

/** The host that Microsoft 365 usually gives a domain. */
export const microsoftHost = (zone: string) => `${zone.replaceAll('.', '-')}.mail.protection.outlook.com`

export const TTL = 3600
export const set = (nombre: string, tipo: string, ...valores: string[]): Wanted => ({
  nombre,
  tipo,
  ttl: TTL,
  valores,
})

/**
 * The record sets of a template, as its provider publishes them (Google Workspace, Microsoft 365, Fastmail); `other` is
 * mail on any other server, `parked` a domain without mail (RFC 7505, RFC 7208, RFC 7489).
 */
const SETS: Record<Template, (zone: string, host: string) => { spf: string; sets: Wanted[] }> = {
  google: () => ({
    spf: 'v=spf1 include:_spf.google.com ~all',
    sets: [set('@', 'MX', '1 smtp.google.com.')],
  }),
  microsoft: (_, host) => ({
    spf: 'v=spf1 include:spf.protection.outlook.com -all',
    sets: [set('@', 'MX', `0 ${absolute(host)}`), set('autodiscover', 'CNAME', 'autodiscover.outlook.com.')],
  }),
  fastmail: (zone) => ({
    spf: 'v=spf1 include:spf.messagingengine.com ?all',
    sets: [
      set('@', 'MX', '10 in1-smtp.messagingengine.com.', '20 in2-smtp.messagingengine.com.'),
      ...['fm1', 'fm2', 'fm3'].map((key) =>
        set(`${key}._domainkey`, 'CNAME', `${key}.${zone}.dkim.fmhosted.com.`),
      ),
    ],
  }),
  other: (_, host) => ({ spf: 'v=spf1 mx ~all', sets: [set('@', 'MX', `10 ${absolute(host)}`)] }),
  parked: () => ({
    spf: 'v=spf1 -all',
    sets: [
      set('@', 'MX', '0 .'),
      set('*._domainkey', 'TXT', '"v=DKIM1; p="'),
      set('_dmarc', 'TXT', '"v=DMARC1; p=reject"'),
    ],
  }),
}

/**
 * What a template puts into a zone, to be merged. The texts of the domain itself that are not SPF stay; a DMARC policy
 * is only proposed where there is none, since it may have been chosen.
 */
export function wantedSets(
  template: Template,
  { zone, host }: { zone: string; host: string },
  rows: Rrset[],
): Wanted[] {
  const { spf, sets } = SETS[template](zone, host)
  const texts = rows.find(({ nombre, tipo }) => nombre === '@' && tipo === 'TXT')
  const others = (texts?.valores ?? []).filter((value) => !isSpf(value))
  const hasPolicy = rows.some(({ nombre, tipo }) => nombre === '_dmarc' && tipo === 'TXT')
  const policy = hasPolicy || template === 'parked' ? [] : [set('_dmarc', 'TXT', '"v=DMARC1; p=none"')]
  const text = { ...set('@', 'TXT', ...others, `"${spf}"`), ttl: texts?.ttl ?? TTL }
  return [...sets, text, ...policy]
}

type Replacement = { nombre: string; begins: string; text: string }

/** The texts at a name with one in place of those that begin so; the others stay. */
export function replacedText(rows: Rrset[], { nombre, begins, text }: Replacement): Wanted {
  const texts = rows.find((row) => row.nombre === nombre && row.tipo === 'TXT')
  const others = (texts?.valores ?? []).filter(
    (value) => !value.replace(/^"/, '').toLowerCase().startsWith(begins.toLowerCase()),
  )
  return { ...set(nombre, 'TXT', ...others, `"${text}"`), ttl: texts?.ttl ?? TTL }
}

/** A TXT value in presentation form whose first string begins as SPF does (RFC 7208 section 4.5). */
const isSpf = (value: string): boolean => /^"?v=spf1(?: |"|$)/i.test(value)

const absolute = (host: string) => `${host.trim().toLowerCase().replace(/\.$/, '')}.`

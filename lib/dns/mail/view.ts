import type { StoredRrset } from '../zones.ts'
import {
  dmarcProblems,
  dmarcProposal,
  isDmarc,
  isSigned,
  spfProblems,
  spfProposal,
  textsAt,
} from './decide-mail.ts'
import type { ZoneMail } from './shapes.ts'
import { isSpf, type SpfCount } from './spf.ts'

/** The one SPF record of a zone; null if there is none or more. */
export function onlySpf(records: StoredRrset[]): string | null {
  const [first = null, ...more] = textsAt(records, '@').filter(isSpf)
  return more.length === 0 ? first : null
}

/** What a zone says of its mail, as it is returned. */
export function zoneMailView(zone: string, records: StoredRrset[], count: SpfCount | null): ZoneMail {
  const spf = textsAt(records, '@').filter(isSpf)
  const dmarc = textsAt(records, '_dmarc').filter(isDmarc)
  const mx = records.find(({ name, type }) => name === '@' && type === 'MX')
  const receives = mx?.values.some((value) => !/^0\s+\.$/.test(value)) ?? false
  return {
    zona: zone,
    recibe: receives,
    spf: {
      registros: spf,
      consultas: count?.lookups ?? 0,
      terminos: (count?.terms ?? []).map(({ text, lookups, answered }) => ({
        termino: text,
        consultas: lookups,
        respondido: answered,
      })),
      // Codes of the very list that the schema has.
      problemas: spfProblems(spf, count) as ZoneMail['spf']['problemas'],
      propuesta: spfProposal(spf, receives),
    },
    dmarc: {
      registros: dmarc,
      problemas: dmarcProblems(dmarc) as ZoneMail['dmarc']['problemas'],
      propuesta: dmarcProposal(dmarc, isSigned(records)),
    },
  }
}

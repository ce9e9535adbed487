import type { DesiredSite, ServiceState } from '../../../lib/endpoint/node-port.ts'
import type { Comparison, Difference, Reality, ZoneComparison } from '../../../lib/endpoint/ports/reality.ts'
import type { Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import type { UserRange } from '../users/users.ts'
import { createComparison } from './compare.ts'

/** Named of each kind at the most; the log has all. */
const NAMED = 10

type Part = Difference['part']
type Language = 'es' | 'en'

const WORDS: Record<Part, Record<Language, string>> = {
  user: { es: 'usuario', en: 'user' },
  folder: { es: 'sin carpeta', en: 'no directory' },
  owner: { es: 'propietario de', en: 'owner of' },
  access: { es: 'lista de acceso de', en: 'access list of' },
  state: { es: 'estado en', en: 'state at' },
  name: { es: 'nombre', en: 'name' },
  certificate: { es: 'certificado de', en: 'certificate of' },
  base: { es: 'sin base de datos', en: 'no database' },
  account: { es: 'cuenta de bases de datos', en: 'account of databases' },
  sftp: { es: 'cuenta SFTP', en: 'SFTP account' },
  settings: { es: 'ajustes en', en: 'settings at' },
  php: { es: 'PHP en', en: 'PHP at' },
}

type Options = { layout: Layout; identity: Identity; users: UserRange; changed?: (() => void) | undefined }

/** Compares what the node holds with the database, and tells what the last comparison found: `changed` is called then. */
export function createReality({
  changed,
  ...parts
}: Options): Reality<DesiredSite> & { states(): ServiceState[] } {
  let last: Comparison | null = null
  let zones: ZoneComparison | null = null
  return {
    ...createComparison(parts),
    tell(comparison) {
      last = comparison
      changed?.()
    },
    tellZones(comparison) {
      zones = comparison
      changed?.()
    },
    states: () => statesOf(last, zones),
  }
}

function statesOf(last: Comparison | null, zones: ZoneComparison | null): ServiceState[] {
  const sentences = (language: Language) => [
    ...(last ? sentence(last.at, phrasesOf(last, language), BEGINNING[language]) : []),
    ...(zones ? sentence(zones.at, named(ZONES, zones, language), ZONES_BEGINNING[language]) : []),
  ]
  const advice = { es: sentences('es').join('. '), en: sentences('en').join('. ') }
  if (advice.es === '') return []
  return [{ name: 'diferencias', running: last === null || last.left.length === 0, version: null, advice }]
}

const sentence = (at: Date, phrases: string[], beginning: string): string[] =>
  phrases.length === 0 ? [] : [`${beginning} (${at.toISOString()}): ${phrases.join('; ')}`]

const phrasesOf = (last: Comparison, language: Language): string[] => [
  ...tell(last.repaired, language, REPAIRED[language]),
  ...tell(last.left, language, LEFT[language]),
  ...named(NOBODYS, last, language),
]

/** What of these kinds there is, in words. */
function named<W extends string>(
  kinds: readonly { what: W; words: Record<Language, string> }[],
  found: Record<W, string[]>,
  language: Language,
): string[] {
  return kinds.flatMap(({ what, words }) =>
    found[what].length === 0 ? [] : [`${words[language]}: ${shortened(found[what], language)}`],
  )
}

const BEGINNING = { es: 'Al comparar con la base de datos', en: 'Compared with the database' }
const ZONES_BEGINNING = { es: 'Al comparar las zonas', en: 'Zones compared' }

const REPAIRED = { es: 'se reparó', en: 'repaired' }
const LEFT = {
  es: 'faltan archivos o bases, recupérelos de una copia',
  en: 'files or databases are missing, restore them from a backup',
}
const NOBODYS = [
  {
    what: 'dropped',
    words: {
      es: 'ya no se sirve, por no ser de ningún sitio',
      en: 'not served any more, as no site has it',
    },
  },
  {
    what: 'databases',
    words: {
      es: 'en la papelera, por no ser bases de datos de nadie',
      en: 'in the bin, as databases of nobody',
    },
  },
  {
    what: 'aside',
    words: {
      es: 'bases cerradas y guardadas, por ser de clientes que la base de datos del panel no conoce; restaure una copia posterior, o borre o mueva los directorios de esos clientes',
      en: "databases closed and kept, as of clients that the panel's database does not know; restore a later backup, or delete or move those clients' directories",
    },
  },
  {
    what: 'accounts',
    words: { es: 'terminadas, por no ser cuentas de nadie', en: 'ended, as accounts of nobody' },
  },
  { what: 'pages', words: { es: 'páginas puestas de nuevo', en: 'pages put in place again' } },
] as const

const ZONES = [
  { what: 'repaired', words: { es: 'publicadas de nuevo', en: 'published anew' } },
  {
    what: 'removed',
    words: { es: 'retiradas, por no ser de nadie', en: 'removed, as zones of nobody' },
  },
  {
    what: 'foreign',
    words: { es: 'ajenas al panel, que las deja como están', en: 'not made by the panel, which leaves them' },
  },
] as const

function tell(found: Comparison['left'], language: Language, what: string): string[] {
  return found.length === 0 ? [] : [`${what}: ${clientsTold(found, language)}`]
}

/** What differs of a client, ten things at the most. */
export const differencesTold = (differences: Difference[], language: Language): string =>
  shortened(
    differences.map(({ part, where }) => `${WORDS[part][language]} ${where}`),
    language,
  )

/** Clients with what differs of them, ten of each at the most. */
function clientsTold(found: Comparison['left'], language: Language): string {
  const clients = found.map(
    ({ client, differences }) => `${client} (${differencesTold(differences, language)})`,
  )
  return shortened(clients, language)
}

function shortened(all: string[], language: Language): string {
  const more = all.length - NAMED
  const rest = more > 0 ? [language === 'es' ? `y ${more} más` : `and ${more} more`] : []
  return [...all.slice(0, NAMED), ...rest].join(', ')
}

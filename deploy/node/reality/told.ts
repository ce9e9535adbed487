import type { DesiredSite, ServiceState } from '../../../lib/endpoint/node-port.ts'
import type { Comparison, Difference, Reality } from '../../../lib/endpoint/ports/reality.ts'
import type { Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import type { UserRange } from '../users/users.ts'
import { createComparison } from './compare.ts'

/** Named of each kind at the most; the log has all. */
const NAMED = 10

type Part = Difference['part']

const WORDS: Record<Part, { es: string; en: string }> = {
  user: { es: 'usuario', en: 'user' },
  folder: { es: 'sin carpeta', en: 'no directory' },
  owner: { es: 'propietario de', en: 'owner of' },
  access: { es: 'lista de acceso de', en: 'access list of' },
  state: { es: 'estado en', en: 'state at' },
  name: { es: 'nombre', en: 'name' },
  certificate: { es: 'certificado de', en: 'certificate of' },
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
  return {
    ...createComparison(parts),
    tell(comparison) {
      last = comparison
      changed?.()
    },
    states: () => (last === null || isClean(last) ? [] : [stateOf(last)]),
  }
}

const isClean = ({ repaired, left, dropped }: Comparison) =>
  repaired.length + left.length + dropped.length === 0

function stateOf({ at, repaired, left, dropped }: Comparison): ServiceState {
  const when = at.toISOString()
  const phrases = (language: 'es' | 'en') => [
    ...tell(repaired, language, REPAIRED[language]),
    ...tell(left, language, LEFT[language]),
    ...(dropped.length === 0 ? [] : [`${DROPPED[language]}: ${shortened(dropped, language)}`]),
  ]
  return {
    name: 'diferencias',
    running: left.length === 0,
    version: null,
    advice: {
      es: `Al comparar con la base de datos (${when}): ${phrases('es').join('; ')}`,
      en: `Compared with the database (${when}): ${phrases('en').join('; ')}`,
    },
  }
}

const REPAIRED = { es: 'se reparó', en: 'repaired' }
const LEFT = {
  es: 'faltan archivos, recupérelos de una copia',
  en: 'files are missing, restore them from a backup',
}
const DROPPED = {
  es: 'ya no se sirve, por no ser de ningún sitio',
  en: 'not served any more, as no site has it',
}

function tell(found: Comparison['left'], language: 'es' | 'en', what: string): string[] {
  if (found.length === 0) return []
  const clients = found.map(({ client, differences }) => {
    const parts = differences.map(({ part, where }) => `${WORDS[part][language]} ${where}`)
    return `${client} (${shortened(parts, language)})`
  })
  return [`${what}: ${shortened(clients, language)}`]
}

function shortened(all: string[], language: 'es' | 'en'): string {
  const more = all.length - NAMED
  const rest = more > 0 ? [language === 'es' ? `y ${more} más` : `and ${more} more`] : []
  return [...all.slice(0, NAMED), ...rest].join(', ')
}

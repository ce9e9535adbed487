import { servedTypes } from '../../../../lib/dns/rdata.ts'
import { canonicalRrset, clashes, RRsetError } from '../../../../lib/dns/rrset.ts'
import { language } from '../../../text/language.ts'
import { type Rrset, ttlOf } from './records-data.ts'

/** The TTL that a new record set begins with. */
export const USUAL_TTL = '3600'

/** A record set as it is being typed. */
export type Draft = { nombre: string; tipo: string; ttl: string; valores: string[] }

export type Checked = {
  /** By wire field: `nombre`, `ttl`, `valores`, `valores.0`. */
  errors: Record<string, string>
  /** Values as the name servers will answer them; null while something is wrong. */
  served: string[] | null
  /** The owner name as it will be stored. */
  nombre: string | null
}

/**
 * Checks a draft by the server's own rules of records, which are pure functions, so that typing is
 * answered without a request. What only the server knows (other zones) it says itself with 422.
 */
export function checkDraft(zona: string, draft: Draft, others: Rrset[]): Checked {
  const errors: Record<string, string> = {}
  const base = { name: draft.nombre.trim() || '@', type: draft.tipo, ttl: ttlOf(draft) }
  const filled = draft.valores.map((value) => value.trim() !== '')
  for (const [at, value] of draft.valores.entries()) {
    if (!filled[at]) continue
    attempt(errors, at, () => canonicalRrset(zona, { ...base, values: [value] }))
  }
  if (Object.keys(errors).length > 0 || !filled.includes(true)) return { errors, served: null, nombre: null }
  const values = draft.valores.filter((_, at) => filled[at])
  const rrset = attempt(errors, null, () => canonicalRrset(zona, { ...base, values }))
  if (!rrset) return { errors, served: null, nombre: null }
  const rest = others
    .filter((one) => one.nombre !== rrset.name || one.tipo !== rrset.type)
    .map(({ nombre, tipo, ttl, valores }) => ({ name: nombre, type: tipo, ttl, values: valores }))
  const [clash] = clashes(zona, [...rest, rrset])
  if (clash) errors[clash.error.campo] = clash.error.mensaje[language.get()]
  return { errors, served: rrset.values, nombre: rrset.name }
}

/** A set that is there with what is typed beside it, as it is sent and checked. */
export type Joined = { valores: string[]; ttl: number; checked: Checked }

/**
 * Adding keeps what is there: a PUT replaces a set, so those go with it. A TTL that was not touched is theirs. What is
 * wrong only together, such as a second CNAME, is told at the values.
 */
export function joined(
  zona: string,
  { there, typed, checked }: { there: Rrset | null; typed: Draft; checked: Checked },
  rows: Rrset[],
): Joined {
  const own = typed.valores.filter((value) => value.trim() !== '')
  if (!there || own.length === 0) return { valores: own, ttl: ttlOf(typed), checked }
  const valores = [...there.valores, ...own.filter((value) => !there.valores.includes(value))]
  const ttl = typed.ttl === USUAL_TTL ? there.ttl : ttlOf(typed)
  if (Object.keys(checked.errors).length > 0) return { valores, ttl, checked }
  const whole = checkDraft(zona, { ...typed, ttl: String(ttl), valores }, rows)
  const [fault] = Object.values(whole.errors)
  return { valores, ttl, checked: fault ? { ...whole, errors: { valores: fault } } : whole }
}

function attempt<T>(errors: Record<string, string>, at: number | null, run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RRsetError)) throw error
    const campo = at !== null && error.campo.startsWith('valores') ? `valores.${at}` : error.campo
    errors[campo] ??= error.mensaje[language.get()]
    return null
  }
}

/** The common types first, then the others that a zone may hold. */
export function typeChoices(): string[] {
  const first = ['A', 'AAAA', 'CNAME', 'MX', 'TXT']
  return [...first, ...servedTypes().filter((type) => !first.includes(type))]
}

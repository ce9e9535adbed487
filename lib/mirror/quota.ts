/** What is known of the zone quota of an account; nulls are unknown. */
export type QuotaFacts = {
  used: number | null
  /** Read from the account, typed by the admin, met as a refusal. */
  apiLimit: number | null
  adminLimit: number | null
  learnedLimit: number | null
}

export type QuotaLevel = 'desconocido' | 'bien' | 'aviso' | 'critico' | 'lleno'
type QuotaSource = 'api' | 'admin' | 'aprendida'

export type Quota = {
  used: number | null
  limit: number | null
  source: QuotaSource | null
  level: QuotaLevel
}

/**
 * The effective limit: the one that the provider's API reports, otherwise the lower of the admin's figure and the one
 * learned from a refusal, since a refusal proves that a higher figure is wrong.
 */
export function quotaOf({ used, apiLimit, adminLimit, learnedLimit }: QuotaFacts): Quota {
  const of = (limit: number | null, source: QuotaSource | null): Quota => {
    return { used, limit, source, level: levelOf(used, limit) }
  }
  if (apiLimit !== null) return of(apiLimit, 'api')
  if (learnedLimit !== null && learnedLimit < (adminLimit ?? Number.POSITIVE_INFINITY)) {
    return of(learnedLimit, 'aprendida')
  }
  return of(adminLimit, adminLimit === null ? null : 'admin')
}

/** Warnings at 80% and 95% (architecture 6.6). */
export function levelOf(used: number | null, limit: number | null): QuotaLevel {
  if (used === null || limit === null) return 'desconocido'
  if (used >= limit) return 'lleno'
  if (used >= limit * 0.95) return 'critico'
  return used >= limit * 0.8 ? 'aviso' : 'bien'
}

/** The highest share, in percent, that a level warns about; 0 for none. */
export function warningOf(level: QuotaLevel): 0 | 80 | 95 {
  if (level === 'critico' || level === 'lleno') return 95
  return level === 'aviso' ? 80 : 0
}

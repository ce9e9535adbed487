import { bytesIn, countIn } from '../text/amounts.ts'
import type { Words } from '../text/words.ts'
import type { WarnedResource } from './warnings.ts'

/** The measured resources in words. */
export const RESOURCE_NAMES: Record<WarnedResource, Words> = {
  disco_bytes: { es: 'disco', en: 'disk space' },
  inodos: { es: 'archivos', en: 'files' },
  trafico_bytes: { es: 'tráfico', en: 'traffic' },
}

/** An amount of a resource in words. */
export const amount = (value: number, resource: WarnedResource, language: 'es' | 'en'): string =>
  resource === 'inodos' ? countIn(value, language) : bytesIn(value, language)

import type { Words } from '../words.ts'
import type { WarnedResource } from './warnings.ts'

/** How a person reads the measured resources. */
export const RESOURCE_NAMES: Record<WarnedResource, Words> = {
  disco_bytes: { es: 'disco', en: 'disk space' },
  inodos: { es: 'ficheros', en: 'files' },
  trafico_bytes: { es: 'tráfico', en: 'traffic' },
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** An amount of a resource as a person reads it: `1,5 GiB`, `12.000`. */
export function amount(value: number, resource: WarnedResource, language: 'es' | 'en'): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  if (resource === 'inodos') return format.format(value)
  const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10))
  return `${format.format(value / 1024 ** power)} ${UNITS[power]}`
}

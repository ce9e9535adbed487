import type { ItemOf } from '../../api/operations.ts'
import { bytesText, countText, type Reading, readBytes, readCount, readPercent } from '../../text/quantity.ts'
import { RESOURCES, type Resource } from '../../ui/meter.tsx'
import { texts } from './texts.ts'

export type Plan = ItemOf<'GET /api/planes'>

/** A limit as it is typed. Having none is a choice of its own: an empty field says nothing. */
export type Limit = { text: string; unlimited: boolean }
export type Limits = Record<Resource, Limit>

export const ofBytes = (resource: Resource): boolean => resource.endsWith('_bytes')

/** The limits of a plan as its form begins with them; a new plan's are all still to be said. */
export function limitsOf(plan: Plan | null): Limits {
  return byResource((resource) => {
    const value = plan?.[resource] ?? null
    if (value === null) return { text: '', unlimited: plan !== null }
    return { text: ofBytes(resource) ? bytesText(value) : countText(value), unlimited: false }
  })
}

/** Whether nothing is said of some limit. */
export const isUnsaid = (limits: Limits): boolean => Object.values(limits).some(isEmpty)

/** The same, without a limit where nothing was typed. */
export const restUnlimited = (limits: Limits): Limits =>
  byResource((resource) => (isEmpty(limits[resource]) ? { text: '', unlimited: true } : limits[resource]))

const isEmpty = ({ text, unlimited }: Limit) => !unlimited && text.trim() === ''

/** The value of a limit (null is without one), or what is wrong with what was typed. */
export function readLimit(resource: Resource, { text, unlimited }: Limit): Reading | { value: null } {
  if (unlimited) return { value: null }
  if (text.trim() === '') {
    return { problem: texts.limitMissing }
  }
  if (ofBytes(resource)) return readBytes(text)
  return resource === 'cpu_porcentaje' ? readPercent(text) : readCount(text)
}

/** All limits as the API takes them; null while one of them cannot be read. */
export function valuesOf(limits: Limits): Record<Resource, number | null> | null {
  const readings = byResource((resource) => readLimit(resource, limits[resource]))
  if (Object.values(readings).some((reading) => 'problem' in reading)) return null
  return byResource((resource) => {
    const reading = readings[resource]
    return 'value' in reading ? reading.value : null
  })
}

const byResource = <T>(value: (resource: Resource) => T): Record<Resource, T> =>
  Object.fromEntries(RESOURCES.map((resource) => [resource, value(resource)])) as Record<Resource, T> // one each

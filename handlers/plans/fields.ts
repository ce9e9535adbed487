import * as v from 'valibot'
import { count, plan } from '../../lib/fields.ts'
import { FUNCTIONS, planFunction } from '../../lib/shapes.ts'

const limit = v.optional(v.nullable(count))

/** What a plan can be made of; a limit that is `null` or left out is unlimited. */
export const planFields = {
  disco_bytes: limit,
  inodos: limit,
  trafico_bytes: limit,
  sitios: limit,
  aliases: limit,
  zonas: limit,
  funciones: v.optional(v.pipe(v.array(planFunction), v.maxLength(FUNCTIONS.length, 'demasiados'))),
}

export const planParams = v.strictObject({ plan })

type PlanFields = v.InferOutput<ReturnType<typeof planObject>>
const planObject = () => v.strictObject(planFields)

/** The wire names of a plan's fields as columns, those given only. */
export function planColumns(body: PlanFields) {
  const columns = {
    diskBytes: body.disco_bytes,
    inodes: body.inodos,
    trafficBytes: body.trafico_bytes,
    sites: body.sitios,
    aliases: body.aliases,
    zones: body.zonas,
  }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const functions = body.funciones === undefined ? {} : { functions: [...new Set<string>(body.funciones)] }
  return {
    ...(Object.fromEntries(given) as Partial<Record<keyof typeof columns, number | null>>),
    ...functions,
  }
}

import * as v from 'valibot'
import { plan, told } from '../../lib/fields.ts'
import { FUNCTIONS, limitsShape, planFunction } from '../../lib/shapes.ts'

const { disco_bytes, inodos, trafico_bytes, sitios, aliases, zonas } = limitsShape.entries
const limitFields = {
  disco_bytes: v.optional(disco_bytes),
  inodos: v.optional(inodos),
  trafico_bytes: v.optional(trafico_bytes),
  sitios: v.optional(sitios),
  aliases: v.optional(aliases),
  zonas: v.optional(zonas),
}

/** What a plan can be made of; a limit that is `null` or left out is unlimited. */
export const planFields = {
  ...limitFields,
  funciones: v.optional(
    told(
      v.pipe(v.array(planFunction), v.maxLength(FUNCTIONS.length, 'demasiados')),
      'The functions that it includes; left out, all of them.',
      ['php', 'https'],
    ),
  ),
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

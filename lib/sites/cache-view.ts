import * as v from 'valibot'
import type { SiteCache } from '../../schema/clients.ts'
import { named, told } from '../endpoint/fields.ts'

/** Longest list of parameters, with commas: it becomes part of a file's name on the node. */
const PARAMETERS_LENGTH_MAX = 160

const seconds = told(
  v.nullable(
    v.pipe(
      v.number(),
      v.integer('segundos_invalidos'),
      v.minValue(1, 'segundos_invalidos'),
      v.maxValue(86_400, 'segundos_invalidos'),
    ),
  ),
  'For how many seconds a page of a program is kept where the program says nothing of it, at most; nodes round some down. null keeps no pages.',
  60,
)
const parameters = told(
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,32}$/, 'parametro_invalido'))),
    v.maxLength(20),
    v.check((list) => list.join().length <= PARAMETERS_LENGTH_MAX, 'demasiados_parametros'),
  ),
  'The parameters of a query that a kept page may differ by. An address with any other goes past the cache.',
  ['pagina'],
)
const files = told(
  v.boolean(),
  'Whether browsers are told to keep pictures, styles, scripts, fonts, sound and film for 30 days: for sites that give a changed file another name.',
  false,
)

export const cacheShape = named(
  'Cache',
  'What is kept for a while instead of being made or sent anew.',
  v.strictObject({ segundos: seconds, parametros: parameters, estaticos: files }),
)

/** The cache's settings as they are sent; what is left out is not cached. */
export const cacheInput = told(
  v.nullable(
    v.strictObject({
      segundos: v.optional(seconds, null),
      parametros: v.optional(parameters, []),
      estaticos: v.optional(files, false),
    }),
  ),
  'The page cache; null switches it off. It is set as a whole.',
  { segundos: 60, parametros: ['pagina'], estaticos: true },
)

type View = v.InferOutput<typeof cacheShape>

export function cacheView(cache: SiteCache | null): View | null {
  if (cache === null) return null
  return { segundos: cache.seconds, parametros: cache.parameters, estaticos: cache.files }
}

/** The settings as they are stored; null if they cache nothing. */
export function cacheRow(sent: View | null): SiteCache | null {
  if (sent === null || (sent.segundos === null && !sent.estaticos)) return null
  return { seconds: sent.segundos, parameters: [...new Set(sent.parametros)], files: sent.estaticos }
}

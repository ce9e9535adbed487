import * as v from 'valibot'
import type { SiteCache } from '../../schema/clients.ts'
import { FILE_CLASSES } from '../../schema/states.ts'
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

export const YEAR_SECONDS = 31_536_000
const kept = v.strictObject({
  segundos: told(
    v.pipe(
      v.number(),
      v.integer('segundos_de_archivo_invalidos'),
      v.minValue(0, 'segundos_de_archivo_invalidos'),
      v.maxValue(YEAR_SECONDS, 'segundos_de_archivo_invalidos'),
    ),
    'For how many seconds, up to a year; with 0 browsers ask each time whether it has changed.',
    604_800,
  ),
  inmutable: v.optional(
    told(
      v.boolean(),
      'Whether it is not even asked for when a visitor reloads: for names that never get other content.',
      false,
    ),
    false,
  ),
})
const keptFor = (what: string) => v.optional(v.pipe(kept, v.description(what)))

/** The classes of files on the wire, by what the rest of the code calls them. */
const CLASS_NAMES = {
  image: 'imagenes',
  font: 'fuentes',
  style: 'estilos',
  media: 'medios',
  document: 'documentos',
  html: 'html',
} as const satisfies Record<(typeof FILE_CLASSES)[number], string>

const classes = told(
  v.strictObject({
    imagenes: keptFor('Pictures and icons.'),
    fuentes: keptFor('Fonts.'),
    estilos: keptFor('Style sheets, scripts and WebAssembly.'),
    medios: keptFor('Sound and film.'),
    documentos: keptFor('PDF, office documents, e-books and plain text.'),
    html: keptFor('Pages that are files; what programs answer says that itself.'),
  }),
  'How long browsers keep files of a class, whatever `estaticos` says. What is left out follows `estaticos`.',
  { imagenes: { segundos: 604_800, inmutable: false } },
)

export const cacheShape = named(
  'Cache',
  'What is kept for a while instead of being made or sent anew.',
  v.strictObject({ segundos: seconds, parametros: parameters, estaticos: files, tipos: classes }),
)

/** The cache's settings as they are sent; what is left out is not cached. */
export const cacheInput = told(
  v.nullable(
    v.strictObject({
      segundos: v.optional(seconds, null),
      parametros: v.optional(parameters, []),
      estaticos: v.optional(files, false),
      tipos: v.optional(classes, {}),
    }),
  ),
  'The page cache; null switches it off. It is set as a whole.',
  { segundos: 60, parametros: ['pagina'], estaticos: true },
)

type View = v.InferOutput<typeof cacheShape>

export function cacheView(cache: SiteCache | null): View | null {
  if (cache === null) return null
  const { seconds, parameters, files, classes = {} } = cache
  const known = FILE_CLASSES.flatMap((one) => {
    const kept = classes[one]
    return kept ? [[CLASS_NAMES[one], { segundos: kept.seconds, inmutable: kept.immutable }]] : []
  })
  return { segundos: seconds, parametros: parameters, estaticos: files, tipos: Object.fromEntries(known) }
}

/** The settings as they are stored; null if they cache nothing. */
export function cacheRow(sent: View | null): SiteCache | null {
  if (sent === null) return null
  const { segundos: seconds, parametros, estaticos: files, tipos } = sent
  const known = FILE_CLASSES.flatMap((one) => {
    const kept = tipos[CLASS_NAMES[one]]
    return kept ? [[one, { seconds: kept.segundos, immutable: kept.inmutable }]] : []
  })
  if (seconds === null && !files && known.length === 0) return null
  const row = { seconds, parameters: [...new Set(parametros)], files }
  return known.length === 0 ? row : { ...row, classes: Object.fromEntries(known) }
}

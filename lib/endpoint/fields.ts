import * as v from 'valibot'
import { EMAIL_PATTERN, emailAddress } from '../text/email-address.ts'
import { CLIENT_PATTERN, clientName, HOST_PATTERN, hostName } from '../text/host-names.ts'

/** Wire types shared by all handlers (docs/api.md, "Names"). Each message is a field code. */

/**
 * Adds to a schema what the OpenAPI document cannot derive from it: a description, a real example and, if the schema
 * is code, its JSON Schema. Wrap the schema before any transformation, since the document shows what is sent.
 */
export const told = <T extends v.GenericSchema>(
  schema: T,
  description: string,
  example?: v.InferInput<T>,
  more: Record<string, unknown> = {},
) =>
  v.pipe(
    schema,
    v.metadata({ description, ...(example === undefined ? {} : { examples: [example] }), ...more }),
  )

/** Makes a schema a named component of the OpenAPI document, referred to wherever it is used. */
export const named = <T extends v.GenericSchema>(title: string, description: string, schema: T) =>
  v.pipe(schema, v.title(title), v.description(description))

/** Control characters, line ends, and those that turn round what follows them (Unicode TR36). */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** A string with a canonical form: `parse` returns that form or null, and `code` is the field code of a refusal. */
function canonical(
  parse: (input: string) => string | null,
  code: string,
  shown: { description: string; examples: string[]; pattern?: string; format?: string; maxLength: number },
  longest = 2000,
) {
  return v.pipe(
    v.string(),
    v.maxLength(longest, code),
    v.metadata(shown),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value)
      if (value !== null) return value
      addIssue({ message: code })
      return NEVER
    }),
  )
}

export const cliente = canonical(clientName, 'cliente_invalido', {
  description: 'The name of a client, its key. Upper case is taken as lower case.',
  examples: ['acme'],
  pattern: CLIENT_PATTERN,
  maxLength: 63,
})
export const domain = canonical(hostName, 'dominio_invalido', {
  description:
    'A host name of at least two labels, in A-labels or Unicode; it is kept in lower-case A-labels.',
  examples: ['ejemplo.es'],
  pattern: HOST_PATTERN,
  maxLength: 254,
})
export const correo = canonical(
  emailAddress,
  'correo_invalido',
  {
    description: 'One e-mail address without comments, quotes or lists.',
    examples: ['ana@ejemplo.es'],
    pattern: EMAIL_PATTERN,
    maxLength: 254,
  },
  1000,
)
export const referencia = told(
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'referencia_invalida')),
  "The client's key in a system of yours, such as a billing system; one client has it.",
  'whmcs-5f2c9a01:41',
)
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'demasiado_corto'),
    v.maxLength(max, 'demasiado_largo'),
    v.check((value) => !CONTROL.test(value) && value.isWellFormed(), 'caracteres_no_admitidos'),
    v.metadata({ pattern: `^[^${CONTROL.source.slice(1, -1)}]*$` }),
  )

/** The same but for the end of a line. */
const CONTROL_IN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
/** A text of several lines. */
export const lines = (max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => value.trim() !== '', 'demasiado_corto'),
    v.maxLength(max, 'demasiado_largo'),
    v.check((value) => !CONTROL_IN_LINES.test(value) && value.isWellFormed(), 'caracteres_no_admitidos'),
  )
export const nombre = told(text(200), 'The name for people, without control characters.', 'Acme SL')
export const motivo = told(
  text(200),
  'Why, for people; the customer reads it too.',
  'Invoice 2026-118 is unpaid',
)
/** Not `.` or `..`: no URL keeps these as a segment, however they are escaped, so no path could name such a plan. */
export const plan = told(
  v.pipe(
    text(64),
    v.check((value) => !/[<>&"'`]|^\.{1,2}$/.test(value), 'caracteres_no_admitidos'),
  ),
  'The exact name of a plan.',
  'basico',
  { pattern: `^(?!\\.{1,2}$)[^${CONTROL.source.slice(1, -1)}<>&"'\`]+$` },
)
export const idioma = told(
  v.picklist(['es', 'en'], 'idioma_invalido'),
  'The language of mails to this person.',
  'es',
)
/** A country by its two letters, as the platform's own tables know it. */
const isRegion = (code: string) =>
  new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) !== undefined
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
export const region = told(
  v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'region_invalida'), v.check(isRegion, 'region_invalida')),
  'The country whose dates and numbers the screens show, by its ISO 3166 letters.',
  'ES',
)
export const zonaHoraria = told(
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){0,2}$/, 'zona_horaria_invalida'),
    v.check(isTimeZone, 'zona_horaria_invalida'),
  ),
  'The time zone of the screens, by its name in the IANA database.',
  'Europe/Madrid',
)
export const nodo = told(
  v.pipe(v.string(), v.regex(/^[a-z0-9](?:[a-z0-9.-]{0,62})$/, 'nodo_invalido')),
  'The name of a node, one machine of the panel. On a node it may be left out; a function host needs it.',
  'nodo1',
)
export const contrasena = told(
  v.pipe(v.string(), v.maxLength(1000, 'demasiado_largo')),
  "The caller's own password.",
  'correct horse battery staple',
)
/** `passwordProblem` checks it and has a code for each refusal (docs/api.md, "Signing in"). */
export const newPassword = told(
  v.pipe(v.string(), v.maxLength(1000, 'demasiado_largo')),
  'The new password, not one of the common ones.',
  'correct horse battery staple',
  { minLength: 12, maxLength: 128 },
)
export const enlace = told(
  v.pipe(v.string(), v.maxLength(1000, 'demasiado_largo')),
  'What stands after `#` in a one-time link.',
  'aUm3x1Fq',
)
export const stepToken = told(
  v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(64, 'demasiado_largo')),
  '`paso_token` of the step before.',
  'Zm9vYmFy',
)
export const codigo = told(
  v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(64, 'demasiado_largo')),
  'Six digits of the second factor, or a recovery code.',
  '123456',
)
/** An id that the panel assigned. */
export const id = told(
  v.pipe(v.string(), v.maxLength(64, 'demasiado_largo')),
  'The id, as the listing tells it.',
  'tok_01JD8Z3K9Q',
)
export const count = v.pipe(
  v.number('numero_invalido'),
  v.safeInteger('numero_invalido'),
  v.minValue(0, 'numero_invalido'),
)
/** A date that exists: the pattern alone accepts 31 February. */
export const date = v.pipe(
  v.string(),
  v.isoDate('fecha_invalida'),
  v.check((value) => {
    const day = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
  }, 'fecha_invalida'),
)
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
/** A day, or a moment in any zone (RFC 3339). */
export const dayOrMoment = v.pipe(
  v.string(),
  v.check(
    (value) => v.is(date, value) || (MOMENT.test(value) && !Number.isNaN(new Date(value).getTime())),
    'fecha_invalida',
  ),
)
export const timestamp = v.pipe(v.string(), v.isoTimestamp())
export const si = told(
  v.picklist(['si', 'no'], 'valor_no_admitido'),
  '`si` changes nothing and tells what would happen.',
  'no',
)
export const aliases = told(
  v.pipe(v.array(domain, 'tipo_incorrecto'), v.maxLength(1000, 'demasiados')),
  'Further names of the site.',
  ['www.ejemplo.es'],
)

/** Query of every listing: cursor and page size (docs/api.md, "Pages"). */
export const pageQuery = {
  desde: v.optional(told(text(300), 'Where the page begins: `siguiente` of the page before.')),
  limite: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,100}$/, 'limite_invalido'),
      v.metadata({
        description: 'How many at most; more than 200 is served as 200.',
        examples: [50],
        type: 'integer',
        minimum: 1,
        maximum: 200,
        pattern: undefined,
      }),
      v.transform(Number),
      v.minValue(1, 'limite_invalido'),
      v.transform((value) => Math.min(value, 200)),
    ),
    '50',
  ),
}

/** What a listing can be ordered by, beside its key; each of them downwards too. */
export const orden = <const T extends string>(...columns: T[]) =>
  v.optional(
    told(
      v.picklist(columns.flatMap((column) => [column, `-${column}` as const])),
      'The order; `-` turns it. `desde` goes on in the order that it was given for.',
      columns.at(-1),
    ),
  )

/** The query of a listing that can be ordered and counted. Such a cursor holds the value that it is ordered by. */
export const orderedQuery = {
  ...pageQuery,
  desde: v.optional(told(text(1500), 'Where the page begins: `siguiente` of the page before.')),
  contar: v.optional(
    told(v.picklist(['si']), 'Also counts all that the filters leave, over all pages.', 'si'),
  ),
}

/** The shape of one page of a listing; the item's schema has to be `named`. */
export const page = <T extends v.GenericSchema>(item: T) =>
  named(
    `Pagina${v.getTitle(item)}`,
    'One page of a listing.',
    v.strictObject({
      datos: told(v.array(item), 'The items of this page, in the order of their keys.'),
      siguiente: told(v.nullable(v.string()), '`desde` of the next page; null on the last one.', null),
    }),
  )

/** The same of a listing that counts: with `contar=si`. */
export const countedPage = <T extends v.GenericSchema>(item: T) =>
  named(
    `Pagina${v.getTitle(item)}`,
    'One page of a listing.',
    v.strictObject({
      datos: told(v.array(item), 'The items of this page, in the order that was asked for.'),
      siguiente: told(v.nullable(v.string()), '`desde` of the next page; null on the last one.', null),
      total: v.optional(told(count, 'How many there are in all, if that was asked for.', 1)),
    }),
  )

export const empty = v.strictObject({})

import * as v from 'valibot'
import { emailAddress } from './email.ts'
import { clientName, hostName } from './names.ts'

/** Wire types shared by all handlers (contract section 3, "Names"). Each message is a field code. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** A canonicalising string: `parse` gives the stored form or null, `code` names the refusal. */
function canonical(parse: (input: string) => string | null, code: string, maxLength = 2000) {
  return v.pipe(
    v.string(),
    v.maxLength(maxLength, code),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value)
      if (value !== null) return value
      addIssue({ message: code })
      return NEVER
    }),
  )
}

export const cliente = canonical(clientName, 'cliente_invalido')
export const domain = canonical(hostName, 'dominio_invalido')
export const correo = canonical(emailAddress, 'correo_invalido', 1000)
export const referencia = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'referencia_invalida'),
)
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'demasiado_corto'),
    v.maxLength(max, 'demasiado_largo'),
    v.check((value) => !CONTROL.test(value) && value.isWellFormed(), 'caracteres_no_admitidos'),
  )
export const nombre = text(200)
export const motivo = text(200)
/** Not `.` or `..`, which no URL keeps as a segment, however they are escaped: no path could name the plan. */
export const plan = v.pipe(
  text(64),
  v.check((value) => !/[<>&"'`]|^\.{1,2}$/.test(value), 'caracteres_no_admitidos'),
)
export const idioma = v.picklist(['es', 'en'], 'idioma_invalido')
export const nodo = v.pipe(v.string(), v.regex(/^[a-z0-9](?:[a-z0-9.-]{0,62})$/, 'nodo_invalido'))
export const contrasena = v.pipe(v.string(), v.maxLength(1000, 'demasiado_largo'))
export const codigo = v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(64, 'demasiado_largo'))
export const count = v.pipe(
  v.number('numero_invalido'),
  v.safeInteger('numero_invalido'),
  v.minValue(0, 'numero_invalido'),
)
/** A day that the calendar has: the pattern alone lets 31 February pass. */
export const date = v.pipe(
  v.string(),
  v.isoDate('fecha_invalida'),
  v.check((value) => {
    const day = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
  }, 'fecha_invalida'),
)
export const timestamp = v.pipe(v.string(), v.isoTimestamp())
export const si = v.picklist(['si', 'no'], 'valor_no_admitido')
export const aliases = v.pipe(v.array(domain, 'tipo_incorrecto'), v.maxLength(1000, 'demasiados'))

/** Query of every listing: cursor and page size (contract section 1, "Pages"). */
export const pageQuery = {
  desde: v.optional(text(300)),
  limite: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,100}$/, 'limite_invalido'),
      v.transform(Number),
      v.minValue(1, 'limite_invalido'),
      v.transform((value) => Math.min(value, 200)),
    ),
    '50',
  ),
}

/** A page of items. */
export const page = <T extends v.GenericSchema>(item: T) =>
  v.strictObject({ datos: v.array(item), siguiente: v.nullable(v.string()) })

export const empty = v.strictObject({})

import * as v from 'valibot'
import type { SitePhp } from '../../schema/clients.ts'
import { AppError } from '../endpoint/errors.ts'
import { named, told } from '../endpoint/fields.ts'
import type { Plan } from '../plans/decide.ts'
import { FIELD_MESSAGES, OTHERWISE } from '../text/field-codes.ts'
import type { Language } from './decide-names.ts'

/** The limits of a site's PHP, as they are sent and shown, within the node's bounds. */

const MIB = 1024 ** 2
/** What PHP has where a site says nothing; the pool of `deploy/node/php/config.ts` says the same. */
export const ORDINARY_PHP: SitePhp = {
  memoryBytes: 256 * MIB,
  uploadBytes: 64 * MIB,
  seconds: 60,
  inputVariables: 1000,
  showErrors: false,
}

/** What a site may set. */
export const PHP_BOUNDS = {
  memoryBytes: { least: 16 * MIB, most: 1024 * MIB },
  uploadBytes: { least: MIB, most: 128 * MIB },
  seconds: { least: 1, most: 120 },
  inputVariables: { least: 100, most: 20_000 },
}

const whole = ({ least, most }: { least: number; most: number }, code: string) =>
  v.pipe(v.number(), v.integer(code), v.minValue(least, code), v.maxValue(most, code))

const memory = told(
  whole(PHP_BOUNDS.memoryBytes, 'memoria_de_php_invalida'),
  "The memory of one request in bytes, from 16 MiB to 1 GiB and at most the plan's `memoria_bytes`.",
  268_435_456,
)
const upload = told(
  whole(PHP_BOUNDS.uploadBytes, 'subida_de_php_invalida'),
  'The largest request body in bytes, with the files in it, from 1 to 128 MiB. A form without files has 64 MiB at most.',
  67_108_864,
)
const seconds = told(
  whole(PHP_BOUNDS.seconds, 'segundos_de_php_invalidos'),
  'How many seconds of the processor a request may take, from 1 to 120; after 120 seconds of any kind it ends.',
  60,
)
const variables = told(
  whole(PHP_BOUNDS.inputVariables, 'max_input_vars_invalido'),
  'How many fields of a form, a query and the cookies PHP takes, of each, from 100 to 20,000.',
  1000,
)
const errors = told(
  v.boolean(),
  'Whether errors are shown to visitors; they are in the log of PHP in any case.',
  false,
)

export const phpSettingsShape = named(
  'AjustesDePhp',
  "The limits of a site's PHP.",
  v.strictObject({
    memoria_bytes: memory,
    subida_bytes: upload,
    segundos: seconds,
    max_input_vars: variables,
    mostrar_errores: errors,
  }),
)

export const phpSettingsInput = told(
  v.nullable(
    v.strictObject({
      memoria_bytes: v.optional(memory, ORDINARY_PHP.memoryBytes),
      subida_bytes: v.optional(upload, ORDINARY_PHP.uploadBytes),
      segundos: v.optional(seconds, ORDINARY_PHP.seconds),
      max_input_vars: v.optional(variables, ORDINARY_PHP.inputVariables),
      mostrar_errores: v.optional(errors, ORDINARY_PHP.showErrors),
    }),
  ),
  "The limits of the site's PHP, for its next request on. It is set as a whole: what is left out is as it is for all sites, and with null all of it.",
  { memoria_bytes: 134_217_728, segundos: 30 },
)

type View = v.InferOutput<typeof phpSettingsShape>

/** What PHP really has. */
export function phpSettingsView(settings: SitePhp | null): View {
  const { memoryBytes, uploadBytes, seconds, inputVariables, showErrors } = settings ?? ORDINARY_PHP
  return {
    memoria_bytes: memoryBytes,
    subida_bytes: uploadBytes,
    segundos: seconds,
    max_input_vars: inputVariables,
    mostrar_errores: showErrors,
  }
}

/** What a view of a site tells of its PHP; `told` is what its node told, as the database has it. */
export const sitePhpView = (
  { php, phpSettings }: { php: string | null; phpSettings: SitePhp | null },
  told: { php: string | null; extensions: string | null; mail: number | null },
) => ({
  php,
  php_disponibles: told.php === null ? [] : JSON.parse(told.php),
  php_extensiones: told.extensions === null ? [] : JSON.parse(told.extensions),
  envia_correo: told.mail === null ? null : told.mail === 1,
  php_ajustes: phpSettingsView(phpSettings),
})

/** As they are stored; null for what all sites have. */
export function phpSettingsRow(sent: View | null): SitePhp | null {
  if (sent === null) return null
  const row = {
    memoryBytes: sent.memoria_bytes,
    uploadBytes: sent.subida_bytes,
    seconds: sent.segundos,
    inputVariables: sent.max_input_vars,
    showErrors: sent.mostrar_errores,
  }
  return JSON.stringify(row) === JSON.stringify(ORDINARY_PHP) ? null : row
}

/** Refuses more memory for one request than the plan gives to all of the client's programs. */
export function requireWithinPlan(plan: Plan | null, sent: View | null, language: Language): void {
  const limit = plan?.memoryBytes ?? null
  const row = phpSettingsRow(sent)
  if (row === null || limit === null || row.memoryBytes <= limit) return
  const text = (FIELD_MESSAGES.memoria_sobre_el_plan ?? OTHERWISE)[language]
  const mensaje = text.replace('{limite}', String(limit))
  throw new AppError('datos_invalidos', {
    campos: [{ campo: 'php_ajustes.memoria_bytes', codigo: 'memoria_sobre_el_plan', mensaje }],
  })
}

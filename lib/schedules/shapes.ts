import * as v from 'valibot'
import { RUN_REASONS } from '../../schema/states.ts'
import { count, named, text, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string, when } from '../endpoint/shapes.ts'
import { nextOf } from './pattern.ts'

/** A pattern that never comes after this never comes. */
const START = new Date(0)
const MOST_WORDS = 32

export const cuando = told(
  v.pipe(
    v.string(),
    v.maxLength(100, 'cuando_invalido'),
    v.check((pattern) => nextOf(pattern, START) !== null, 'cuando_invalido'),
  ),
  'A cron pattern of five fields, in UTC.',
  '*/5 * * * *',
)
export const orden = told(
  v.pipe(
    v.array(text(2000)),
    v.minLength(1, 'demasiado_corto'),
    v.maxLength(MOST_WORDS, 'demasiados'),
    v.check(
      ([program = '']) => /^(?:\/usr\/(?:(?!\.\.?\/)[\w.+-]+\/)*)?[\w+][\w.+-]*$/.test(program),
      'programa_invalido',
    ),
  ),
  "The program and its arguments, without a shell. The program has its real name, such as `php8.2`; paths begin with `/sitios/<domain>/`, or with nothing for the site's folder.",
  ['php8.2', 'public/wp-cron.php'],
)
export const activa = told(v.boolean(), 'Whether it runs by the clock.', true)

const codigo = told(nullable(count), 'The exit code; null where it was ended, or runs.', 0)
const ms = told(nullable(count), 'How long it ran; null while it runs.', 412)
const motivo = told(
  nullable(v.picklist(RUN_REASONS)),
  '`plazo`: it ran for longer than an hour. `detenida`: given up, or its client was suspended. `rechazada`: it could not be begun. `interrumpida`: the panel ended meanwhile. Null while it runs.',
  'terminada',
)
const began = told(timestamp, 'When it began.', '2026-11-21T09:30:00.000Z')

export const scheduleShape = named(
  'Programada',
  'A program that runs for a site by the clock, as its client and in its confinement.',
  v.strictObject({
    id: told(string, 'Its key.', 'pro_01JD8Z3K9Q'),
    sitio: told(string, 'Its site.', 'ejemplo.es'),
    cuando: told(string, 'Its cron pattern, in UTC.', '*/5 * * * *'),
    orden: told(v.array(string), 'The program and its arguments.', ['php8.2', 'public/wp-cron.php']),
    activa,
    proxima: when('When it runs next; null while it is switched off.'),
    en_curso: told(v.boolean(), 'Whether it runs or is about to.', false),
    ultima: told(
      nullable(v.strictObject({ cuando: began, codigo, ms, motivo })),
      'Its last run; null before the first.',
    ),
    creada: told(timestamp, 'When it was made.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const runShape = named(
  'EjecucionProgramada',
  'A run of a scheduled task.',
  v.strictObject({
    id: told(string, 'Its key, and that of its background work.', 'job_01JD8Z3K9Q'),
    cuando: began,
    ms,
    codigo,
    salida: told(
      string,
      'The last 64 KiB of what it said. Of all tasks of a client together the newest 4 MiB are kept; what is older is empty.',
      'done\n',
    ),
    motivo,
  }),
)

export type ScheduleView = v.InferOutput<typeof scheduleShape>
export type RunView = v.InferOutput<typeof runShape>

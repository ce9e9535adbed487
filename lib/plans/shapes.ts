import * as v from 'valibot'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { string } from '../endpoint/shapes.ts'

/** Null is unlimited. */
export const limit = v.nullable(count)
const bounded = ({ least, most, code }: { least: number; most: number; code: string }) =>
  v.nullable(v.pipe(v.number(code), v.safeInteger(code), v.minValue(least, code), v.maxValue(most, code)))

/** What a plan can include; `funciones` left out means all of them. */
export const FUNCTIONS = [
  'php',
  'https',
  'espejo_dns',
  'sftp',
  'bases',
  'archivos',
  'programadas',
  'aplicaciones',
  'copias',
] as const
export const planFunction = v.picklist(FUNCTIONS, 'valor_no_admitido')

export const limitsShape = named(
  'Limites',
  'What a plan allows; null is unlimited.',
  v.strictObject({
    disco_bytes: told(limit, 'Bytes on disk.', 1073741824),
    inodos: told(limit, 'Files and directories.', 100000),
    trafico_bytes: told(limit, 'Bytes sent and received in a month.', null),
    sitios: told(limit, 'Sites.', 1),
    aliases: told(limit, 'Further names of all sites.', 5),
    zonas: told(limit, 'DNS zones.', 1),
    cpu_porcentaje: told(
      bounded({ least: 1, most: 1_000_000, code: 'cpu_invalida' }),
      'Processor time of all that runs as the client; 100 is one processor.',
      100,
    ),
    memoria_bytes: told(
      bounded({ least: 64 * 1_048_576, most: Number.MAX_SAFE_INTEGER, code: 'memoria_invalida' }),
      'Bytes of memory of all that runs as the client. PHP does not start with less than 64 MiB.',
      536870912,
    ),
    procesos: told(
      bounded({ least: 8, most: 4_194_304, code: 'procesos_invalidos' }),
      'Processes and threads that run as the client at once. PHP does not start with fewer than 8.',
      100,
    ),
    cuentas_sftp: told(limit, 'SFTP accounts.', 5),
    bases: told(limit, 'Databases.', 3),
    bases_bytes: told(limit, 'Bytes of all databases together.', 1073741824),
    programadas: told(limit, 'Scheduled tasks of all sites.', 10),
    correos_dia: told(
      limit,
      'Recipients of mail that programs send within 24 hours; where it is null, 500.',
      500,
    ),
  }),
)

export const planShape = named(
  'Plan',
  'What its clients may use.',
  v.strictObject({
    plan: told(string, 'Its name, its key.', 'basico'),
    ...limitsShape.entries,
    funciones: told(v.array(planFunction), 'The functions that it includes.', ['php', 'https']),
    clientes: told(count, 'How many clients have it; a customer is told 0 or 1.', 12),
    creado: told(timestamp, 'When it was made.', '2026-11-21T09:30:00.000Z'),
  }),
)

export type PlanView = v.InferOutput<typeof planShape>
/** What bounds a client where no plan says how many: each task keeps what it said in the panel's own database. */
export const MOST_OPEN: Partial<Record<keyof LimitsView, number>> = { programadas: 100 }

export type LimitsView = v.InferOutput<typeof limitsShape>

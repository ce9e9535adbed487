import * as v from 'valibot'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { refusedShape } from '../nodes/shapes.ts'
import { limit } from '../plans/shapes.ts'

const against = {
  limite: told(limit, 'What the plan allows; null is unlimited.', 1073741824),
  porcentaje: told(nullable(v.number()), 'Used of the limit; null without one.', 10),
  nivel: told(
    v.picklist(['bien', 'aviso', 'superado']),
    '`aviso`: close to the limit. `superado`: at it or over it.',
    'bien',
  ),
}

const consumptionShape = named(
  'Consumo',
  'Use of one resource against its limit.',
  v.strictObject({ usado: told(count, 'What is used.', 107374182), ...against }),
)
const runningShape = named(
  'ConsumoEnMarcha',
  'Use by what runs as the client against its limit.',
  v.strictObject({
    usado: told(
      nullable(v.number()),
      'What is used; null before it was first measured, and where the node does not count it.',
      42.5,
    ),
    ...against,
  }),
)

export const usageShape = named(
  'Uso',
  'What a client uses, as measured.',
  v.strictObject({
    cliente: told(string, 'The name of the client, its key.', 'acme'),
    plan: told(nullable(string), 'Its plan.', 'basico'),
    medido: told(
      nullable(timestamp),
      'When it was measured; null before the first time.',
      '2026-11-21T09:15:00.000Z',
    ),
    origen: told(
      nullable(v.picklist(['cuota', 'recorrido'])),
      "By the file system's quota, or by a walk through the files.",
      'cuota',
    ),
    periodo: told(
      v.strictObject({
        desde: told(string, 'Its first day.', '2026-11-01'),
        hasta: told(string, 'The day after its last.', '2026-12-01'),
      }),
      'The month that traffic is counted in.',
    ),
    consumo: told(
      v.strictObject({
        disco_bytes: consumptionShape,
        inodos: consumptionShape,
        trafico_bytes: consumptionShape,
        sitios: consumptionShape,
        aliases: consumptionShape,
        zonas: consumptionShape,
        cpu_porcentaje: runningShape,
        memoria_bytes: runningShape,
        procesos: runningShape,
        cuentas_sftp: consumptionShape,
        bases: consumptionShape,
        bases_bytes: consumptionShape,
        programadas: consumptionShape,
        correos_dia: consumptionShape,
      }),
      'By resource. `cpu_porcentaje` is the average since the measurement before (100 is one processor); `memoria_bytes` and `procesos` are those at the last one; `correos_dia` are the recipients of the last 24 hours.',
    ),
    rechazos: told(
      nullable(refusedShape),
      'What the limits refused between the last two measurements; null before the second. A field is null where the node does not count it.',
    ),
  }),
)

export const usageDayShape = named(
  'UsoDiario',
  'What a client used on one day (UTC).',
  v.strictObject({
    dia: told(string, 'The day.', '2026-11-21'),
    disco_bytes: told(nullable(count), 'Bytes on disk at its last measurement.', 107374182),
    inodos: told(nullable(count), 'Files and directories then.', 4210),
    trafico_entrada_bytes: told(count, 'Bytes received from visitors.', 52311),
    trafico_salida_bytes: told(count, 'Bytes sent to visitors.', 918273),
  }),
)

export const nodeHistoryShape = named(
  'HistorialDeNodo',
  'What a node did, by the hour or by the day (UTC).',
  v.strictObject({
    nodo: told(string, 'The node.', 'nodo1'),
    cada: told(v.picklist(['hora', 'dia']), 'By the hour for at most eight days, else by the day.', 'hora'),
    datos: told(
      v.array(
        v.strictObject({
          desde: told(timestamp, 'Its beginning.', '2026-11-21T09:00:00.000Z'),
          procesador_porcentaje: told(
            nullable(v.number()),
            'Of the time of all processors, what was used; null where it was not measured.',
            12.5,
          ),
          memoria_bytes: told(nullable(count), 'The most memory that was used.', 2147483648),
          disco_bytes: told(
            nullable(count),
            'The most that was used of the disk with the sites.',
            21474836480,
          ),
          trafico_entrada_bytes: told(count, 'Bytes received from visitors.', 52311),
          trafico_salida_bytes: told(count, 'Bytes sent to visitors.', 918273),
        }),
      ),
      'Oldest first; what nobody measured is left out.',
    ),
  }),
)

export type UsageView = v.InferOutput<typeof usageShape>

import * as v from 'valibot'
import { LOG_KINDS, LOG_LEVELS } from '../../schema/states.ts'
import { count, dayOrMoment, named, pageQuery, text, timestamp, told } from '../endpoint/fields.ts'
import { string } from '../endpoint/shapes.ts'

const cuando = told(timestamp, 'When it was, to the second.', '2026-11-21T09:30:00.000Z')

const visitShape = v.strictObject({
  cuando,
  direccion: told(string, 'The address that asked.', '192.0.2.7'),
  metodo: told(string, 'The method, as it was sent.', 'GET'),
  ruta: told(string, 'Path and query as they were sent, the first 2,000 bytes.', '/tienda?pagina=2'),
  estado: told(count, 'The status that was answered.', 200),
  bytes: told(count, 'What was sent, head and body.', 5120),
  ms: told(count, 'From the first byte of the request to the last of the answer.', 18),
  agente: told(string, 'What the program of the visitor calls itself, the first 500 bytes.', 'Mozilla/5.0'),
})

const messageShape = v.strictObject({
  cuando,
  nivel: told(v.picklist(LOG_LEVELS), '`programa`: the program wrote it itself, by `error_log()`.', 'aviso'),
  texto: told(string, 'What PHP said, of several lines where it had several.', 'Undefined variable $x'),
})

export const logRowShape = named(
  'FilaBitacora',
  'A row of a site’s log: a visit with `tipo=acceso`, a message with `tipo=php`.',
  v.union([visitShape, messageShape]),
)
export type LogRowView = v.InferOutput<typeof logRowShape>

export const logQuery = v.strictObject({
  ...pageQuery,
  tipo: v.optional(
    told(v.picklist(LOG_KINDS, 'valor_no_admitido'), 'Visits, or what PHP said.', 'acceso'),
    'acceso',
  ),
  desde: v.optional(
    told(
      text(100),
      'Rows from this time on, a day or a moment (RFC 3339); or `siguiente` of the page before, which has that in it.',
      '2026-11-21T00:00:00Z',
    ),
  ),
  hasta: v.optional(told(dayOrMoment, 'Rows up to this time, a day being meant to its end.', '2026-11-21')),
  buscar: v.optional(
    told(text(200), 'A part of path, agent, address or method, or of the message, in any case.', '/tienda'),
  ),
  estado: v.optional(
    told(
      v.pipe(v.string(), v.regex(/^[1-5](?:xx|\d\d)$/, 'valor_no_admitido')),
      'Only visits with this status, or one of its class, such as `5xx`.',
      '5xx',
    ),
  ),
})
export type LogQuery = v.InferOutput<typeof logQuery>

export const hoursQuery = v.strictObject({
  horas: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]|[1-9]\d|[12]\d\d|3[0-2]\d|33[0-6])$/, 'valor_no_admitido'),
      v.metadata({ description: 'How many hours, at most 336.', examples: ['48'] }),
      v.transform(Number),
    ),
    '48',
  ),
})

export const hoursShape = named(
  'VisitasPorHora',
  'What came to a site by hour.',
  v.strictObject({
    datos: told(
      v.array(
        v.strictObject({
          hora: told(timestamp, 'When the hour began.', '2026-11-21T09:00:00.000Z'),
          visitas: told(count, 'Requests that were answered.', 120),
          bytes: told(count, 'What was sent for them.', 480000),
          errores: told(count, 'Those of them that failed at the server: 5xx.', 0),
        }),
      ),
      'The hours, the oldest first.',
    ),
  }),
)
export type HourView = v.InferOutput<typeof hoursShape>['datos'][number]

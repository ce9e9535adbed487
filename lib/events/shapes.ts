import * as v from 'valibot'
import { EVENT_TYPES } from '../../schema/states.ts'
import { named, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'

export const eventShape = named(
  'Evento',
  'Something that has happened.',
  v.strictObject({
    evento: told(string, 'Its key; later ones are higher.', '1795624200123'),
    tipo: told(
      v.picklist(EVENT_TYPES),
      'What has happened. Types are added over time: ignore those that you do not know.',
      'sitio.activo',
    ),
    cuando: told(timestamp, 'When, by the clock of the database.', '2026-11-21T09:30:00.123Z'),
    cliente: told(nullable(string), 'The client that it is about.', 'acme'),
    objeto: told(
      nullable(string),
      'What of it: a domain, a base, a zone, the id of a copy, a token or a task; null where it is the client itself.',
      'ejemplo.es',
    ),
    datos: told(
      v.record(v.string(), v.unknown()),
      'What else is known, by type: `referencia`, `nodo`, `motivo`, `plan`, `error` (a code), `caduca`, `nombres`, `aplicacion`, `version`, `recursos`, `nombre`, `operacion`. Never a secret or an address of a person.',
      {},
    ),
  }),
)
export type EventView = v.InferOutput<typeof eventShape>

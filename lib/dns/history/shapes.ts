import * as v from 'valibot'
import { ACTOR_KINDS } from '../../../schema/states.ts'
import { count, named, timestamp, told } from '../../endpoint/fields.ts'
import { nullable, string } from '../../endpoint/shapes.ts'

const content = (description: string) =>
  told(
    nullable(
      v.strictObject({
        ttl: told(count, 'Seconds for which resolvers keep it.', 3600),
        valores: told(v.array(v.string()), 'The values as in a zone file.', ['192.0.2.1']),
      }),
    ),
    description,
  )

export const zoneChangeShape = named(
  'CambioDeZona',
  'One change of the records of a zone.',
  v.strictObject({
    cambio: told(count, 'Its number; newer ones are higher.', 12),
    cuando: told(timestamp, 'When.', '2026-11-21T09:30:00.000Z'),
    serie: told(count, 'The serial that the zone got by it.', 2026112102),
    actor: told(
      nullable(
        v.strictObject({
          tipo: told(v.picklist(ACTOR_KINDS), 'Its kind.', 'persona'),
          nombre: told(
            nullable(string),
            'Its address or name; null for a customer, if it is an operator.',
            null,
          ),
        }),
      ),
      'Who did it; null if the panel did by itself, for a site or a new address.',
    ),
    conjuntos: told(count, 'How many record sets it changed.', 1),
    cambios: told(
      v.array(
        v.strictObject({
          nombre: told(string, 'Relative to the zone; `@` is the zone itself.', 'www'),
          tipo: told(string, 'The type of the records.', 'A'),
          anterior: content('What there was; null if it is new.'),
          posterior: content('What there is since; null if it was deleted.'),
        }),
      ),
      'The first 20 of them, up to 64 KiB; the whole is in the export.',
    ),
  }),
)

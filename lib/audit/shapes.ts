import * as v from 'valibot'
import { ACTOR_KINDS } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'

export const auditShape = named(
  'Apunte',
  'One entry of the audit trail.',
  v.strictObject({
    id: told(count, 'Its number; newer ones are higher.', 118),
    cuando: told(timestamp, 'When.', '2026-11-21T09:30:00.000Z'),
    actor: told(
      v.strictObject({
        tipo: told(v.picklist(ACTOR_KINDS), 'Its kind.', 'token'),
        id: told(nullable(string), 'The key of the token or person.', 'tok_01JD8Z3K9Q'),
        nombre: told(string, 'Its name or address.', 'facturacion'),
        suplantado_por: told(nullable(string), 'The admin who acted in its place.', null),
      }),
      'Who did it.',
    ),
    operacion: told(string, 'What was asked for.', 'POST /clientes/<cliente>/suspender'),
    cliente: told(nullable(string), 'The client that it was about.', 'acme'),
    objeto: told(nullable(string), 'What of it.', null),
    resultado: told(
      string,
      '`hecho`, `pedido` where it has to be confirmed yet, or the code that it was refused with.',
      'hecho',
    ),
    peticion: told(nullable(string), 'The request id of the answer.', '01JD8Z3K9QX7V5N2M4B6C8D0EF'),
    direccion: told(
      nullable(string),
      'The address that the request came from; null for what the panel did by itself.',
      '192.0.2.7',
    ),
    cambios: told(
      nullable(
        v.array(
          v.strictObject({
            campo: told(string, 'The field; a part of one after a dot.', 'nombre'),
            de: told(v.unknown(), 'Its value before; of a long list, what it lost.', 'Acme'),
            a: told(v.unknown(), 'Its value after; of a long list, what it gained.', 'Acme SL'),
          }),
        ),
      ),
      'What became of the fields of what was changed. Secrets are never among them; of a field that may hold one both values are null.',
    ),
    detalle: told(nullable(v.record(string, v.unknown())), 'What else is worth knowing.', null),
  }),
)

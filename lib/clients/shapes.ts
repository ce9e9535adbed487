import * as v from 'valibot'
import { CLIENT_STATES } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { cause, client, created, email, node, nullable, string, when } from '../endpoint/shapes.ts'

export const clientShape = named(
  'Cliente',
  'A client: the owner of sites and zones, with a Unix user of its own.',
  v.strictObject({
    cliente: client,
    referencia: told(nullable(string), 'Its key in a system of yours.', 'whmcs-5f2c9a01:41'),
    nombre: told(nullable(string), 'Its name for people.', 'Acme SL'),
    correo: email('The recovery address of its login.'),
    estado: told(
      v.picklist(CLIENT_STATES),
      '`suspendido`: its sites answer 503. `eliminando`: its deletion is under way.',
      'activo',
    ),
    motivo: cause('Why it is suspended.'),
    suspendido_desde: when('Since when it is suspended.'),
    plan: told(nullable(string), 'Its plan; null is no limits and all functions.', 'basico'),
    nodo: node,
    creado_por: told(
      v.picklist(['token', 'persona']),
      'Who made it; a token makes logins only for clients that a token made.',
      'token',
    ),
    acceso: told(
      v.picklist(['sin_acceso', 'pendiente', 'activo']),
      'Its login: none, one whose link is not spent, or one in use.',
      'activo',
    ),
    sitios: told(count, 'How many sites it has.', 1),
    disco: told(
      nullable(
        v.strictObject({
          usado: told(count, 'Bytes that it has.', 1048576),
          limite: told(nullable(count), 'Bytes that its plan allows; null is unlimited.', 1073741824),
        }),
      ),
      'Its disk space when it was last measured; null before that.',
    ),
    creado: created,
    actualizado: told(timestamp, 'When it was last changed.', '2026-11-21T09:30:00.000Z'),
  }),
)

export type ClientView = v.InferOutput<typeof clientShape>

import * as v from 'valibot'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { cause, client, created, node, nullable, string, when } from '../endpoint/shapes.ts'
import { ACCOUNT_PATTERN, DATABASE_PATTERN } from './names.ts'

/** A base in a path or a body: its whole name; where one is made, what comes after the client's own will do. */
export const databaseField = told(
  v.pipe(
    v.string(),
    v.maxLength(64, 'demasiado_largo'),
    v.regex(new RegExp(DATABASE_PATTERN), 'nombre_de_base_invalido'),
  ),
  'The name of a database: its client’s in lower-case letters, digits and `_`, and a suffix.',
  'acme_tienda',
)

export const accountField = told(
  v.pipe(v.string(), v.regex(new RegExp(ACCOUNT_PATTERN), 'usuario_invalido')),
  'What comes after the client’s part in the name of the account.',
  'informes',
)

const accountShape = v.strictObject({
  usuario: told(string, 'Its whole name.', 'acme_informes'),
  solo_lectura: told(v.boolean(), 'Whether it only reads.', true),
  creada: created,
  desde: told(string, 'Where it may come in from: this address, and the socket.', '127.0.0.1'),
})

export const databaseShape = named(
  'Base',
  "A client's database. The client's own programs come in by the socket as `usuario`, without a password.",
  v.strictObject({
    base: told(string, 'Its name, its key.', 'acme_tienda'),
    cliente: client,
    nodo: node,
    motor: told(v.literal('mariadb'), 'What serves it.', 'mariadb'),
    bytes: told(count, 'What it takes, as last measured.', 1048576),
    medido: when('When it was measured; null before the first time.'),
    estado: told(
      v.picklist(['preparando', 'activa', 'solo_lectura', 'bloqueada', 'cargando', 'error', 'eliminando']),
      '`solo_lectura`: the client is over `bases_bytes` of its plan, nothing grows and rows can be deleted. `bloqueada`: the client is suspended and nobody comes in. `cargando`: a dump is being loaded, the content is the one from before. `preparando`: it is being made.',
      'activa',
    ),
    error: cause('What keeps it from being made, or what became of it.'),
    socket: told(nullable(string), 'The socket on the node; PHP finds it under `localhost`.', null),
    usuario: told(nullable(string), 'The account of the client’s own programs.', 'cp7'),
    conexion: told(
      nullable(
        v.strictObject({
          socket: told(string, 'The socket on the node.', '/srv/panel/mariadb/run/mysqld.sock'),
          host: told(string, 'On the node itself, for accounts with a password.', '127.0.0.1'),
          puerto: told(v.number(), 'Its port.', 3307),
        }),
      ),
      'How it is reached on the node; null where the node does not tell.',
      null,
    ),
    cuentas: told(v.array(accountShape), 'The accounts with a password, for tools of one’s own.', []),
    sitio: told(nullable(string), 'The site whose application it was made for.', 'ejemplo.es'),
    creado: created,
  }),
)

export const newAccountShape = named(
  'CuentaDeBaseNueva',
  'An account with its password, told this once.',
  v.strictObject({
    usuario: told(string, 'Its whole name.', 'acme_informes'),
    contrasena: told(string, 'The password, which only this answer tells.', '3fJq0ZrT8mWc5VbN1xYh7KdPs'),
  }),
)

export const viewLinkShape = named(
  'SesionDeBase',
  'A link by which one looks into a database.',
  v.strictObject({
    url: told(string, 'It works once, for a minute.', 'https://panel.ejemplo.es:2088/abrir?llave=3fJq0ZrT8m'),
    caduca: told(timestamp, 'Until when.', '2026-11-21T09:31:00.000Z'),
  }),
)

export type DatabaseView = v.InferOutput<typeof databaseShape>

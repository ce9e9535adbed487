import * as v from 'valibot'
import {
  COPIES_BEFORE,
  COPY_PARTS,
  DESTINATION_KINDS,
  ENDED_COPY_STATES,
  RESTORED_PARTS,
} from '../../schema/states.ts'
import type { DeclaredError } from '../endpoint/errors.ts'
import { count, named, page, timestamp, told } from '../endpoint/fields.ts'
import { cause, node, string, when } from '../endpoint/shapes.ts'

export const tipo = told(
  v.picklist(DESTINATION_KINDS, 'valor_no_admitido'),
  'A directory of the node, SFTP, an S3 bucket or a REST server of restic.',
  'rest',
)

export const destinationShape = named(
  'DestinoCopias',
  'Where the copies of a node go; never its secrets.',
  v.strictObject({
    nodo: node,
    tipo: told(v.picklist(DESTINATION_KINDS), 'What it is.', 'rest'),
    url: told(string, 'Where it is.', 'https://copias.ejemplo.net/panel'),
    con_credencial: told(v.boolean(), 'Whether it is opened with a credential.', true),
    huella: told(
      v.nullable(string),
      'By which key an SFTP server is known.',
      'SHA256:uNiVztksCsDhcc0u9e8BrXJ1SrNmXT9cFsoRjVH7FDo',
    ),
    nodo_copiado: when('When the node itself was last copied there: its database, keys and certificates.'),
    comprobado: told(timestamp, 'When it was last set and checked.', '2026-11-21T09:30:00.000Z'),
  }),
)
export type DestinationView = v.InferOutput<typeof destinationShape>

export const copia = told(
  v.pipe(v.string(), v.regex(/^cop_[0-9A-Z]{1,40}$/, 'copia_invalida')),
  'The id of a copy, as the listing tells it.',
  'cop_01JD8Z3K9Q',
)

/** Of an answer to a deletion. */
export const copiaPrevia = told(
  v.optional(v.picklist(COPIES_BEFORE)),
  'Whether it is copied first: `pedida`, or `limite` where the client has had as many such copies within a day as it can, so that the bin alone keeps it. Absent where copies go nowhere, the plan has none, it was not active, or it was being deleted already.',
  'pedida',
)

const part = v.strictObject({
  tipo: told(v.picklist(COPY_PARTS), 'What it is of; `ajustes` are tasks and settings.', 'sitio'),
  nombre: told(string, 'Its name.', 'ejemplo.es'),
  bytes: told(count, 'How large it is.', 52428800),
  error: cause('Why it or something of it is missing.'),
  danada: told(
    v.boolean(),
    'Whether the destination has lost or changed something of it since: it can be neither restored nor downloaded.',
    false,
  ),
})

const copyShape = named(
  'Copia',
  'A copy of what a client has.',
  v.strictObject({
    copia: told(string, 'Its key.', 'cop_01JD8Z3K9Q'),
    cuando: told(timestamp, 'When it was begun.', '2026-11-21T02:30:00.000Z'),
    estado: told(
      v.picklist(ENDED_COPY_STATES),
      'Whether nothing is missing from it; `danada`: the destination has lost or changed some of it since.',
      'completa',
    ),
    probada: when('When something of it was last restored and compared.'),
    bytes: told(count, 'How large what it is of was.', 73400320),
    contenido: told(v.array(part), 'What it is of.'),
  }),
)
export type CopyView = v.InferOutput<typeof copyShape>

export const copiesShape = named(
  'PaginaCopia',
  'One page of a listing of copies.',
  v.strictObject({
    ...page(copyShape).entries,
    cada_noche: told(
      v.boolean(),
      'Whether the client is copied every night: its plan has copies, its node has a destination, and it is active.',
      true,
    ),
    en_curso: told(
      v.nullable(string),
      'The id of the work that makes a copy of the client now; null where none is being made.',
      null,
    ),
  }),
)

export const modo = told(
  v.picklist(['aparte', 'sustituir'], 'valor_no_admitido'),
  '`aparte` leaves what is there alone; `sustituir` puts the copy in its place.',
  'aparte',
)

export const parte = told(
  v.picklist(RESTORED_PARTS, 'valor_no_admitido'),
  'What of a whole site takes the place of what is there: `archivos` its files alone, `ajustes` its settings and tasks alone, `todo` both.',
  'todo',
)

/** What any operation on a client's copies refuses with. */
export const REFUSALS: DeclaredError[] = [
  'cliente_no_existe',
  'cliente_suspendido',
  'cliente_eliminandose',
  'cliente_en_otro_nodo',
  'funcion_de_pago',
  'destino_no_existe:409',
]

import * as v from 'valibot'
import type { DeclaredError } from '../endpoint/errors.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import type { Conditions } from '../endpoint/ports/files.ts'
import { string } from '../endpoint/shapes.ts'
import { BIN_ENTRY } from './bin.ts'
import { parsePath } from './paths.ts'

/** A path on the wire: `parse` makes it the one form of it, or refuses it with 422 `ruta_invalida`. */
export const ruta = v.pipe(
  v.string(),
  v.metadata({
    description:
      "An absolute path below the site's folder, `/`, in which `public` is what is served. Without `.`, `..` and empty segments, each at most 255 bytes. A byte that is no UTF-8 is one character from U+EF80 to U+EFFF.",
    examples: ['/public/index.html'],
    pattern: '^/',
    maxLength: 4000,
  }),
  v.transform(parsePath),
)

export const permisos = told(
  v.pipe(v.string(), v.regex(/^0?[0-7]{3}$/, 'valor_no_admitido')),
  'Octal, without set-id and sticky bits.',
  '0644',
)

export const entryShape = named(
  'Archivo',
  'A file, a folder or a link in a folder of a site.',
  v.strictObject({
    nombre: told(string, 'Its name in its folder.', 'index.html'),
    tipo: told(
      v.picklist(['archivo', 'carpeta', 'enlace']),
      '`enlace`: a symbolic link; `archivo`: anything else that is no folder.',
      'archivo',
    ),
    bytes: told(count, 'Its length; of no meaning for a folder.', 1024),
    modificado: told(timestamp, 'When it was last changed.', '2026-11-21T09:30:00.000Z'),
    permisos: told(string, 'Octal.', '0644'),
  }),
)
export type EntryView = v.InferOutput<typeof entryShape>

const placed = {
  ruta: told(string, 'Its path.', '/public/index.html'),
  ...entryShape.entries,
}
export const findingsShape = named(
  'Hallazgos',
  'What was found by its name.',
  v.strictObject({
    datos: told(
      v.array(named('ArchivoHallado', 'A file, a folder or a link.', v.strictObject(placed))),
      'The nearest first, at most 200.',
    ),
    completo: told(
      v.boolean(),
      'False where the search ended early or could not read a folder: there may be more.',
      true,
    ),
  }),
)
export type FoundView = v.InferOutput<typeof findingsShape>['datos'][number]

export const binEntry = told(
  v.pipe(v.string(), v.regex(BIN_ENTRY, 'valor_no_admitido')),
  'The id of an entry of the bin.',
  '01JD8Z4M5K6N7P8Q9R0S1T2V3W-000',
)
export const binShape = named(
  'ArchivoBorrado',
  'What was deleted from a site and can be brought back.',
  v.strictObject({
    id: told(string, 'Its key.', '01JD8Z4M5K6N7P8Q9R0S1T2V3W-000'),
    ...placed,
    ruta: told(string, 'Where it was.', '/public/index.html'),
    borrado: told(timestamp, 'When it was deleted.', '2026-11-21T09:30:00.000Z'),
    caduca: told(timestamp, 'From when on it may be deleted for good.', '2026-11-28T09:30:00.000Z'),
  }),
)
export type BinView = v.InferOutput<typeof binShape>

export const writtenShape = named(
  'ArchivoEscrito',
  'A file that was written.',
  v.strictObject({ ruta: told(string, 'Its path.', '/public/index.html') }),
)

/** A name in a folder, as the cursor of a listing. */
export const fileName = told(
  v.pipe(v.string(), v.maxLength(255, 'demasiado_largo')),
  'Where the page begins: `siguiente` of the page before.',
)

/** What any operation on a site's files refuses with. */
export const REFUSALS: DeclaredError[] = [
  'sitio_no_existe',
  'cliente_suspendido',
  'cliente_eliminandose',
  'cliente_en_otro_nodo',
  'funcion_de_pago',
  'no_disponible',
]

/** `If-Match` and `If-None-Match` of a request. */
export const conditionsOf = (headers: Headers): Conditions => ({
  ifMatch: headers.get('if-match'),
  ifNoneMatch: headers.get('if-none-match'),
})

export const uploadId = told(
  v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'valor_no_admitido')),
  'The id of an upload, as `Location` tells it.',
  '0af1c2d3e4f5061728394a5b6c7d8e9f',
)

export const uploadShape = named(
  'Subida',
  'A file that comes in parts.',
  v.strictObject({
    id: told(string, 'Its key.', '0af1c2d3e4f5061728394a5b6c7d8e9f'),
    ruta: told(string, 'The path that it is to have.', '/public/video.mp4'),
    bytes: told(count, 'How long it will be.', 1073741824),
  }),
)

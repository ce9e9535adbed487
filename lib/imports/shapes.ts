import * as v from 'valibot'
import { IMPORT_KINDS, IMPORT_ORIGINS } from '../../schema/states.ts'
import { count, named, text, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { workShape } from '../work/shapes.ts'
import { LEFT_KINDS } from './archives/contents.ts'
import { CHANGES } from './planned.ts'

export const origen = told(
  v.picklist(IMPORT_ORIGINS, 'valor_no_admitido'),
  'The panel that made the archive; `hestia` is Vesta too.',
  'hestia',
)
export const archivo = told(
  text(255),
  "The archive, by its name in the node's directory of imports.",
  'antigua.2026-11-20_05-10-01.tar',
)

export const archiveShape = named(
  'ArchivoParaImportar',
  'An archive of another panel.',
  v.strictObject({
    ruta: archivo,
    bytes: told(count, 'Its size.', 1073741824),
    modificado: told(timestamp, 'When it was last changed.', '2026-11-20T05:10:01.000Z'),
  }),
)
export type ArchiveView = v.InferOutput<typeof archiveShape>

const tipo = told(v.picklist(IMPORT_KINDS), 'What it is.', 'sitio')

const planShape = named(
  'PlanDeImportacion',
  'What an import would do.',
  v.strictObject({
    toma: told(
      v.array(
        v.strictObject({
          tipo,
          nombre: told(string, 'Its name in this panel; of a scheduled task its site.', 'ejemplo.es'),
          bytes: told(nullable(count), 'As it lies in the archive.', 52428800),
        }),
      ),
      'What is taken.',
    ),
    cambia: told(
      v.array(
        v.strictObject({
          tipo,
          nombre: told(string, 'What is changed.', 'acme_tienda'),
          que: told(
            v.picklist(CHANGES),
            'What of it changes. `contrasena_nueva`: the part `de` is protected, and lets nobody in before a password was made for its user `a`. `cerrada`: the part `de` lets nobody in.',
            'nombre',
          ),
          de: told(string, 'What it was.', 'antigua_tienda'),
          a: told(string, 'What it becomes; empty for none.', 'acme_tienda'),
        }),
      ),
      'What is otherwise here than it was.',
    ),
    deja: told(
      v.array(
        v.strictObject({
          tipo: told(v.picklist(LEFT_KINDS), 'What it is.', 'correo'),
          nombre: told(string, 'Its name in the archive.', 'ana@ejemplo.es'),
          motivo: told(string, 'Why: a code, or of a DNS record what is wrong with it.', 'no_se_importa'),
        }),
      ),
      'What is left out, at most 500 of it.',
    ),
    deja_mas: told(v.boolean(), 'Whether more is left out than `deja` lists.', false),
    excesos: told(
      v.array(
        v.strictObject({
          recurso: told(string, 'What the plan limits.', 'sitios'),
          usado: told(count, 'What there would be.', 3),
          limite: told(count, 'What is allowed.', 2),
        }),
      ),
      'What would not fit into the plan: such an import is refused.',
    ),
  }),
)

/** With `simular=si` what it would do, else the work that does it. */
export const importShape = named(
  'ImportacionDeCuenta',
  'What an import would do, or the work that does it.',
  v.union([workShape, planShape]),
)

export type PlanView = v.InferOutput<typeof planShape>

import * as v from 'valibot'
import { BIN_KINDS } from '../../schema/states.ts'
import { count, named, text, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { workShape } from '../work/shapes.ts'

/** The id of an entry, as a path names it. */
export const entrada = told(text(100), 'The id of an entry of the bin.', 'sitio-41')

const thing = {
  id: told(string, 'Its key.', 'sitio-41'),
  tipo: told(v.picklist(BIN_KINDS), 'What was deleted; a database lies here as its dump.', 'sitio'),
  nombre: told(string, 'The name that it had.', 'ejemplo.es'),
  cliente: told(nullable(string), 'The client whose it was; null where that is not known any more.', 'acme'),
}

export const deletedShape = named(
  'Eliminado',
  'Something that was deleted and can still be restored.',
  v.strictObject({
    ...thing,
    borrado: told(timestamp, 'When it was deleted.', '2026-11-21T09:30:00.000Z'),
    caduca: told(timestamp, 'Until when it is kept.', '2026-11-28T09:30:00.000Z'),
    bytes: told(nullable(count), 'What it occupies on the disk; null while it is being measured.', 52428800),
  }),
)
export type DeletedView = v.InferOutput<typeof deletedShape>

const restorePlanShape = named(
  'Restauracion',
  'What restoring an entry of the bin would do.',
  v.strictObject({
    ...thing,
    sitio: told(nullable(string), 'The site that gets the files.', 'ejemplo.es'),
    base: told(nullable(string), 'The database whose content the dump takes the place of.', null),
    aparte: told(v.boolean(), "Whether it goes to a folder of the operator's on the node.", false),
    ajustes: told(v.boolean(), "Whether the site gets the deleted one's settings and tasks too.", true),
    omitidos: told(
      v.array(
        v.strictObject({
          ajuste: told(v.picklist(['php', 'alias', 'tarea', 'aplicacion']), 'What it is.', 'alias'),
          nombre: told(string, "The version, name, task's pattern or application.", 'www.ejemplo.es'),
          motivo: told(
            string,
            'Why: the code of the error that setting it now has, or `otro_sitio`: it belongs to the name or the client that it was deleted with.',
            'dominio_ocupado',
          ),
        }),
      ),
      'What of them does not come back.',
    ),
  }),
)

export const restoreShape = named(
  'RestauracionPedida',
  'What restoring would do, or the work that does it.',
  v.union([workShape, restorePlanShape]),
)
export type RestorePlanView = v.InferOutput<typeof restorePlanShape>

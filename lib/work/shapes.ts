import * as v from 'valibot'
import { JOB_STATES, PROGRESS_UNITS } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { cause, nullable, string, when } from '../endpoint/shapes.ts'

const progress = told(
  nullable(
    v.strictObject({
      hecho: told(count, 'So much is done.', 52428800),
      total: told(nullable(count), 'Of so much; null where that is not known.', 104857600),
      unidad: told(v.picklist(PROGRESS_UNITS), 'What is counted.', 'bytes'),
    }),
  ),
  'How far long work is; null for what does not count.',
  null,
)

export const jobShape = named(
  'Tarea',
  'Background work.',
  v.strictObject({
    id: told(string, 'Its key.', 'job_01JD8Z3K9Q'),
    operacion: told(string, 'What it does.', 'sitio.aplicar'),
    tipo: told(string, 'The same, as it was called first.', 'sitio.aplicar'),
    nodo: told(nullable(string), 'The node that does it; null for any.', 'nodo1'),
    cliente: told(nullable(string), 'The client that it is for.', 'acme'),
    objeto: told(nullable(string), 'What it works on.', 'ejemplo.es'),
    estado: told(v.picklist(JOB_STATES), '`fallida` is not tried again by itself.', 'hecha'),
    progreso: progress,
    cancelable: told(v.boolean(), 'Whether it can be given up while it waits or runs.', false),
    resultado: told(
      nullable(v.record(v.string(), v.unknown())),
      'What it answers once it is done; null for most work.',
      null,
    ),
    intentos: told(count, 'How often it was begun.', 1),
    paso: told(
      nullable(string),
      'The step that it is at, told some seconds into it, or that it failed at.',
      null,
    ),
    error: cause('Why the last attempt failed.'),
    proxima: when('When it is tried next.'),
    creada: told(timestamp, 'When it was queued.', '2026-11-21T09:30:00.000Z'),
    terminada: when('When it was done or given up.', '2026-11-21T09:30:01.000Z'),
  }),
)

/** A long job that was queued: `GET /tareas/<id>` shows its progress. */
export const workShape = named(
  'TareaEmpezada',
  'Long work that goes on; `GET /tareas/<id>` tells how.',
  v.strictObject({
    tarea: told(
      v.strictObject({
        id: jobShape.entries.id,
        operacion: jobShape.entries.operacion,
        estado: jobShape.entries.estado,
        progreso: progress,
      }),
      'The work.',
    ),
  }),
)

export type WorkView = v.InferOutput<typeof workShape>
export type JobView = v.InferOutput<typeof jobShape>

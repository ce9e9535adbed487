import * as v from 'valibot'
import { named, told } from '../endpoint/fields.ts'
import type { FileOperation } from '../endpoint/ports/files.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { workShape } from '../work/shapes.ts'
import { binEntry, permisos, ruta } from './shapes.ts'

const rutas = told(
  v.pipe(v.array(ruta, 'tipo_incorrecto'), v.minLength(1, 'obligatorio'), v.maxLength(1000, 'demasiados')),
  'What it is done to, each by its path.',
  ['/public/fotos'],
)
const destino = v.pipe(
  ruta,
  v.description(
    'For `mover` and `copiar` a folder that is there, to go into it, or the new name of a single source; for `comprimir` the archive to make, its kind by its ending (`.zip`, `.tar.gz`, `.tar.zst`); for `extraer` a folder that is not there or is empty, or with `si_existe` any folder.',
  ),
)
const destinations = v.optional(v.pipe(v.array(ruta, 'tipo_incorrecto'), v.maxLength(1000, 'demasiados')))
/** What becomes of what is at the destinations. */
const existing = {
  si_existe: v.optional(
    told(
      v.picklist(['rechazar', 'omitir', 'sustituir']),
      'Merges folders with those at the destination; a file that is there already is refused with all such in `existentes`, left as it is, or replaced for good. Without it nothing may be there.',
      'rechazar',
    ),
  ),
  sustituir: told(destinations, 'Of `existentes`, what is replaced whatever `si_existe` says.', [
    '/public/index.html',
  ]),
  omitir: told(destinations, 'Of `existentes`, what is left as it is, whatever `si_existe` says.', [
    '/public/style.css',
  ]),
}

const borrados = told(
  v.pipe(
    v.array(binEntry, 'tipo_incorrecto'),
    v.minLength(1, 'obligatorio'),
    v.maxLength(1000, 'demasiados'),
  ),
  'Entries of the bin, each by its `id`.',
  ['01JD8Z4M5K6N7P8Q9R0S1T2V3W-000'],
)

/** What is sent for an operation. */
export const operationBody = v.variant(
  'operacion',
  [
    v.strictObject({
      operacion: told(
        v.picklist(['carpeta', 'borrar', 'papelera']),
        'Makes folders; deletes for good; moves into the bin.',
        'carpeta',
      ),
      rutas,
    }),
    v.strictObject({
      operacion: told(v.picklist(['mover', 'copiar']), 'Moves, copies.', 'mover'),
      rutas,
      destino,
      ...existing,
    }),
    v.strictObject({
      operacion: told(v.literal('comprimir'), 'Packs.', 'comprimir'),
      rutas,
      destino,
    }),
    v.strictObject({
      operacion: told(v.literal('extraer'), 'Unpacks one archive.', 'extraer'),
      rutas: v.pipe(rutas, v.maxLength(1, 'demasiados')),
      destino,
      ...existing,
    }),
    v.strictObject({
      operacion: told(v.literal('permisos'), 'Sets permissions.', 'permisos'),
      rutas,
      permisos,
    }),
    v.strictObject({
      operacion: told(v.literal('restaurar'), 'Brings back what is in the bin.', 'restaurar'),
      borrados,
      destino: v.optional(
        v.pipe(ruta, v.description('Where a single entry goes to; else each goes to where it was.')),
      ),
    }),
    v.strictObject({
      operacion: told(v.literal('vaciar'), 'Deletes for good what is in the bin.', 'vaciar'),
      borrados: v.optional(borrados),
    }),
  ],
  'valor_no_admitido',
)
type Existing = NonNullable<FileOperation['existing']>
/** As it is stored with its job. */
export type AskedOperation = Pick<FileOperation, 'kind' | 'paths' | 'entries' | 'target' | 'permissions'> & {
  existing?: { otherwise: Existing['otherwise']; replace: string[]; skip: string[] } | null
}
export type OperationBody = v.InferOutput<typeof operationBody>

const done = named(
  'OperacionHecha',
  'What was done.',
  v.strictObject({
    operacion: told(string, 'What was asked for.', 'mover'),
    rutas: told(v.array(string), 'What it was done to; empty for what was done with the bin.', [
      '/public/fotos',
    ]),
    destino: told(nullable(string), 'Where that went to.', '/public/galeria'),
  }),
)

/** 200 where it was done in time, 202 where it goes on. */
export const operationAnswer = named(
  'Operacion',
  'What was done, or the work that goes on.',
  v.union([done, workShape]),
)
export type OperationAnswer = v.InferOutput<typeof operationAnswer>

export const doneView = (body: OperationBody): OperationAnswer => ({
  operacion: body.operacion,
  rutas: 'rutas' in body ? body.rutas : [],
  destino: 'destino' in body ? (body.destino ?? null) : null,
})

/** An operation as it is queued and done. */
export const operationOf = (body: OperationBody): AskedOperation => ({
  kind: body.operacion,
  paths: 'rutas' in body ? body.rutas : [],
  entries: 'borrados' in body ? (body.borrados ?? null) : null,
  target: 'destino' in body ? (body.destino ?? null) : null,
  permissions: 'permisos' in body ? Number.parseInt(body.permisos, 8) : null,
  existing: existingOf(body),
})

const OTHERWISE = { rechazar: 'refuse', omitir: 'skip', sustituir: 'replace' } as const

function existingOf(body: OperationBody): NonNullable<AskedOperation['existing']> | null {
  if (!('si_existe' in body) || body.si_existe === undefined) return null
  const { si_existe, sustituir = [], omitir = [] } = body
  return { otherwise: OTHERWISE[si_existe], replace: sustituir, skip: omitir }
}

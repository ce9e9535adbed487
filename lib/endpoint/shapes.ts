import * as v from 'valibot'
import { named, timestamp, told } from './fields.ts'

/** Shapes that several resources share; each resource's own shapes are in its room. */

export const string = v.string()
export const nullable = <T extends v.GenericSchema>(schema: T) => v.nullable(schema)
export const client = told(string, 'The name of the client, its key.', 'acme')
export const node = told(string, 'The node that it lives on.', 'nodo1')
export const created = told(timestamp, 'When it was made.', '2026-11-21T09:30:00.000Z')
export const email = (description: string) => told(nullable(string), description, 'ana@ejemplo.es')
export const cause = (description: string) => told(nullable(string), description, null)
export const when = (description: string, example: string | null = null) =>
  told(nullable(timestamp), description, example)

const gone = told(v.literal(true), 'Nothing of it is served any more.', true)
const leaving = told(v.literal('eliminando'), 'The deletion goes on.', 'eliminando')

/** The answer to a deletion that may take longer than a request: done, or under way. */
export const removalShape = <E extends v.ObjectEntries>(title: string, name: E) =>
  named(
    title,
    'A deletion: done with 200, under way with 202.',
    v.union([v.strictObject({ ...name, eliminado: gone }), v.strictObject({ ...name, estado: leaving })]),
  )

import * as v from 'valibot'
import { clientShape } from '../clients/shapes.ts'
import { named, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { loginShape } from '../identity/shapes.ts'
import { siteShape } from '../sites/shapes.ts'

export const provisionShape = named(
  'Alta',
  'What was provisioned.',
  v.strictObject({
    cliente: clientShape,
    sitio: siteShape,
    acceso: told(nullable(loginShape), 'The login; null where none was wanted.'),
    hecho: told(v.array(string), 'What this request changed; empty when all was there.', [
      'cliente_creado',
      'sitio_creado',
    ]),
  }),
)

import * as v from 'valibot'
import { count, named, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'
import { siteShape } from '../sites/shapes.ts'
import { CHANGES, LEFT, SETTINGS } from './reasons.ts'

const where = {
  archivo: told(
    string,
    'The file, by its path below what is served; one above that begins with `/..`.',
    '/.htaccess',
  ),
  linea: told(nullable(count), 'The line; null for a file that was not read.', 3),
  texto: told(string, 'The directive, at most 200 characters of it.', 'Redirect 301 /a /b'),
  ajuste: told(
    nullable(v.picklist(SETTINGS)),
    'The setting of the site that it becomes; null for none.',
    'redirecciones',
  ),
}

const own = siteShape.entries
const settings = v.strictObject({
  redirecciones: v.optional(own.redirecciones),
  protegidas: v.optional(
    told(
      v.array(
        v.strictObject({
          ruta: told(string, 'Its address.', '/privado'),
          usuario: told(string, 'Who gets in once a password was made.', 'ana'),
        }),
      ),
      'All of them, with those that are set already.',
    ),
  ),
  paginas_error: v.optional(own.paginas_error),
  indice: v.optional(own.indice),
  indice_spa: v.optional(own.indice_spa),
  solo_https: v.optional(own.solo_https),
  cache: v.optional(own.cache),
  php_ajustes: v.optional(own.php_ajustes),
})

export const htaccessShape = named(
  'Htaccess',
  'What becomes of the `.htaccess` files of a site.',
  v.strictObject({
    toma: told(
      v.array(v.strictObject(where)),
      'What is taken as it stands, or holds for all sites anyway (`ajuste` null).',
    ),
    cambia: told(
      v.array(
        v.strictObject({
          ...where,
          motivo: told(v.picklist(CHANGES), 'What is otherwise.', 'contrasena_nueva'),
        }),
      ),
      'What is taken otherwise than it stands there.',
    ),
    deja: told(
      v.array(v.strictObject({ ...where, motivo: told(v.picklist(LEFT), 'Why.', 'condiciones') })),
      'What is left out.',
    ),
    ajustes: told(
      settings,
      'The settings that this sets, as `PATCH /sitios/<domain>` takes them; empty for none.',
      {
        indice_spa: true,
      },
    ),
    completo: told(v.boolean(), 'Whether all folders could be looked through.', true),
    aplicado: told(v.boolean(), 'Whether the settings were set.', false),
  }),
)
export type HtaccessView = v.InferInput<typeof htaccessShape>

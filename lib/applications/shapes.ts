import * as v from 'valibot'
import { APPLICATION_STATES, APPLICATIONS } from '../../schema/states.ts'
import type { DeclaredError } from '../endpoint/errors.ts'
import { named, text, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'

export const aplicacion = told(v.picklist(APPLICATIONS, 'valor_no_admitido'), 'The application.', 'wordpress')
export const idioma = told(
  v.pipe(
    v.string(),
    v.maxLength(20, 'idioma_invalido'),
    v.regex(/^[a-z]{2,3}(?:_[A-Z]{2})?(?:_[a-z]{2,10})?$/, 'idioma_invalido'),
  ),
  "The application's own name of its language; the client's where it is left out. A package without it is installed in English.",
  'es_ES',
)
export const titulo = told(text(200), 'The title of the site; its domain where it is left out.', 'Mi tienda')

export const applicationShape = named(
  'Aplicacion',
  'The application of a site.',
  v.strictObject({
    aplicacion: told(
      nullable(v.picklist(APPLICATIONS)),
      'What the panel installed; null for none.',
      'wordpress',
    ),
    nombre: told(nullable(string), 'Its name for people; null for none.', 'WordPress'),
    estado: told(
      nullable(v.picklist(APPLICATION_STATES)),
      '`instalando`, `actualizando`: its work goes on. Null where there is none.',
      'activa',
    ),
    version: told(
      nullable(string),
      'The version that is in the site; null while none is installed.',
      '6.8.1',
    ),
    nueva: told(
      nullable(string),
      'The version that the node has a package of and that is newer, or that would be installed; null for none.',
      '6.8.2',
    ),
    clon_de: told(nullable(string), 'The site that it is a clone of; null for none.', null),
    se_puede_deshacer: told(
      v.boolean(),
      'Whether what a clone last published here can be taken back.',
      false,
    ),
    admite: told(
      v.array(v.picklist(['sesion', 'clonar'])),
      'What can be done with it beyond updating: sign in from the panel, clone and publish.',
      ['sesion', 'clonar'],
    ),
  }),
)
export const archivos = told(
  v.boolean(),
  "Whether the clone's files are published; uploads that only the site has stay. Yes where it is left out.",
  true,
)
export const tablas = told(
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[0-9A-Za-z_$]{1,64}$/, 'valor_no_admitido')), 'tipo_incorrecto'),
    v.maxLength(200, 'demasiados'),
  ),
  'Tables whose content in the clone replaces that in the site; none where it is left out.',
  ['wp_posts', 'wp_postmeta'],
)

export const sessionShape = named(
  'SesionDeAplicacion',
  'A link by which one signs in to the application.',
  v.strictObject({
    url: told(
      string,
      'It works once, for a minute.',
      'https://ejemplo.es/wp-login.php?controlpanel=3fJq0ZrT8m',
    ),
    caduca: told(timestamp, 'Until when.', '2026-11-21T09:31:00.000Z'),
  }),
)
export const offeredShape = named(
  'AplicacionInstalable',
  'An application that can be installed.',
  v.strictObject({
    aplicacion: told(v.picklist(APPLICATIONS), 'What `POST …/aplicacion` is sent.', 'dokuwiki'),
    nombre: told(string, 'Its name.', 'DokuWiki'),
    descripcion: told(
      string,
      'What it is for, in the language of the request.',
      'A wiki that keeps its pages in files and needs no database.',
    ),
    version: told(string, 'The version that would be installed.', '2022-07-31b'),
    idiomas: told(v.array(string), 'What `idioma` may be for it to be in that language.', ['en_US', 'es_ES']),
    php: told(v.array(string), 'The versions of PHP that it runs on here.', ['8.2']),
    base: told(v.boolean(), "Whether it takes one of the plan's databases.", false),
  }),
)
export type OfferedView = v.InferOutput<typeof offeredShape>
export type ApplicationView = v.InferOutput<typeof applicationShape>

/** What any work on the application of a site refuses with. */
export const REFUSALS: DeclaredError[] = [
  'sitio_no_existe',
  'aplicacion_no_existe',
  'aplicacion_no_disponible',
  'cliente_en_otro_nodo',
  'cliente_eliminandose',
  'cliente_suspendido',
  'funcion_de_pago',
  'php_no_disponible',
  'ya_en_curso',
  'no_disponible',
  'sin_espacio',
]

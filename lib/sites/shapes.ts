import * as v from 'valibot'
import { HTTPS_STATES, SITE_STATES } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { cause, client, created, node, nullable, string, when } from '../endpoint/shapes.ts'
import { cacheShape } from './cache-shapes.ts'
import { phpSettingsShape } from './php-shapes.ts'
import { errorPagesShape, guardShape, redirectShape } from './rules-shapes.ts'

const httpsShape = named(
  'Https',
  'The certificate that a site is served with.',
  v.strictObject({
    estado: told(
      v.picklist(HTTPS_STATES),
      '`activo`: browsers trust it. `autofirmado`: none has been asked for. `pendiente`: one is being asked for, or with `error`: it waits until a name leads here.',
      'activo',
    ),
    emisor: told(
      nullable(string),
      "The authority that issued it; null for the site's own, self-signed one.",
      "Let's Encrypt",
    ),
    caduca: when('When it ends; it is renewed before.', '2027-02-19T09:30:00.000Z'),
    nombres: told(v.array(string), 'The names that it is for.', ['ejemplo.es', 'www.ejemplo.es']),
    error: cause('Why the last attempt failed.'),
    se_reintenta: when('When the next attempt is, after one that failed.', null),
  }),
)

export const siteShape = named(
  'Sitio',
  'A site: a document root that the web server serves under its names.',
  v.strictObject({
    domain: told(string, 'Its name, its key, in A-labels.', 'ejemplo.es'),
    domain_unicode: told(string, 'The same for people to read.', 'ejemplo.es'),
    aliases: told(v.array(string), 'Its further names.', ['www.ejemplo.es']),
    cliente: client,
    nodo: node,
    estado: told(
      v.picklist(SITE_STATES),
      '`preparando`: not served yet. `error`: see `error`; tried again by itself until its job is `fallida`.',
      'activo',
    ),
    error: cause('What keeps it from being served.'),
    php: told(nullable(string), 'The version of PHP; null serves files alone.', '8.2'),
    php_disponibles: told(
      v.array(string),
      "What `php` may be: the versions of the client's node, ascending.",
      ['8.2', '8.4'],
    ),
    php_extensiones: told(
      v.array(string),
      'The extensions of its PHP, in alphabetical order; empty without PHP.',
      ['curl', 'gd', 'imagick'],
    ),
    envia_correo: told(
      nullable(v.boolean()),
      'Whether its programs can send mail: its node has a mail server for it. null while the node has not told.',
      true,
    ),
    https: httpsShape,
    solo_https: told(v.boolean(), 'Whether HTTP is to be redirected to HTTPS.', true),
    solo_https_en_espera: told(
      v.boolean(),
      'That this is held until the site has a certificate that browsers trust.',
      false,
    ),
    probado: told(
      v.boolean(),
      "Whether it was shown, for all of its names, that they are its client's or lead to this server; false for what a token or an admin granted, until the resolvers show it. What is proven stays so.",
      true,
    ),
    cache: told(nullable(cacheShape), 'The page cache; null where it is off.', null),
    php_ajustes: told(phpSettingsShape, 'The limits of its PHP.', {
      ...{ memoria_bytes: 268_435_456, subida_bytes: 67_108_864, segundos: 60, max_input_vars: 1000 },
      mostrar_errores: false,
    }),
    raiz_web: told(string, 'The folder that is served, below its own.', 'public'),
    indice_spa: told(v.boolean(), 'Whether addresses of no file are answered by `index.html`.', false),
    indice: told(v.array(string), 'The names of files that answer for a folder, the first that is there.', [
      ...['index.php', 'index.html', 'index.htm'],
    ]),
    redirecciones: told(v.array(redirectShape), 'Addresses that lead elsewhere.', [
      { de: '/tienda/*', a: 'https://tienda.ejemplo.es/*', codigo: 301 },
    ]),
    protegidas: told(v.array(guardShape), 'Parts that ask for a password.', [
      { ruta: '/privado', usuario: 'ana', con_contrasena: true },
    ]),
    paginas_error: told(errorPagesShape, 'Its own pages for errors.', { 404: '/errores/404.html' }),
    zona: told(nullable(string), 'The zone of the panel that holds its name.', 'ejemplo.es'),
    raiz: v.optional(
      told(string, 'Its directory on the node; told to admins and tokens.', '/srv/panel/sitios/7/12/public'),
    ),
    creado: created,
  }),
)

export type SiteView = v.InferOutput<typeof siteShape>

export const firstPageShape = named(
  'PortadaDeSitio',
  'What visitors get at the first page of a site, asked of the web server of its node.',
  v.strictObject({
    domain: told(v.string(), 'The site.', 'ejemplo.es'),
    direccion: told(
      v.string(),
      'What was asked for at last: redirects are followed among the names of the site.',
      'http://ejemplo.es/',
    ),
    estado: told(v.nullable(count), 'The status; null where nothing came within four seconds.', 200),
    titulo: told(v.nullable(v.string()), 'The title of the page; null without one.', 'Mi panadería'),
    bytes: told(v.nullable(count), 'The size of the page; null without an answer.', 5120),
    completa: told(v.boolean(), 'Whether it came whole: at most 512 KiB are read.', true),
    redirige: told(
      v.nullable(v.string()),
      'Where visitors are sent on, other than among its names; null where they are not.',
      null,
    ),
    ms: told(count, 'How long it took.', 18),
    comprobada: told(timestamp, 'When it was asked for.', '2026-11-21T09:30:00.000Z'),
  }),
)

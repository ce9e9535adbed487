import * as v from 'valibot'
import { aliases, told } from '../../lib/endpoint/fields.ts'
import { cacheInput, cacheRow } from '../../lib/sites/cache-shapes.ts'
import { phpSettingsInput, phpSettingsRow } from '../../lib/sites/php-shapes.ts'
import {
  errorPageRow,
  errorPagesInput,
  guardsInput,
  indexInput,
  indexRow,
  redirectRows,
  redirectsInput,
  singlePageInput,
  webRootInput,
} from '../../lib/sites/rules-shapes.ts'
import type { sites } from '../../schema/tables.ts'

/** The fields of a site that can be changed. */
export const changes = v.strictObject({
  aliases: v.optional(aliases),
  php: v.optional(
    told(
      v.nullable(v.pipe(v.string(), v.regex(/^[0-9]\.[0-9]{1,2}$/, 'php_invalido'))),
      'A version of PHP that the node has; null serves files alone.',
      '8.2',
    ),
  ),
  solo_https: v.optional(told(v.boolean(), 'Whether HTTP is redirected to HTTPS.', true)),
  php_ajustes: v.optional(phpSettingsInput),
  cache: v.optional(cacheInput),
  raiz_web: v.optional(webRootInput),
  indice_spa: v.optional(singlePageInput),
  indice: v.optional(indexInput),
  redirecciones: v.optional(redirectsInput),
  protegidas: v.optional(guardsInput),
  paginas_error: v.optional(errorPagesInput),
})

/** What of a change stands in the site's own row. */
export const columnsOf = (body: v.InferOutput<typeof changes>): Partial<typeof sites.$inferInsert> => ({
  ...(body.php === undefined ? {} : { php: body.php }),
  ...(body.solo_https === undefined ? {} : { httpsOnly: body.solo_https }),
  ...(body.php_ajustes === undefined ? {} : { phpSettings: phpSettingsRow(body.php_ajustes) }),
  ...(body.cache === undefined ? {} : { cache: cacheRow(body.cache) }),
  ...(body.raiz_web === undefined ? {} : { webRoot: body.raiz_web }),
  ...(body.indice_spa === undefined ? {} : { singlePage: body.indice_spa }),
  ...(body.indice === undefined ? {} : { indexFiles: indexRow(body.indice) }),
  ...(body.redirecciones === undefined ? {} : { redirects: redirectRows(body.redirecciones) }),
  ...(body.paginas_error === undefined ? {} : { errorPages: errorPageRow(body.paginas_error) }),
})

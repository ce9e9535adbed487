import { cacheView } from '../sites/cache-shapes.ts'
import { phpSettingsView } from '../sites/php-shapes.ts'
import { redirectsView } from '../sites/rules-shapes.ts'
import type { Entry, Translation } from './decide.ts'
import type { Settings } from './merge.ts'
import type { HtaccessView } from './shapes.ts'

const entryView = ({ file: archivo, line: linea, text: texto, setting: ajuste }: Entry) => ({
  ...{ archivo, linea, texto, ajuste },
})

/** What was translated; `done` says whether it was applied, and whether every file was found. */
export const htaccessView = (
  { taken, changed, left, settings }: Translation,
  done: { applied: boolean; whole: boolean },
): HtaccessView => ({
  toma: taken.map(entryView),
  cambia: changed.map((one) => ({ ...entryView(one), motivo: one.reason })),
  deja: left.map((one) => ({ ...entryView(one), motivo: one.reason })),
  ajustes: settingsView(settings),
  completo: done.whole,
  aplicado: done.applied,
})

/** As they are sent to `PATCH /sitios/<domain>`. */
function settingsView(settings: Settings): HtaccessView['ajustes'] {
  const { redirects, guards, errorPages, indexFiles, singlePage, httpsOnly, cache, php } = settings
  return {
    ...(redirects ? { redirecciones: redirectsView(redirects) } : {}),
    ...(guards ? { protegidas: guards.map(({ path, user }) => ({ ruta: path, usuario: user })) } : {}),
    ...(errorPages ? { paginas_error: errorPages } : {}),
    ...(indexFiles ? { indice: indexFiles } : {}),
    ...(singlePage ? { indice_spa: true } : {}),
    ...(httpsOnly ? { solo_https: true } : {}),
    ...(cache ? { cache: cacheView(cache) } : {}),
    ...(php ? { php_ajustes: phpSettingsView(php) } : {}),
  }
}

import { PAGE_STATUSES } from '../../schema/states.ts'
import { PHP_BOUNDS } from '../sites/php-shapes.ts'
import { LEVELS_MAX } from '../sites/rules-shapes.ts'
import { plainPattern } from './patterns.ts'
import type { Directive } from './read.ts'
import { HOLDS, left, type Verdict, type Wish, wishes } from './reasons.ts'
import { type Place, redirectStatus } from './rewrites.ts'

type Judge = (directive: Directive, place: Place) => Verdict

/** What a node does for all sites, or does not need to be told. */
const NEEDLESS =
  /^(?:addoutputfilterbytype|browsermatch|browsermatchnocase|filterdeclare|filterprovider|filterchain|filterprotocol|deflate[a-z]*|brotli[a-z]*|serversignature|acceptpathinfo|indexignore|indexignorereset|indexoptions|indexorderdefault|addicon[a-z]*|defaulticon|adddescription|headername|readmename|multiviewsmatch|languagepriority|forcelanguagepriority|checkspelling|modpagespeed)$/

const JUDGES: Record<string, Judge> = {
  redirect: judgeRedirect,
  redirectpermanent: judgeRedirect,
  redirecttemp: judgeRedirect,
  redirectmatch: judgeRedirectMatch,
  errordocument: judgeErrorDocument,
  directoryindex: judgeIndex,
  options: judgeOptions,
  php_value: judgePhp,
  php_flag: judgePhp,
  fileetag: ({ args }) => (args.some((one) => /none/i.test(one)) ? left('cabecera') : HOLDS),
  setoutputfilter: ({ args: [filter = ''] }) =>
    /^(?:deflate|brotli)/i.test(filter) ? HOLDS : left('manejador'),
  setenvif: judgeVariable,
  setenvifnocase: judgeVariable,
  setenv: () => left('variable'),
  unsetenv: () => left('variable'),
  passenv: () => left('variable'),
  requestheader: () => left('cabecera'),
  addtype: judgeType,
  addhandler: judgeHandler,
  sethandler: judgeHandler,
  removehandler: () => left('programas'),
  removetype: () => left('programas'),
  action: () => left('manejador'),
  addencoding: () => left('tipo'),
  forcetype: () => left('tipo'),
  defaulttype: () => left('tipo'),
  addcharset: () => left('juego_de_caracteres'),
  adddefaultcharset: () => left('juego_de_caracteres'),
}

/** A directive that needs no other to be understood. */
export function judgeOther(directive: Directive, place: Place): Verdict {
  const judge = JUDGES[directive.name]
  if (judge) return judge(directive, place)
  return NEEDLESS.test(directive.name) ? HOLDS : left('desconocida')
}

function judgeRedirect({ name, args }: Directive): Verdict {
  const named = /^redirect(permanent|temp)$/.exec(name)?.[1]
  const isTold = named === undefined && args[0] !== undefined && !args[0].startsWith('/')
  const [from = '', to = ''] = isTold ? args.slice(1) : args
  const status = redirectStatus(named ?? (isTold ? (args[0] ?? '') : ''))
  if (status === null) return left('codigo')
  const start = from.replace(/\/$/, '')
  // It takes along whatever stands below; a file has nothing there.
  const isFile = /\.[a-z0-9]{2,5}$/i.test(start)
  const isDeep = start.split('/').length - 1 > LEVELS_MAX
  const hasQuery = /[?#]/.test(to)
  const alone = isFile || isDeep || hasQuery
  const value = alone
    ? { from: start || '/', to, status: status.status }
    : { from: `${start}/*`, to: `${to.replace(/\/$/, '')}/*`, status: status.status }
  const change = status.change ?? (alone && !isFile ? 'solo_esa_direccion' : null)
  return wishes(change, { setting: 'redirecciones', value })
}

function judgeRedirectMatch({ args }: Directive): Verdict {
  const isTold = args.length > 2
  const [pattern = '', target = ''] = isTold ? args.slice(1) : args
  const status = redirectStatus(isTold ? (args[0] ?? '') : '')
  if (status === null) return left('codigo')
  const plain = plainPattern(pattern)
  const [, start = target, slash = ''] = /^(.*?)(\/?)\$1$/.exec(target) ?? []
  const takesRest = target.endsWith('$1')
  if (plain === null || /\$/.test(start) || (takesRest && plain.rest === 'none')) return left('expresion')
  if (takesRest && slash === '' && plain.rest !== 'with_slash') return left('expresion')
  const path = `/${plain.text}`
  const from = plain.takes === 'itself' ? path : `${path.replace(/\/$/, '')}/*`
  const value = { from, to: takesRest ? `${start}/*` : target, status: status.status }
  return wishes(status.change, { setting: 'redirecciones', value })
}

function judgeErrorDocument({ args: [status = '', page = ''], files }: Directive): Verdict {
  if (files !== null) return left('archivos_por_nombre')
  if (page.toLowerCase() === 'default') return HOLDS
  if (!PAGE_STATUSES.some((one) => one === status)) return left('codigo')
  return /\.html?$/i.test(page)
    ? wishes(null, { setting: 'paginas_error', value: { status, page } })
    : left('pagina')
}

function judgeIndex({ args, files }: Directive, { folder }: Place): Verdict {
  if (folder !== '/') return left('carpeta')
  const isPlain = args.length > 0 && args.every((one) => /^[A-Za-z0-9_][A-Za-z0-9._-]*\.[a-z]+$/.test(one))
  if (files !== null || !isPlain) return left('listado')
  return wishes(null, { setting: 'indice', value: [...new Set(args)] })
}

/** Folders are never listed, links lead to files of the same owner, and nothing but PHP runs. */
function judgeOptions({ args }: Directive): Verdict {
  for (const option of args) {
    if (/^-/.test(option) || /^\+?(?:followsymlinks|symlinksifownermatch|none)$/i.test(option)) continue
    if (/^\+?indexes$/i.test(option)) return left('listado')
    return left('manejador')
  }
  return HOLDS
}

function judgeVariable({ args }: Directive): Verdict {
  const sets = args.slice(2)
  const forCompression =
    sets.length > 0 && sets.every((one) => /^!?(?:no-gzip|gzip-only|dont-vary|no-brotli|force-)/i.test(one))
  const forPrograms = args.slice(0, 1).join().toLowerCase() === 'authorization'
  return forCompression || forPrograms ? HOLDS : left('variable')
}

/** As the web server's own list has it. */
const KNOWN_TYPE =
  /^(?:image\/(?:svg\+xml|webp|avif|x-icon)|font\/(?:woff2?|ttf|otf)|(?:text|application)\/javascript|application\/(?:json|ld\+json|manifest\+json|wasm|atom\+xml|rss\+xml|vnd\.ms-fontobject)|audio\/(?:mpeg|mp4|ogg)|video\/(?:mp4|ogg|webm)|text\/(?:css|html|plain|vtt|vcard|calendar))$/i
const PHP = /php|lsphp/i
function judgeType({ args: [type = '', ...names] }: Directive): Verdict {
  if (PHP.test(type)) return left('version_de_php')
  return KNOWN_TYPE.test(type) && names.every((one) => /^\.?(?!php|phtml|phar)[a-z0-9]+$/i.test(one))
    ? HOLDS
    : left('tipo')
}
function judgeHandler({ args: [handler = ''] }: Directive): Verdict {
  return left(
    PHP.test(handler) ? 'version_de_php' : /cgi|none|default/i.test(handler) ? 'programas' : 'manejador',
  )
}

const ON = /^(?:1|on|yes|true|stdout)$/i
/** What of PHP's settings a site has. */
function judgePhp({ args: [name = '', value = ''] }: Directive, { folder }: Place): Verdict {
  if (folder !== '/') return left(name === 'engine' ? 'programas' : 'carpeta')
  if (name === 'engine') return left('programas')
  const limited = (field: keyof typeof PHP_BOUNDS, wanted: number) => {
    const { least, most } = PHP_BOUNDS[field]
    // PHP takes whole numbers alone.
    const count = Math.trunc(wanted)
    const unlimited = wanted < 0 || (wanted === 0 && field === 'seconds')
    const within = Math.min(Math.max(unlimited ? most : count, least), most)
    if (!Number.isFinite(within)) return left('mal_escrita')
    const set: Wish = { setting: 'php_ajustes', value: { [field]: within } }
    return wishes(within === wanted ? null : 'limitado', set)
  }
  if (name === 'memory_limit') return limited('memoryBytes', bytesOf(value))
  if (name === 'upload_max_filesize' || name === 'post_max_size') {
    return limited('uploadBytes', bytesOf(value))
  }
  if (name === 'max_execution_time') return limited('seconds', Number(value || Number.NaN))
  if (name === 'max_input_vars') return limited('inputVariables', Number(value || Number.NaN))
  if (name !== 'display_errors') return left('ajuste_de_php')
  return wishes(null, { setting: 'php_ajustes', value: { showErrors: ON.test(value) } })
}

/** As PHP reads it, with K, M and G (its `zend_ini_parse_quantity`). */
function bytesOf(value: string): number {
  const [, count = '', unit = ''] = /^(-?[0-9]{1,12})\s*([KMG]?)$/i.exec(value.trim()) ?? []
  const power = 'KMG'.indexOf(unit.toUpperCase() || '-') + 1
  return count === '' ? Number.NaN : Number(count) * 1024 ** power
}

import { REDIRECT_STATUSES } from '../sites/rules-shapes.ts'
import { isAnything, isNeverServed, literal, plainPattern } from './patterns.ts'
import type { Directive } from './read.ts'
import { type Change, HOLDS, left, type Reason, type Verdict, wishes } from './reasons.ts'

/** Where a file's rules apply, and what they are about. */
export type Place = {
  /** The address of its folder, `/` or such as `/tienda`. */
  folder: string
  /** All of the site's names. */
  names: readonly string[]
  /** For a folder above what is served, the path from there to it; null for all others. */
  leadsTo: string | null
}

/** What the addresses below a folder begin with. */
export const below = ({ folder }: Place): string => (folder === '/' ? '' : folder)

type Condition = { test: string; pattern: string; flags: Set<string> }
type Rule = {
  pattern: string
  target: string
  flags: Map<string, string>
  conditions: Condition[]
  place: Place
  base: string
}

const ALIASES: Record<string, string> = {
  ...{ redirect: 'R', last: 'L', nocase: 'NC', forbidden: 'F', gone: 'G', qsappend: 'QSA', noescape: 'NE' },
  ...{
    env: 'E',
    skip: 'S',
    passthrough: 'PT',
    cookie: 'CO',
    discardpath: 'DPI',
    qsdiscard: 'QSD',
    chain: 'C',
  },
}

/** What becomes of the rules of a file, each with its conditions; `say` is told of each directive. */
export function judgeRewrites(
  directives: Directive[],
  place: Place,
  say: (directive: Directive, verdict: Verdict) => void,
): void {
  const base = directives.find(({ name }) => name === 'rewritebase')?.args[0] ?? `${below(place)}/`
  const isOn = directives.findLast(({ name }) => name === 'rewriteengine')?.args[0]?.toLowerCase() === 'on'
  let conditions: Condition[] = []
  let skipped = false
  for (const directive of directives) {
    const [first = '', second = '', third = ''] = directive.args
    if (!isOn) say(directive, directive.name === 'rewriteengine' ? HOLDS : left('apagada'))
    else if (directive.name === 'rewritecond') {
      conditions.push({ test: first, pattern: second, flags: new Set(flagsOf(third).keys()) })
    } else if (directive.name === 'rewriterule') {
      const target = second.replace(/\\(.)/g, '$1')
      const rule = { pattern: first, target, flags: flagsOf(third), conditions, place, base }
      // What a rule before it may skip is not understood without that one.
      const judged = place.leadsTo === null ? judgeRule : judgeAbove
      say(directive, skipped ? left('condiciones') : judged(rule))
      skipped ||= rule.flags.has('S') || rule.flags.has('C')
      conditions = []
    } else say(directive, directive.name === 'rewriteoptions' ? left('reescritura') : HOLDS)
  }
}

function flagsOf(text: string): Map<string, string> {
  const flags = text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .filter((one) => one.trim() !== '')
  return new Map(
    flags.map((one) => {
      const [name = '', ...value] = one.trim().split('=')
      return [ALIASES[name.toLowerCase()] ?? name.toUpperCase(), value.join('=')]
    }),
  )
}

function judgeRule(rule: Rule): Verdict {
  const { pattern, target, flags, conditions } = rule
  if (flags.has('S') || flags.has('C')) return left('condiciones')
  if (/\/cache\//.test(target) && /^\/?wp-content|wp-content\/cache/.test(target))
    return left('cache_de_paginas')
  if (flags.has('E') && target === '-') return judgeVariable(flags)
  if (flags.has('F') || flags.has('G') || isRefusal(flags)) return judgeRefusal(rule)
  if (target === '-') return judgeNothing(rule)
  const isHttps = toHttps(rule)
  if (isHttps) return isHttps
  if (flags.has('R') || /^https?:\/\//i.test(target)) return judgeRedirect(rule)
  const isFront = /^(?:\.?\/)?(?:[^?%$]*\/)?index\.(?:php|html?)(?:[/?].*)?$/s.test(target)
  if (isFront && conditions.every(isOfFiles)) return judgeFront(rule)
  if (/^\/?[\w.-]+\/\$[01]$/.test(target) && isAnything(pattern)) return left('raiz_web')
  return left('reescritura')
}

/** Above what is served, whatever leads there is done already, and all else is for files that nobody is served. */
function judgeAbove(rule: Rule): Verdict {
  const { target, flags } = rule
  const isPlain = [...flags.keys()].every((flag) => /^(?:L|END|NC|QSA|PT|NE|DPI)$/.test(flag))
  if (!isPlain) return left('encima')
  if (target === '-') return 'holds' in judgeNothing(rule) ? HOLDS : left('encima')
  return leadsToRoot(rule) ? HOLDS : left('encima')
}

/** Whether a rule only puts the address of what is served before each address. */
function leadsToRoot({ pattern, target, conditions, place, base }: Rule): boolean {
  const { leadsTo, names } = place
  if (leadsTo === null || !conditions.every((one) => isOfFiles(one) || isOwnHost(one, names))) return false
  const own = target.startsWith(base) ? target.slice(base.length) : target.replace(/^\.?\//, '')
  if (own !== leadsTo && !own.startsWith(`${leadsTo}/`) && !own.startsWith(`${leadsTo}%`)) return false
  const rest = own.slice(leadsTo.length)
  // Its own front page, or the same address with what an expression such as `((?!public/).*)` took of it.
  if (/^\^(?:\/\?)?\$$/.test(pattern)) return /^\/?(?:index\.(?:php|html))?$/.test(rest)
  const isAll = isAnything(pattern) || /^\^\(\(\?!\^?\/?[\w/-]+\)\.[*+]\)\$?$/.test(pattern)
  return isAll && /^\/?(?:\$[01]|%\{REQUEST_URI\})$/.test(rest)
}

/** Whether a condition is that one of the site's own names was asked for. */
function isOwnHost({ test, pattern }: Condition, names: readonly string[]): boolean {
  const [, name = ''] = /^\^?(?:\(www\\?\.\)\?)?(.+?)\$?$/.exec(pattern) ?? []
  const host = literal(name)?.toLowerCase()
  return /^%\{(?:HTTP_HOST|SERVER_NAME)\}$/.test(test) && host !== undefined && names.includes(host)
}

/** Programs get what visitors authorise themselves with. */
const judgeVariable = (flags: Map<string, string>): Verdict =>
  /^HTTP_AUTHORIZATION:/i.test(flags.get('E') ?? '') ? HOLDS : left('variable')

const isRefusal = (flags: Map<string, string>) => /^(?:4[0-9]{2}|503)$/.test(flags.get('R') ?? '')

function judgeRefusal({ pattern, conditions, place }: Rule): Verdict {
  if (conditions.length > 0) return left(reasonOf(conditions))
  const last = pattern.replace(/^\^?(?:\(?\^?\|?\/\)?|\(\.\*\/\)\?)?/, '^')
  if (
    /^"?(?:\/\\\.|\(\^\|\/\)\\\.|\(\?:\^\|\/\)\\\.)/.test(pattern) ||
    isNeverServed({ pattern: true, value: last })
  ) {
    return HOLDS
  }
  const plain = plainPattern(pattern) ?? prefixOf(pattern)
  if (plain === null || plain.text === '') return left(isAnything(pattern) ? 'condiciones' : 'expresion')
  const path = `${below(place)}/${plain.text}`.replace(/\/$/, '')
  return wishes('cerrada', { setting: 'protegidas', value: { path, user: NOBODY } })
}

/** A protected part lets nobody in before its password was made. */
export const NOBODY = 'nadie'

function prefixOf(pattern: string): { text: string } | null {
  const text = /^\^.*\/$/.test(pattern) ? literal(pattern.slice(1)) : null
  return text === null ? null : { text }
}

/** Ends the rules for what is there, or for the program itself, as is done for all sites. */
function judgeNothing({ pattern, flags, conditions }: Rule): Verdict {
  const isEnd = flags.has('L') || flags.has('END') || flags.size === 0
  const ofProgram = /^\^?(?:\/\?)?index\\?\.(?:php|html)\$?$/.test(pattern) && conditions.length === 0
  return isEnd && (ofProgram || (conditions.length > 0 && conditions.every(isOfFiles)))
    ? HOLDS
    : left('reescritura')
}

const FILE_TEST = /^%\{(?:REQUEST_FILENAME|SCRIPT_FILENAME)\}|^%\{DOCUMENT_ROOT\}/
/** Whether a condition is about what is there as a file, or keeps single addresses out, as the panel does. */
const isOfFiles = ({ test, pattern }: Condition): boolean =>
  (FILE_TEST.test(test) && /^!?-[dfFlLsx]$/.test(pattern)) ||
  (/^%\{(?:REQUEST_URI|REQUEST_FILENAME)\}$/.test(test) && pattern.startsWith('!')) ||
  // Joomla's: addresses that may be pages.
  (test === '%{REQUEST_URI}' && pattern.startsWith('/component/|'))

function judgeFront({ target, place, base }: Rule): Verdict {
  const own = target.startsWith(base) ? target.slice(base.length) : target.replace(/^\.?\//, '')
  const [, kind = '', rest = ''] = /^index\.(php|html?)(.*)$/.exec(own) ?? []
  if (kind === '') return left(/^[\w.-]+\/index\./.test(own) ? 'raiz_web' : 'reescritura')
  if (place.folder !== '/') return left('carpeta')
  if (/=(?:\$|%\{REQUEST_URI\})/.test(rest)) return left('ruta_como_parametro')
  if (kind === 'html') return wishes(null, { setting: 'indice_spa', value: true })
  if (kind === 'htm') return left('reescritura')
  return rest === '' || rest === '?' ? HOLDS : { holds: true, change: 'sin_path_info' }
}

const OWN_HOST = /^https:\/\/(?:www\.)?%\{(?:HTTP_HOST|SERVER_NAME)\}/
/** Plain HTTP led to HTTPS, under the same name. */
function toHttps({ target, pattern, conditions, place }: Rule): Verdict | null {
  const [, host = '', path = ''] = /^https:\/\/([^/%$]+|%\{[A-Z_]+\})(.*)$/is.exec(target) ?? []
  const isOwn =
    (OWN_HOST.test(target) && !target.startsWith('https://www.')) || place.names.includes(host.toLowerCase())
  const isWhole = /^\/?(?:%\{REQUEST_URI\}|\$1|\$0)$/.test(path) && isAnything(pattern)
  const others = conditions.filter((one) => !isAboutTls(one) && !isOfProof(one))
  if (!isOwn || !isWhole || !conditions.some(isAboutTls)) return null
  if (others.length > 0) return left(reasonOf(others))
  return wishes(null, { setting: 'solo_https', value: true })
}

const isAboutTls = ({ test, pattern }: Condition) =>
  (/^%\{HTTPS\}$/i.test(test) && /^(?:!=?\^?on\$?|=?\^?off\$?)$/i.test(pattern)) ||
  (test === '%{SERVER_PORT}' && /^(?:!=?\^?443\$?|=?\^?80\$?)$/.test(pattern)) ||
  (/^%\{HTTP:X-Forwarded-(?:Proto|SSL)\}$/i.test(test) &&
    /^(?:!=?\^?(?:https|on)\$?|=?\^?http\$?)$/i.test(pattern)) ||
  (test === '%{REQUEST_SCHEME}' && /^(?:!=?https|=?http)$/.test(pattern))

/** Keeps an authority's challenge as it is, which the panel answers in any case. */
const isOfProof = ({ test, pattern }: Condition) =>
  test === '%{REQUEST_URI}' && pattern.startsWith('!') && /well-known|cpaneldcv|Comodo/.test(pattern)

function reasonOf(conditions: Condition[]): Reason {
  const about = conditions.map(({ test }) => test).join()
  if (/QUERY_STRING|THE_REQUEST/.test(about)) return 'por_consulta'
  if (/HTTP_HOST|SERVER_NAME/.test(about)) return 'por_nombre'
  if (/REMOTE_ADDR|REMOTE_HOST|X-Forwarded-For/i.test(about)) return 'por_direccion'
  return 'condiciones'
}

const STATUSES: Record<string, number> = { permanent: 301, temp: 302, seeother: 303, '': 302 }

/** A status that a redirect of the panel has, and what is otherwise with it; null where it is none. */
export function redirectStatus(given: string): { status: number; change: Change | null } | null {
  const status = STATUSES[given.toLowerCase()] ?? Number(given)
  if (status === 303) return { status: 302, change: 'codigo_302' }
  return REDIRECT_STATUSES.includes(status) ? { status, change: null } : null
}

function judgeRedirect({ pattern, target, flags, conditions, place, base }: Rule): Verdict {
  const others = conditions.filter((one) => !isOfProof(one))
  if (others.length > 0) return left(reasonOf(others))
  const status = redirectStatus(flags.get('R') ?? '')
  const plain = plainPattern(pattern)
  if (status === null) return left('codigo')
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(target)) return left('destino')
  const kept = /^(.*?)(\/?)(?:\$[01]|%\{REQUEST_URI\})$/.exec(target)
  const [, start = target, slash = ''] = kept ?? []
  if (plain === null || /[%$]/.test(start) || (kept !== null && plain.rest === 'none'))
    return left('expresion')
  if (target.endsWith('$0') && plain.text !== '') return left('expresion')
  const isWhole = /^https?:\/\//i.test(start) || start.startsWith('/')
  const dropsQuery = start.endsWith('?')
  const destination = `${isWhole ? '' : base}${start}`.replace(/\?$/, '')
  const joins =
    slash === '/' ||
    plain.rest === 'with_slash' ||
    target.endsWith('%{REQUEST_URI}') ||
    destination.endsWith('/')
  if (kept !== null && !joins) return left('expresion')
  const path = `${below(place)}/${plain.text}`
  const from = plain.takes === 'itself' ? path : `${path.replace(/\/$/, '')}/*`
  const to = kept === null ? destination : `${destination.replace(/\/$/, '')}/*`
  const change =
    status.change ?? (dropsQuery ? 'consulta' : flags.has('NC') && plain.text !== '' ? 'mayusculas' : null)
  return wishes(change, { setting: 'redirecciones', value: { from, to, status: status.status } })
}

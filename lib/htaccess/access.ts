import { isNeverServed, literal } from './patterns.ts'
import type { Directive, FilesScope } from './read.ts'
import { HOLDS, left, type Verdict, wishes } from './reasons.ts'
import { below, NOBODY, type Place } from './rewrites.ts'

/** Who is let in, by the old words and the new ones (mod_access_compat, mod_authz_core, mod_auth_basic). */

const AUTHENTICATION =
  /^(?:authtype|authname|authuserfile|authgroupfile|authbasicprovider|authbasicauthoritative|authmerging)$/
export const isAccess = (name: string): boolean =>
  AUTHENTICATION.test(name) || /^(?:order|allow|deny|require|satisfy)$/.test(name)

/** What becomes of these directives, which are all of one place: a folder, or some of its files. */
export function judgeAccess(
  directives: Directive[],
  place: Place,
  say: (directive: Directive, verdict: Verdict) => void,
): void {
  const [first] = directives
  if (!first) return
  const whole = judgeWhole(directives, first.files, place)
  const others: Verdict = 'wishes' in whole ? { holds: true, part: 'protegidas' } : whole
  for (const [index, directive] of directives.entries()) say(directive, index === 0 ? whole : others)
}

function judgeWhole(directives: Directive[], files: FilesScope | null, place: Place): Verdict {
  const words = directives.map(({ name, args }) => [name, ...args].join(' ').toLowerCase())
  const has = (expression: RegExp) => words.some((one) => expression.test(one))
  const asks = has(/^require (?:valid-user|user |group )/)
  // Of several `Require` one is enough, and what is allowed counts last where nothing else is told.
  const opens = has(/^allow from all$/) && !has(/^order (?:allow,deny|mutual-failure)$/)
  const denies =
    (has(/^require all denied$/) && !has(/^require all granted$/)) || (has(/^deny from all$/) && !opens)
  const byAddress =
    has(/^require (?:not )?(?:ip|host|local|forward-dns|expr|env|method)/) ||
    has(/^(?:allow|deny) from (?!all$)/)
  if (!asks && !denies && !byAddress) return HOLDS
  if (files !== null && isNeverServed(files)) return HOLDS
  if (byAddress) return left('por_direccion')
  if (files?.pattern && /php|phtml|phar|\bcgi\b/.test(files.value) && literal(files.value) === null)
    return left('programas')
  const name = files === null ? '' : nameOf(files)
  if (name === null || (files !== null && name === '')) return left('archivos_por_nombre')
  const path = `${below(place)}${name === '' ? '' : `/${name}`}` || '/'
  const asked = directives.find(({ name, args }) => name === 'require' && args[0]?.toLowerCase() === 'user')
  const user = asked?.args[1] ?? SOMEBODY
  if (asks) return wishes('contrasena_nueva', { setting: 'protegidas', value: { path, user } })
  return wishes(files === null ? 'cerrada' : 'solo_en_su_carpeta', {
    setting: 'protegidas',
    value: { path, user: NOBODY },
  })
}

/** Who gets in where a file names nobody. */
const SOMEBODY = 'usuario'

/** The one file that is meant; null where it may be several. */
function nameOf({ pattern, value }: FilesScope): string | null {
  if (!pattern) return /[*?[\]]/.test(value) ? null : value
  const [, body] = /^\^(.+)\$$/.exec(value) ?? []
  return body === undefined ? null : literal(body)
}

import { type Directive, readDirectives } from '../../htaccess/read.ts'

/** Who is let in by an address or the like; of any of these alone it is not known who that is here. */
const BY_ADDRESS = /^require (?:ip|host|local|forward-dns|expr|env|ldap-\S+|dbm-\S+|file-\S+)\b/
const ASKS = /^require (?:valid-user|user|group)\b/

/**
 * Whether a `.htaccess` asks a password of all visitors of its folder, or closes it to all or to all but some, however
 * that is written: also by what its translation has no setting for. Null where everybody or nearly everybody gets in.
 */
export function closedFolder(text: string): 'asks' | 'closed' | null {
  const whole = readDirectives(text).filter((one) => isOfFolder(one))
  const words = whole.map(({ name, args }) => [name, ...args].join(' ').toLowerCase())
  const has = (expression: RegExp) => words.some((one) => expression.test(one))
  if (has(ASKS)) return 'asks'
  const isFree = has(/^require all granted$/)
  if (!isFree && (has(/^require all denied$/) || has(BY_ADDRESS))) return 'closed'
  // `Order` tells what holds for whom neither of the others names.
  const [allowsAll, deniesAll] = [has(/^allow from all\b/), has(/^deny from all\b/)]
  const deniesLast = has(/^order (?:allow,deny|mutual-failure)$/)
  if (deniesAll) return allowsAll && !deniesLast ? null : 'closed'
  return deniesLast && !allowsAll && has(/^allow from /) ? 'closed' : null
}

/** What is for some files or for some methods alone closes no folder; `Limit` was written around all there is. */
const isOfFolder = ({ files, within }: Directive): boolean =>
  files === null && !within.some((section) => /^(?:limitexcept|if|elseif|else|requirenone)$/.test(section))

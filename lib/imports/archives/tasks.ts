import { nextOf } from '../../schedules/pattern.ts'
import type { Contents } from './contents.ts'

/** A task as a site runs it. */
export type Task = { domain: string; pattern: string; argv: string[] }
type Known = { homes: Contents['homes']; php: (domain: string) => string | null }

/** No longer than what is still looked through at once. */
const LONGEST = 1_000
const SINK = /(?:\s*(?:[12&]?>>?\s*(?:\/dev\/null|&[12])))+\s*$/
/** What a shell would take for more than a word. */
const SHELL = /[|&;<>()$`*?~{}[\]!#\\\n%]/
const WORD = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"]+))(?=\s|$)/y
const PHP = /^(?:\/\S*\/)?(?:ea-)?php(?:\d+(?:\.\d+)?)?(?:-cli)?$/
/** A directory of a customer on either panel, whatever its user is called there. */
const HOME = /^\/home\d*\/[^/]+\/(.+)$/

/** A line of a crontab in the panel's own terms; null for what needs a shell, or a program that is not in the cage. */
export function taskOf({ pattern, command }: Contents['tasks'][number], known: Known): Task | null {
  if (command.length > LONGEST) return null
  if (nextOf(pattern, new Date(0)) === null) return null
  const [, folder, rest] = /^cd\s+(\S+)\s*&&\s*(.+)$/s.exec(command.trim()) ?? []
  const words = wordsOf((rest ?? command).replace(SINK, ''))
  if (words === null) return null
  const place = folder === undefined ? null : placeOf(folder, known)
  if (folder !== undefined && place === null) return null
  const [program = '', ...more] = words
  if (/^(?:\/usr\/bin\/)?(?:wget|curl)$/.test(program)) return visited(pattern, more, known)
  if (!PHP.test(program)) return null
  const named = more.map((word) => placeOf(word, known))
  const domain = place?.domain ?? named.find((one) => one !== null)?.domain
  const php = domain === undefined ? null : known.php(domain)
  if (domain === undefined || php === null) return null
  const argv = more.map((word, at) => {
    const found = named[at]
    if (found) return found.domain === domain ? found.path : `/sitios/${found.domain}/${found.path}`
    const isScript = place !== null && /^[\w./-]+\.php$/.test(word) && !word.startsWith('/')
    return isScript ? `${place.path}/${word.replace(/^\.\//, '')}` : word
  })
  if (argv.some((word) => word.startsWith('/') && !word.startsWith('/sitios/'))) return null
  return { domain, pattern, argv: [`php${php}`, ...argv] }
}

/** A request to a script of a site, which the script's own program does as well. */
function visited(pattern: string, words: string[], { homes, php }: Known): Task | null {
  const [address, ...others] = words.filter((word) => /^https?:\/\//.test(word))
  if (address === undefined || others.length > 0 || !URL.canParse(address)) return null
  const { hostname, pathname, search } = new URL(address)
  const home = homes.find(({ domain }) => domain === hostname || `www.${domain}` === hostname)
  const version = home ? php(home.domain) : null
  const isPlain = search === '' || search === '?doing_wp_cron'
  if (!home || version === null || !isPlain || !/^(?:\/[\w.-]+)+\.php$/.test(pathname)) return null
  return { domain: home.domain, pattern, argv: [`php${version}`, `public${pathname}`] }
}

function placeOf(word: string, { homes }: Pick<Known, 'homes'>): { domain: string; path: string } | null {
  const [, path] = HOME.exec(word) ?? []
  if (path === undefined || path.split('/').includes('..')) return null
  const bare = path.replace(/\/+$/, '')
  const home = homes
    .filter((one) => bare === one.path || bare.startsWith(`${one.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return home ? { domain: home.domain, path: `public${bare.slice(home.path.length)}` } : null
}

/** Words without anything that only a shell understands; null otherwise. */
function wordsOf(command: string): string[] | null {
  const text = command.trim()
  const words: string[] = []
  WORD.lastIndex = 0
  while (WORD.lastIndex < text.length) {
    const found = WORD.exec(text)
    if (!found) return null
    const [, single, double, plain] = found
    if (plain !== undefined && SHELL.test(plain.replace(/^https?:\/\/\S+$/, ''))) return null
    words.push(single ?? double ?? plain ?? '')
  }
  return words.length > 0 && words.length < 30 ? words : null
}

import type { Reason } from './reasons.ts'

/** Reads the text of a `.htaccess` as Apache does (its `server/util.c` and `server/config.c`), and judges nothing. */

const LINES_MAX = 2_000
/** Apache's own bound of a line with what continues it. */
const LINE_LENGTH_MAX = 8_192
const NESTING_MAX = 20
const SHOWN_LENGTH = 200

/** The files that a directive is for, by their name alone or by an expression. */
export type FilesScope = { pattern: boolean; value: string }
export type Directive = {
  line: number
  /** In lower-case letters. */
  name: string
  args: string[]
  /** As it stands there, for people. */
  text: string
  files: FilesScope | null
  /** Why it cannot be in force here, whatever it is. */
  barred: Reason | null
  /** The names of the sections that it stands in, the outermost first. */
  within: string[]
}

type Section = { name: string; files: FilesScope | null; barred: Reason | null; skipped: boolean }

/** Parts of Apache that a node does the work of, so that what depends on them is looked at. */
const MODULES =
  /^(?:(?:mod_)?(?:alias|rewrite|headers|expires|deflate|brotli|filter|mime|dir|env|setenvif|autoindex|negotiation|auth_basic|authn_core|authn_file|authz_core|authz_host|authz_user|version|php[0-9]*|lsapi|proxy_fcgi)(?:\.c|_module)?)$/

/** The directives in order; those of sections that Apache would skip with all of these modules are left out. */
export function readDirectives(text: string): Directive[] {
  const found: Directive[] = []
  const open: Section[] = []
  for (const { line, content } of logicalLines(text)) {
    const [, closing, name = '', rest = ''] =
      /^<(\/?)([A-Za-z]+)\s*(.*?)>?$/s.exec(content) ?? /^()([^\s<]+)\s*(.*)$/s.exec(content) ?? []
    const about = { line, text: shown(content) }
    if (name === '') found.push(broken(about))
    else if (!content.startsWith('<')) found.push(directive(open, { ...about, name, rest }))
    else if (closing === '') {
      if (open.length >= NESTING_MAX) return [...found, broken(about)]
      open.push(sectionOf(name.toLowerCase(), wordsOf(rest)))
    } else if (open.pop()?.name !== name.toLowerCase()) return [...found, broken(about)]
  }
  return found.filter(({ name }) => name !== '')
}

const shown = (content: string) => content.replace(/\s+/g, ' ').slice(0, SHOWN_LENGTH)

const broken = (about: { line: number; text: string }): Directive => ({
  ...{ ...about, name: '?', args: [], files: null, barred: 'mal_escrita', within: [] },
})

function directive(
  open: Section[],
  { line, text, name, rest }: { line: number; text: string; name: string; rest: string },
): Directive {
  // With no name it is left out in the end.
  const isSkipped = open.some(({ skipped }) => skipped)
  return {
    ...{
      line,
      text,
      args: name.toLowerCase().startsWith('rewrite') ? rawWordsOf(rest) : wordsOf(rest),
      name: isSkipped ? '' : name.toLowerCase(),
    },
    files: open.findLast(({ files }) => files !== null)?.files ?? null,
    barred: open.find(({ barred }) => barred !== null)?.barred ?? null,
    within: open.map(({ name }) => name),
  }
}

function sectionOf(name: string, args: string[]): Section {
  const [first = '', second = ''] = args
  const section = { name, files: null, barred: null, skipped: false }
  if (name === 'files' && first !== '~') return { ...section, files: { pattern: false, value: first } }
  if (name === 'files') return { ...section, files: { pattern: true, value: second } }
  if (name === 'filesmatch') return { ...section, files: { pattern: true, value: first } }
  if (name === 'ifversion') return { ...section, skipped: !isVersion(args) }
  if (name !== 'ifmodule') return { ...section, barred: 'seccion' }
  const isThere = MODULES.test(first.replace(/^!/, '').toLowerCase())
  if (first.startsWith('!')) return { ...section, skipped: isThere }
  return { ...section, barred: isThere ? null : 'modulo' }
}

/** Whether a condition holds for Apache 2.4. */
function isVersion(args: string[]): boolean {
  const [operator = '', version = ''] = args.length > 1 ? args : ['=', args[0] ?? '']
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const order = Math.sign(2 * 1000 + 4 - (major * 1000 + minor))
  if (operator.startsWith('>')) return order > 0 || (order === 0 && operator.includes('='))
  if (operator.startsWith('<')) return order < 0 || (order === 0 && operator.includes('='))
  return (order === 0) !== operator.startsWith('!')
}

/** A line that goes on, or a new one. */
const continued = (begun: Line | null, line: number): Line => begun ?? { line, content: '' }

type Line = { line: number; content: string }

/** Lines with what a backslash at their end continues, without comments and empty ones. */
function logicalLines(text: string): Line[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, LINES_MAX)
  const found: Line[] = []
  let begun: Line | null = null
  for (const [index, line] of lines.entries()) {
    const { line: first, content } = continued(begun, index + 1)
    const isContinued = line.endsWith('\\') && index + 1 < lines.length
    const whole = content + (isContinued ? line.slice(0, -1) : line)
    begun = isContinued && whole.length <= LINE_LENGTH_MAX ? { line: first, content: whole } : null
    if (begun !== null) continue
    const trimmed = whole.trim()
    if (trimmed !== '' && !trimmed.startsWith('#')) {
      found.push({ line: first, content: trimmed.slice(0, LINE_LENGTH_MAX) })
    }
  }
  return found
}

/** Words, parted by blanks unless they are quoted (`ap_getword_conf`). */
function wordsOf(text: string): string[] {
  const words: string[] = []
  const word = /\s*(?:"((?:\\.|[^"\\])*)(?:"|\\?$)|'((?:\\.|[^'\\])*)(?:'|\\?$)|(\S+))/y
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    const [, double, single, plain = ''] = found
    words.push(
      double?.replace(/\\(["\\])/g, '$1') ??
        single?.replace(/\\(['\\])/g, '$1') ??
        plain.replaceAll('\\\\', '\\'),
    )
  }
  return words
}

/** As mod_rewrite parts its arguments: a backslash keeps a blank, and stays. */
const rawWordsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:\\.|[^"\\])*)"|((?:\\\s|\S)+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

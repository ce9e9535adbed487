/** What a simple regular expression of an address or a file's name stands for. */

/** Longer expressions are not looked at. */
const LENGTH_MAX = 500

type Plain = {
  /** The literal part, without a slash at its beginning. */
  text: string
  /** The very address, all below it, or both; `rest`: whether a first group holds what follows. */
  takes: 'itself' | 'below' | 'both'
  rest: 'none' | 'after_slash' | 'with_slash'
}

const ENDS: [RegExp, Omit<Plain, 'text'>][] = [
  [/^\(\.[*+]\)\$?$/, { takes: 'both', rest: 'after_slash' }],
  [/\((?:\?:)?\/\.\*\)\?\$$/, { takes: 'both', rest: 'with_slash' }],
  [/\((?:\/\|\$)\)?\(\.\*\)\$?$/, { takes: 'both', rest: 'none' }],
  [/\/\?\(\.\*\)\$?$/, { takes: 'both', rest: 'after_slash' }],
  [/\/\(\.[*+]\)\$?$/, { takes: 'below', rest: 'after_slash' }],
  [/\/\.[*+]\$?$/, { takes: 'below', rest: 'none' }],
  [/\/\?\$$/, { takes: 'itself', rest: 'none' }],
  [/\/?\$$/, { takes: 'itself', rest: 'none' }],
  [/\/$/, { takes: 'below', rest: 'none' }],
]
const ANYTHING =
  /^(?:\^|\.\*|\^\.\*\$?|\(\.\*\)|\^\(\.\*\)\$?|\^\/\?\(\.\*\)\$?|\^\(\.\+\)\$?|\(\.\+\)\$?|\^\.\+\$|\.|\^\.|)$/

/** Whether a pattern of a `RewriteRule` fits every address. */
export const isAnything = (pattern: string): boolean => ANYTHING.test(pattern)

/** The addresses that a pattern fits, where they can be told without an expression; null otherwise. */
export function plainPattern(pattern: string): Plain | null {
  if (pattern.length > LENGTH_MAX) return null
  if (isAnything(pattern)) return { text: '', takes: 'both', rest: 'after_slash' }
  if (!pattern.startsWith('^')) return null
  const body = pattern.slice(1).replace(/^\/\??/, '')
  for (const [end, about] of ENDS) {
    const found = end.exec(body)
    const text = found && literal(body.slice(0, found.index))
    if (text) return { text, ...about }
  }
  // Without an end it fits whatever begins so; a file's name is meant to be the end.
  const text = literal(body)
  return text && /\.[a-z0-9]{2,5}$/i.test(text) ? { text, takes: 'itself', rest: 'none' } : null
}

/** An expression without anything but characters; a lone dot is meant as one. */
export function literal(expression: string): string | null {
  const plain = /^(?:[A-Za-z0-9_~%@:,!=&'/. -]|[\u00a1-\uffff]|\\[^A-Za-z0-9])*$/
  return plain.test(expression) ? expression.replace(/\\(.)/g, '$1') : null
}

/** The words that an expression names in one place, such as endings of files; null where it is not of that form. */
function alternatives(expression: string): string[] | null {
  const [, body] = /^(?:\((?:\?:|\?i:)?)?([^()]*)\)?$/.exec(expression) ?? []
  if (body === undefined) return null
  const words = body.split('|').flatMap((one) => optionals(one))
  return words.every((one) => /^[a-z0-9_.~-]+$/i.test(one)) ? words : null
}

/** `jpe?g` is two of them; what has several of these is no word. */
function optionals(word: string): string[] {
  if (word.indexOf('?') !== word.lastIndexOf('?')) return [word]
  const [, before = '', letter = '', after = ''] = /^(.*?)([a-z0-9])\?(.*)$/i.exec(word) ?? []
  if (letter === '') return [word.replace(/\\(.)/g, '$1')]
  return [before + after, before + letter + after]
}

/** The endings of files' names that an expression stands for; null where it stands for something else. */
export function endings(expression: string): string[] | null {
  if (expression.length > LENGTH_MAX) return null
  const [, body] = /^(?:\^?\.[*+])?\\?\.(\(.*\)|[^()|]+)\$?$/.exec(expression.replace(/^\(\?i\)/, '')) ?? []
  return body === undefined ? null : (alternatives(body)?.map((one) => one.toLowerCase()) ?? null)
}

/** What no site serves, as the web server's configuration has it. */
const UNSERVED_ENDING = /^(?:bak|old|orig|save|sw[a-p]|sql|dump|log)$/i
const UNSERVED_NAME =
  /^\.|[~#]$|\.(?:bak|old|orig|save|sw[a-p]|sql|dump|log)(?:\.(?:[0-9]+|gz|bz2|xz|zst|zip|7z))*$|^wp-config\.php\./i

const HT_FILE = /^ht(?:access|passwd|group)$/i

/** Whether nothing that a name or an expression stands for is ever served. */
export function isNeverServed({ pattern, value }: { pattern: boolean; value: string }): boolean {
  if (value.length > LENGTH_MAX) return false
  if (!pattern) return UNSERVED_NAME.test(value) && !value.includes('*')
  const expression = value.replace(/^\(\?i\)/, '')
  const [, named = ''] = /^(?:\^|\(\^\|\/\))\(?(?:\?:)?(.*?)\)?\$?$/.exec(expression) ?? []
  if (named !== '' && named.split('|').every((one) => one.startsWith('\\.'))) return true
  return endings(expression)?.every((one) => UNSERVED_ENDING.test(one) || HT_FILE.test(one)) ?? false
}

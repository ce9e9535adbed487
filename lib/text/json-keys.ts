import { AppError } from '../endpoint/errors.ts'

/**
 * Refuses a key that stands twice in one object (JSON.parse silently keeps the last) and nesting deeper than
 * `maxDepth`. One pass over a text that JSON.parse has accepted, so only strings and brackets need to be recognised.
 */
export function refuseRepeatedKeys(text: string, maxDepth: number): void {
  /** The keys of each open object; null for an open list. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.push(text[at] === '{' ? new Set() : null) > maxDepth) refuse(at)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        const keys = open.at(-1)
        if (keys && isKey(text, end)) note(keys, text.slice(at + 1, end), at)
        at = end
      }
    }
  }
}

function note(keys: Set<string>, raw: string, from: number): void {
  const key: string = raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw
  if (keys.has(key)) refuse(from)
  keys.add(key)
}

/** The closing quote of the string that opens here: the next one that no odd number of backslashes escapes. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

/** Whether a colon follows: among strings, only keys are followed by one. */
function isKey(text: string, end: number): boolean {
  let next = end + 1
  while (text[next] === ' ' || text[next] === '\n' || text[next] === '\r' || text[next] === '\t') next++
  return text[next] === ':'
}

/** `posicion` is the UTF-16 offset, as editors and `JSON.parse` count; the key itself is never echoed. */
function refuse(posicion: number): never {
  throw new AppError('json_invalido', { posicion })
}

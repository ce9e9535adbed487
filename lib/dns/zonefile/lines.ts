/** One entry of a zone file: `words` keep their quotes and escapes; comments and parentheses are gone. */
export type Entry = { line: number; continuesOwner: boolean; words: string[]; fault: Fault | null }

export type Fault = 'comillas' | 'parentesis'

/**
 * Splits a zone file (RFC 1035 section 5.1) into entries. Lines are counted from 1; an entry over
 * several lines has the number of its first.
 */
export function* zoneEntries(text: string): Generator<Entry> {
  const scan: Scan = { text: text.replace(/^\uFEFF/, ''), at: 0, line: 1, depth: 0 }
  while (scan.at < scan.text.length) {
    const entry = readEntry(scan)
    if (entry.words.length > 0 || entry.fault) yield entry
  }
}

type Scan = { text: string; at: number; line: number; depth: number }

function readEntry(scan: Scan): Entry {
  const blank = scan.text[scan.at] === ' ' || scan.text[scan.at] === '\t'
  const entry: Entry = { line: scan.line, continuesOwner: blank, words: [], fault: null }
  while (scan.at < scan.text.length) {
    const character = scan.text[scan.at] ?? ''
    if (character === '\n') {
      scan.at++
      scan.line++
      if (scan.depth === 0) return entry
    } else if (character === ' ' || character === '\t' || character === '\r') scan.at++
    else if (character === ';') skipComment(scan)
    else if (character === '(' || character === ')') parenthesis(scan, entry, character)
    else entry.words.push(readWord(scan, entry))
  }
  if (scan.depth > 0) entry.fault ??= 'parentesis'
  return entry
}

function parenthesis(scan: Scan, entry: Entry, character: '(' | ')'): void {
  scan.at++
  scan.depth += character === '(' ? 1 : -1
  if (scan.depth < 0) {
    scan.depth = 0
    entry.fault ??= 'parentesis'
  }
}

function skipComment(scan: Scan): void {
  const end = scan.text.indexOf('\n', scan.at)
  scan.at = end < 0 ? scan.text.length : end
}

const WORD_END = new Set([' ', '\t', '\r', '\n', ';', '(', ')'])

function readWord(scan: Scan, entry: Entry): string {
  const start = scan.at
  let quoted = false
  for (; scan.at < scan.text.length; scan.at++) {
    const character = scan.text[scan.at] ?? ''
    if (character === '\n') break
    if (character === '\\' && scan.text[scan.at + 1] !== '\n') scan.at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && WORD_END.has(character)) break
  }
  if (quoted) entry.fault ??= 'comillas'
  return scan.text.slice(start, scan.at)
}

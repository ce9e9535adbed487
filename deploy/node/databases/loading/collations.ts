const MARK = '_0900_'
const LINE_END = 10
/** Longest beginning of a line of rows; what a dump defines begins otherwise. */
const HEAD_BYTES = 16
const ROWS = /^\s*(?:INSERT |REPLACE |VALUES|\(|')/i
const EXACT = /\b(COLLATE[ =]+|collation_\w+\s*=\s*)utf8mb4_(?:\w+_)?0900_(?:as_cs|bin)\b/gi
const LOOSE = /\b(COLLATE[ =]+|collation_\w+\s*=\s*)utf8mb4_(?:\w+_)?0900_a[is]_ci\b/gi

/**
 * Has what MySQL 8 sorts by its own collations sorted by those of MariaDB that come nearest. `text` is whole lines, but
 * for its first where that began `within` one; rows are never touched.
 */
export function withOwnCollations(text: Buffer, within: boolean): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = text.indexOf(MARK); at >= 0; ) {
    const line = at === 0 ? 0 : text.lastIndexOf(LINE_END, at - 1) + 1
    const next = text.indexOf(LINE_END, at)
    const end = next < 0 ? text.length : next
    const head = text.toString('latin1', line, Math.min(line + HEAD_BYTES, end))
    if (!(line === 0 && within) && !ROWS.test(head)) {
      parts.push(
        text.subarray(from, line),
        Buffer.from(renamed(text.toString('latin1', line, end)), 'latin1'),
      )
      from = end
    }
    at = text.indexOf(MARK, end)
  }
  return parts.length === 0 ? text : Buffer.concat([...parts, text.subarray(from)])
}

const renamed = (line: string): string =>
  line.replace(EXACT, '$1utf8mb4_bin').replace(LOOSE, '$1utf8mb4_unicode_520_ci')

/** A column of a file for spreadsheets: its heading, and what stands in it. */
export type CsvColumn<T> = [head: string, value: (row: T) => string | number | null]

/**
 * Where a spreadsheet would begin a formula, and so run it. Where a comma divides decimals, Excel opens the file with `;`
 * between its cells, and heeds no quotes inside of them.
 */
const FORMULAS = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\n]["' ]*)(?=[=+\-@＝＋－＠])/g

/**
 * Rows as RFC 4180 has them. A text that a spreadsheet would take for a formula gets an apostrophe before that. The mark
 * at the beginning tells Excel that it is UTF-8.
 */
export function csvOf<T>(columns: CsvColumn<T>[], rows: T[]): string {
  const lines = [
    columns.map(([head]) => cell(head)),
    ...rows.map((row) => columns.map(([, value]) => cell(value(row)))),
  ]
  return `\uFEFF${lines.map((line) => `${line.join(',')}\r\n`).join('')}`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = value.replace(FORMULAS, "'")
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

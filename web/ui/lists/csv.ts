/** A column of a file for spreadsheets: its heading, and what stands in it. */
export type CsvColumn<T> = [head: string, value: (row: T) => string | number | null]

/**
 * Rows as RFC 4180 has them. A text that a spreadsheet would take for a formula, and so run, gets an apostrophe before
 * it. The mark at the beginning tells Excel that it is UTF-8.
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
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of a configuration, one step further in. */
export function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

/** A block of a configuration. */
export function block(head: string, lines: string[]): string[] {
  return [`${head} {`, ...indent(lines), '}']
}

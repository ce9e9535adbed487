/** What templates and arguments may name. */
export type Values = Record<string, string | boolean>

/** A text that PHP reads as this very value, and as no code. */
const literal = (value: string | boolean): string =>
  typeof value === 'boolean' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`

/**
 * A file made of a template: `{{name}}` becomes a literal of PHP, `{{secret}}` a new one each time, and `{{=name}}` the
 * bare value, of letters and digits alone.
 */
export function renderFile(template: string, values: Values, secret: () => string): string {
  return template.replace(/\{\{(=?)([a-z]+)\}\}/g, (_, bare: string, name: string) => {
    const value = name === 'secret' ? secret() : values[name]
    if (value === undefined) throw new Error(`a template names ${name}, which is not known`)
    if (bare === '') return literal(value)
    if (typeof value !== 'string' || !/^[0-9A-Za-z]+$/.test(value)) throw new Error(`${name} is no bare word`)
    return value
  })
}

/** A program's arguments, each `{name}` in them replaced; none becomes several. */
export const renderArguments = (argv: readonly string[], values: Values): string[] =>
  argv.map((word) =>
    word.replace(/\{([a-z]+)\}/g, (_, name: string) => {
      const value = values[name]
      if (typeof value !== 'string') throw new Error(`an argument names ${name}, which is not known`)
      return value
    }),
  )

import type { InStatement, InValue } from '@libsql/client'

/**
 * A value that a query finds, given to other reads before it is known: they carry the query in its place,
 * so that reads which stand on each other share a round trip. Once it is known they count as reads of the
 * value itself. Never given to a write.
 */
export class Foreseen {
  readonly query: { sql: string; args: InValue[] }
  /** What the query found; undefined until it has. */
  value: InValue | undefined

  constructor(query: Foreseen['query']) {
    this.query = query
  }

  /** It is typed as what it stands for, so it must not pass for it anywhere but in a query. */
  [Symbol.toPrimitive](): never {
    throw new Error('a value that is only foreseen')
  }
}

/** The parameters of a statement: values, and those that are only foreseen. */
export function argsOf(statement: InStatement): (InValue | Foreseen)[] {
  return typeof statement === 'string' || !Array.isArray(statement.args) ? [] : statement.args
}

/** Whether a statement was built with a value that was not known then. */
export const isForeseeing = (statement: InStatement) =>
  argsOf(statement).some((arg) => arg instanceof Foreseen)

/** A statement as it is sent: in place of a value that is not known yet, the query that finds it. */
export function asSent(statement: InStatement): InStatement {
  if (typeof statement === 'string' || !isForeseeing(statement)) return statement
  const sent = argsOf(statement).map(inPlace)
  const [first = '', ...rest] = statement.sql.split('?')
  if (rest.length !== sent.length) throw new Error('a question mark that is no parameter')
  return {
    sql: rest.reduce((text, part, i) => `${text}${sent[i]?.sql}${part}`, first),
    args: sent.flatMap(({ args }) => args),
  }
}

function inPlace(arg: InValue | Foreseen): { sql: string; args: InValue[] } {
  if (!(arg instanceof Foreseen)) return { sql: '?', args: [arg] }
  if (arg.value !== undefined) return { sql: '?', args: [arg.value] }
  return { sql: `(${arg.query.sql})`, args: arg.query.args }
}

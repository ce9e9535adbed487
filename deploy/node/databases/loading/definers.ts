import { withOwnCollations } from './collations.ts'

/** No account's name is longer than this, in quotes and with what stands before it in its line. */
const HEAD_BYTES = 512
const DEFINER = Buffer.from('DEFINER=')
const LINE_END = 10
/**
 * How `mariadb-dump`, and MySQL's, begin the line that names the definer of a view, a trigger, an event or a routine:
 * an account that is not to be found here, or is none that whoever loads the dump may name.
 */
const BEFORE = /^(?:CREATE |\/\*!50013 |\/\*!5\d{4} CREATE\*\/ \/\*!5\d{4} |CREATE ALGORITHM=\w+ )$/
const NAMED = /^DEFINER=`(?:[^`\n]|``)*`@`(?:[^`\n]|``)*` ?/

/**
 * Leaves definers out of a dump that comes in parts: what it defines then belongs to the account that loads it; and
 * gives MySQL's own collations MariaDB's names. Data is never touched: in a dump it holds no line's end.
 */
export class WithoutDefiners {
  #held: Buffer = Buffer.alloc(0)
  /** `#held` begins within a line whose beginning has been passed on. */
  #within = false

  /** What can be passed on now. */
  add(part: Uint8Array): Buffer {
    const text = Buffer.concat([this.#held, part])
    const lastLine = text.lastIndexOf(LINE_END) + 1
    const isLong = text.length - lastLine >= HEAD_BYTES
    const until = isLong ? text.length : lastLine
    const done = without(text.subarray(0, until), this.#within)
    this.#held = Buffer.from(text.subarray(until))
    this.#within = isLong || (until === 0 && this.#within)
    return done
  }

  /** The rest, after the last part. */
  end(): Buffer {
    return without(this.#held, this.#within)
  }
}

function without(lines: Buffer, within: boolean): Buffer {
  const text = withOwnCollations(lines, within)
  const parts: Buffer[] = []
  let from = 0
  for (let at = text.indexOf(DEFINER); at >= 0; at = text.indexOf(DEFINER, at + DEFINER.length)) {
    const line = at === 0 ? 0 : text.lastIndexOf(LINE_END, at - 1) + 1
    if ((line === 0 && within) || at - line > HEAD_BYTES) continue
    if (!BEFORE.test(text.toString('latin1', line, at))) continue
    const [named] = NAMED.exec(text.toString('latin1', at, at + HEAD_BYTES)) ?? []
    if (named === undefined) continue
    parts.push(text.subarray(from, at))
    from = at + named.length
  }
  return parts.length === 0 ? text : Buffer.concat([...parts, text.subarray(from)])
}

import { useMemo } from 'react'
import { diffRrsets, type ZoneDiff } from '../../../lib/dns/diff.ts'
import { parseZoneFile } from '../../../lib/dns/zonefile/zonefile.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { texts } from './texts.ts'

type Props = {
  zona: string
  before: string
  after: string
  /** What `after` does not have stays. */
  merging: boolean
  counts: [number, number, number]
}

/** Record sets listed one by one; of a larger difference the counts say enough. */
const MOST = 200

/** What an import would do: the server's counts, and the record sets that they are of. */
export function Preview({ zona, before, after, merging, counts }: Props) {
  const whole = useMemo(() => differenceOf(zona, before, after), [zona, before, after])
  const diff = whole && merging ? { ...whole, deleted: [] } : whole
  const [added, changed, deleted] = counts
  const rows = diff ? linesOf(diff) : []
  return (
    <div className="zone-diff">
      <p className="diff-counts">
        <span>
          <b>{number(added)}</b> {texts.added}
        </span>
        <span>
          <b>{number(changed)}</b> {common.areChanged}
        </span>
        <span>
          <b>{number(deleted)}</b> {common.areDeleted}
        </span>
      </p>
      <ul className="diff-lines">
        {rows.slice(0, MOST).map(({ sign, word, name, type, values }) => (
          <li key={`${sign}${name} ${type}`} className={`diff-${word}`}>
            <span aria-hidden="true" className="diff-sign mono">
              {sign}
            </span>
            <span className="visually-hidden">{words(word)}</span>
            <code>
              {name} {type} {values.join(' · ')}
            </code>
          </li>
        ))}
      </ul>
      {rows.length > MOST ? <p className="faint small">… {number(rows.length - MOST)}</p> : null}
    </div>
  )
}

type Word = 'added' | 'changed' | 'deleted'
type Line = { sign: string; word: Word; name: string; type: string; values: string[] }

function linesOf({ created, changed, deleted }: ZoneDiff): Line[] {
  const as = (sign: string, word: Word, list: ZoneDiff['created']): Line[] =>
    list.map(({ name, type, values }) => ({ sign, word, name, type, values }))
  return [...as('−', 'deleted', deleted), ...as('~', 'changed', changed), ...as('+', 'added', created)]
}

const words = (word: Word) =>
  ({ added: common.isAdded, changed: common.isChanged, deleted: texts.deleted })[word]

/** By the server's own rules; the apex NS stay, so they are no difference. Null where it cannot be told. */
function differenceOf(zona: string, before: string, after: string): ZoneDiff | null {
  try {
    const [from, to] = [before, after].map((text) =>
      parseZoneFile(text, zona).rrsets.filter(({ name, type }) => name !== '@' || type !== 'NS'),
    )
    return from && to ? diffRrsets(zona, from, to) : null
  } catch {
    return null
  }
}

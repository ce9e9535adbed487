import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react'
import type { Pages } from '../api/hooks.ts'
import { common } from '../text/common.ts'
import { counted, number } from '../text/format.ts'
import { ErrorNote } from './error-note.tsx'
import { directionOf, type Order, OrderChoice, OrderHead } from './lists/order.tsx'
import { Tick, TickAll } from './lists/row-parts.tsx'
import { useArrived, useDrawn } from './lists/steps.ts'
import { texts as listTexts } from './lists/texts.ts'
import { useDense } from './lists/tools.tsx'
import { Waiting } from './page.tsx'
import { SmallButton } from './small-button.tsx'
import { texts } from './texts.ts'

export type Column<T> = {
  head: string
  cell: (row: T) => ReactNode
  /** Numbers stand at the right. */
  end?: boolean
  /** Has no heading to read: buttons at the end of a row. */
  actions?: boolean
  /** Takes only the width that it needs. */
  narrow?: boolean
  /** May be one long word, which is broken anywhere. */
  long?: boolean
  /** What the API orders it by. */
  sort?: string
  /** In a table whose rows have two lines on a phone: the line that it stands in; the others are left out. */
  line?: 1 | 2
}

/** Rows that are chosen, by their keys, to do something with all of them. */
type Chosen = { keys: ReadonlySet<string>; choose: (keys: ReadonlySet<string>) => void }

type Props<T> = {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string
  /** What a row is called where it is chosen; without it, by its key. */
  rowName?: (row: T) => string
  rowClass?: (row: T) => string | undefined
  order?: Order | undefined
  chosen?: Chosen | undefined
  /** On a phone each row has two lines, with the cells that name one. */
  twoLines?: boolean
}

/**
 * A table; on a narrow screen each row becomes a card whose cells carry their headings, or two lines. The roles are
 * written out, since a browser drops them from a table that is laid out otherwise.
 */
export function Table<T>(props: Props<T>) {
  const { label, columns, rows, rowKey, rowName = rowKey, rowClass, chosen, twoLines } = props
  const dense = useDense()
  const kind = ['table', twoLines && 'two-lines', dense && 'dense'].filter(Boolean).join(' ')
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table className={kind} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          <Heads {...props} />
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" className={rowClass?.(row)}>
            {chosen ? (
              <td role="cell" className="row-choice" data-head="">
                <Choose row={rowKey(row)} name={rowName(row)} chosen={chosen} />
              </td>
            ) : null}
            {columns.map((column) => (
              <td
                key={column.head}
                role="cell"
                className={classOf(column)}
                data-head={column.actions ? '' : column.head}
              >
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

function Heads<T>({ columns, order, chosen, rows, rowKey }: Props<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as in the table
    <>
      {chosen ? (
        <th scope="col" role="columnheader" className="row-choice">
          <ChooseAll keys={rows.map(rowKey)} chosen={chosen} />
        </th>
      ) : null}
      {columns.map((column) => {
        const direction = directionOf(column.sort, order)
        return (
          <th
            key={column.head}
            scope="col"
            role="columnheader"
            className={classOf(column)}
            {...(direction ? { 'aria-sort': direction } : {})}
          >
            <Head column={column} order={order} />
          </th>
        )
      })}
    </>
    // biome-ignore-end lint/a11y/noRedundantRoles: as in the table
  )
}

function Head<T>({ column, order }: { column: Column<T>; order: Order | undefined }) {
  const { head, sort, actions } = column
  if (actions) return <span className="visually-hidden">{head}</span>
  return sort && order ? <OrderHead head={head} column={sort} order={order} /> : head
}

function Choose({ row, name, chosen }: { row: string; name: string; chosen: Chosen }) {
  const toggle = () => {
    const keys = new Set(chosen.keys)
    if (!keys.delete(row)) keys.add(row)
    chosen.choose(keys)
  }
  return <Tick label={listTexts.chooseRow(name)} checked={chosen.keys.has(row)} toggle={toggle} />
}

function ChooseAll({ keys, chosen }: { keys: string[]; chosen: Chosen }) {
  const all = keys.length > 0 && keys.every((key) => chosen.keys.has(key))
  return (
    <TickAll
      label={listTexts.chooseAll}
      checked={all}
      some={chosen.keys.size > 0}
      toggle={() => chosen.choose(new Set(all ? [] : keys))}
    />
  )
}

const classOf = <T,>({ end, actions, narrow, long, line }: Column<T>) =>
  [
    end && 'end',
    actions && 'row-actions',
    narrow && 'narrow',
    long && 'long',
    line === 1 && 'line-1',
    line === 2 && 'line-2',
  ]
    .filter(Boolean)
    .join(' ') || undefined

/** A listing by cursor: the next page is read when the end comes into view, or by its button. */
export function PagedTable<T>({
  pages,
  empty,
  ...table
}: Omit<Props<T>, 'rows'> & { pages: Pages<T>; empty: ReactNode }) {
  const arrived = useArrived(!pages.loading)
  if (!arrived) return <Waiting lines={6} />
  if (pages.error && pages.rows.length === 0) return <ErrorNote error={pages.error} retry={pages.retry} />
  if (pages.rows.length === 0) return <>{empty}</>
  return (
    <>
      {table.order ? <OrderChoice columns={table.columns} order={table.order} /> : null}
      <LongList pages={pages} table={table} />
    </>
  )
}

function LongList<T>({ pages, table }: { pages: Pages<T>; table: Omit<Props<T>, 'rows'> }) {
  const all = useDeferredValue(pages.rows)
  const rows = all.slice(0, useDrawn(all.length))
  return (
    <>
      <div className="table-box long-list">
        <Table {...table} rows={rows} />
      </div>
      {pages.error ? <ErrorNote error={pages.error} retry={pages.retry} /> : null}
      {rows.length < pages.rows.length ? null : <Foot pages={pages} />}
    </>
  )
}

/** A list that is seen whole needs nobody to count it. */
const SEEN_WHOLE = 20

function Foot<T>({ pages }: { pages: Pages<T> }) {
  const { rows, total, more } = pages
  if (!more && rows.length <= SEEN_WHOLE && (total === null || total === rows.length)) return null
  return (
    <div className="table-foot">
      <span>
        {counted(rows.length, texts.oneShown, texts.manyShown)}
        {total === null ? '' : ` ${common.of} ${number(total)}`}
        {more ? '' : ` · ${texts.thatIsAll}`}
      </span>
      {more ? <More pages={pages} /> : null}
    </div>
  )
}

function More<T>({ pages }: { pages: Pages<T> }) {
  const end = useRef<HTMLButtonElement>(null)
  const { loadMore, loadingMore } = pages
  useEffect(() => {
    const watched = end.current
    if (!watched || loadingMore) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore()
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [loadMore, loadingMore])
  return (
    <SmallButton ref={end} loading={loadingMore} onClick={loadMore}>
      {common.loadMore}
    </SmallButton>
  )
}

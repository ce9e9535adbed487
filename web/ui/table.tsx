import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Pages } from '../api/hooks.ts'
import { common } from '../text/common.ts'
import { counted } from '../text/format.ts'
import { ErrorNote } from './error-note.tsx'
import { Waiting } from './page.tsx'
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
}

type Props<T> = {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string
  rowClass?: (row: T) => string | undefined
}

/**
 * A table; on a narrow screen each row becomes a card whose cells carry their headings. The roles are
 * written out, since a browser drops them from a table that is laid out otherwise.
 */
export function Table<T>({ label, columns, rows, rowKey, rowClass }: Props<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table className="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.head} role="columnheader" scope="col" className={classOf(column)}>
              {column.actions ? <span className="visually-hidden">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" className={rowClass?.(row)}>
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

const classOf = <T,>({ end, actions, narrow, long }: Column<T>) =>
  [end && 'end', actions && 'row-actions', narrow && 'narrow', long && 'long'].filter(Boolean).join(' ') ||
  undefined

/** A listing by cursor: the next page is read when the end comes into view, or by its button. */
export function PagedTable<T>({
  pages,
  empty,
  ...table
}: Omit<Props<T>, 'rows'> & { pages: Pages<T>; empty: ReactNode }) {
  if (pages.loading) return <Waiting lines={6} />
  if (pages.error && pages.rows.length === 0) return <ErrorNote error={pages.error} retry={pages.retry} />
  if (pages.rows.length === 0) return <>{empty}</>
  return (
    <>
      <div className="table-box">
        <Table {...table} rows={pages.rows} />
      </div>
      {pages.error ? <ErrorNote error={pages.error} retry={pages.retry} /> : null}
      <div className="table-foot">
        <span>
          {counted(pages.rows.length, texts.oneShown, texts.manyShown)}
          {pages.more ? '' : ` · ${texts.thatIsAll}`}
        </span>
        {pages.more ? <More pages={pages} /> : null}
      </div>
    </>
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
    <Button ref={end} size="compact-sm" variant="default" loading={loadingMore} onClick={loadMore}>
      {common.loadMore}
    </Button>
  )
}

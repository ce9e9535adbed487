import { common } from '../../text/common.ts'
import { Choice } from '../forms/fields.tsx'
import { useFilter } from '../forms/filters.tsx'
import { Icon } from '../icons.tsx'
import { texts } from './texts.ts'

/** What a listing is ordered by: a column, with `-` before it for downwards; empty is its own order. */
export type Order<C extends string = string> = { current: C | `-${C}` | ''; choose: (next: string) => void }

/** The order that the address names, if it is one of these columns. */
export function useOrder<const C extends string>(columns: readonly C[]): Order<C> {
  const [asked, choose] = useFilter('orden')
  const known = columns.flatMap((column) => [column, `-${column}` as const])
  return { current: known.find((one) => one === asked) ?? '', choose }
}

/** The heading of a column that orders: first upwards, then downwards, then the listing's own order again. */
export function OrderHead({ head, column, order }: { head: string; column: string; order: Order }) {
  const next = order.current === column ? `-${column}` : order.current === `-${column}` ? '' : column
  const direction = directionOf(column, order)
  return (
    <button
      type="button"
      className="order-head"
      data-direction={direction}
      onClick={() => order.choose(next)}
    >
      {head}
      <span className="order-arrow" aria-hidden="true">
        <Icon name="down" size={12} />
      </span>
    </button>
  )
}

export function directionOf(column: string | undefined, order: Order | undefined) {
  if (column === undefined || !order) return undefined
  if (order.current === column) return 'ascending'
  return order.current === `-${column}` ? 'descending' : 'none'
}

type Sortable = { head: string; sort?: string }

/** The same where there are no headings to press: on a phone. */
export function OrderChoice({ columns, order }: { columns: Sortable[]; order: Order }) {
  const options = columns.flatMap(({ head, sort }) =>
    sort === undefined
      ? []
      : [
          { value: sort, label: `${head} ↑` },
          { value: `-${sort}`, label: `${head} ↓` },
        ],
  )
  return (
    <div className="only-narrow">
      <div className="filters">
        <Choice
          label={texts.order}
          value={order.current}
          onChange={order.choose}
          options={[{ value: '', label: common.name }, ...options]}
        />
      </div>
    </div>
  )
}

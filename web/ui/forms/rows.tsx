import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../icons.tsx'
import { SmallButton } from '../small-button.tsx'
import type { FieldErrors } from './form.tsx'

type Props<Row> = {
  legend: string
  /** What stands above says it already. */
  quiet?: boolean
  rows: readonly Row[]
  put: (rows: Row[]) => void
  fresh: Row
  add: string
  /** The name of the button that takes a row away. */
  remove: (place: number) => string
  /** What is wrong with the list as a whole. */
  error?: string | undefined
  /** The fields of a row; `label` names a field by its row from the second on. */
  children: (row: Row, change: (part: Partial<Row>) => void, at: RowPlace) => ReactNode
}

type RowPlace = { index: number; label: (words: string) => string }

/** A list of things that are each written in fields of their own. */
export function Rows<Row>(props: Props<Row>) {
  const { legend, quiet = false, rows, put, fresh, add, remove, error, children } = props
  return (
    <fieldset className="rows">
      <legend className={quiet ? 'visually-hidden' : ''}>{legend}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place, and its text changes at every stroke
        <div className="rows-row" key={index}>
          <div className="rows-fields">
            {children(row, (part) => put(rows.with(index, { ...row, ...part })), {
              index,
              label: (words) => (index === 0 ? words : `${words} ${index + 1}`),
            })}
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className="rows-remove"
            aria-label={remove(index + 1)}
            onClick={() => put(rows.toSpliced(index, 1))}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </div>
      ))}
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
      <SmallButton leftSection={<Icon name="plus" size={14} />} onClick={() => put([...rows, fresh])}>
        {add}
      </SmallButton>
    </fieldset>
  )
}

export type RowErrors = {
  whole: string | undefined
  at: (index: number, part: string) => string | undefined
  /** What is wrong with a row as a whole, and with none of its parts. */
  row: (index: number) => string | undefined
}

/** What the panel refuses of a list: at the field where it is about one, else at the list. Rows left empty are not sent. */
export function rowErrors<Row extends object>(
  error: FieldErrors,
  field: string,
  { rows, written }: { rows: readonly Row[]; written: readonly Row[] },
): RowErrors {
  const at = (index: number, part: string) => {
    const { [index]: shown } = rows
    const place = shown ? written.indexOf(shown) : -1
    return place < 0 ? undefined : error(`${field}.${place}.${part}`)
  }
  const row = (index: number) => {
    const { [index]: shown } = rows
    const place = shown ? written.indexOf(shown) : -1
    if (!shown || place < 0 || Object.keys(shown).some((part) => at(index, part))) return undefined
    return error(`${field}.${place}`)
  }
  const one = written.some((_, place) => error(`${field}.${place}`) !== undefined)
  return { at, row, whole: one ? undefined : error(field) }
}

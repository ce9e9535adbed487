import { type Dispatch, Fragment, memo, type ReactNode, type SetStateAction, useState } from 'react'
import { common } from '../../../text/common.ts'
import { language } from '../../../text/language.ts'
import { Icon } from '../../../ui/icons.tsx'
import { RowButton, Tick, TickAll } from '../../../ui/lists/row-parts.tsx'
import { isApexNs, type Rrset } from './records-data.ts'
import { texts } from './texts.ts'

/** What is open for change: a record set, a new one (at a name), or nothing. */
export type Open = { mode: 'add' | 'edit' | 'delete'; nombre: string; tipo: string } | null

/** A record set among those of its zone. */
export const rowKey = ({ nombre, tipo }: Pick<Rrset, 'nombre' | 'tipo'>): string => `${nombre} ${tipo}`

export type TableProps = {
  zona: string
  rows: Rrset[]
  chosen: ReadonlySet<string>
  choose: Dispatch<SetStateAction<ReadonlySet<string>>>
  open: Open
  setOpen: (open: Open) => void
  /** The form in the place of the row that is open. */
  form: (rrset: Rrset, mode: 'edit' | 'delete') => ReactNode
}

/** Record sets, one a row; the row that is open for change is a form. */
export function RecordTable({ zona, rows, chosen, choose, open, setOpen, form }: TableProps) {
  const free = rows.filter((row) => !isApexNs(row)).map(rowKey)
  const all = free.length > 0 && free.every((key) => chosen.has(key))
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: a browser drops the roles of a table that is laid out otherwise
    <table className="table rr-table" role="table" aria-label={common.records}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className="narrow">
            <TickAll
              label={texts.chooseAllShown}
              checked={all}
              some={free.some((key) => chosen.has(key))}
              toggle={() => choose(all ? new Set() : new Set(free))}
            />
          </th>
          <th role="columnheader" scope="col">
            {common.name}
          </th>
          <th role="columnheader" scope="col" className="narrow">
            {common.type}
          </th>
          <th role="columnheader" scope="col" className="narrow end">
            TTL
          </th>
          <th role="columnheader" scope="col">
            {texts.values}
          </th>
          <th role="columnheader" scope="col" className="row-actions">
            <span className="visually-hidden">{common.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((rrset) => {
          const key = rowKey(rrset)
          const mine = open && open.mode !== 'add' && rowKey(open) === key ? open.mode : null
          return mine ? (
            <tr key={key} role="row" className="rr-form-row">
              <td role="cell" colSpan={6}>
                <div className="rr-open">{form(rrset, mine === 'edit' ? 'edit' : 'delete')}</div>
              </td>
            </tr>
          ) : (
            <Row
              key={key}
              zona={zona}
              rrset={rrset}
              chosen={chosen.has(key)}
              choose={choose}
              setOpen={setOpen}
            />
          )
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(chosen)
  if (!after.delete(key)) after.add(key)
  return after
}

type RowProps = {
  zona: string
  rrset: Rrset
  chosen: boolean
  choose: TableProps['choose']
  setOpen: (open: Open) => void
}

/** Drawn anew only where it has changed itself: a choice among a hundred rows must not draw them all. */
const Row = memo(({ zona, rrset, chosen, choose, setOpen }: RowProps) => {
  language.use()
  const { nombre, tipo, ttl, valores, origen } = rrset
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as above
    <tr role="row" className={chosen ? 'rr-chosen' : undefined}>
      <td role="cell" className="rr-check narrow">
        {isApexNs(rrset) ? null : (
          <Tick
            label={`${texts.choose} ${tipo} ${nombre}`}
            checked={chosen}
            toggle={() => choose((before) => toggled(before, rowKey(rrset)))}
          />
        )}
      </td>
      <td role="cell" className="rr-name mono">
        <Name name={nombre === '@' ? zona : nombre} />
        {nombre === '@' ? null : (
          <span className="faint">
            <Name name={`.${zona}`} />
          </span>
        )}
      </td>
      <td role="cell" className="rr-type mono">
        {tipo}
      </td>
      <td role="cell" className="rr-ttl mono faint">
        <span className="visually-hidden">TTL </span>
        {ttl}
      </td>
      <td role="cell" className="rr-data">
        <ValueList values={valores} />
      </td>
      <td role="cell" className="rr-actions">
        <span>
          {origen === 'sistema' ? (
            <span className="chip" title={texts.madeByThePanel}>
              {texts.panel}
            </span>
          ) : null}
          <RowButtons rrset={rrset} setOpen={setOpen} />
        </span>
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
})

function RowButtons({ rrset, setOpen }: Pick<RowProps, 'rrset' | 'setOpen'>) {
  const { nombre, tipo } = rrset
  const which = `${tipo} ${nombre}`
  return (
    <>
      <RowButton
        name={`${texts.addARecordTo} ${nombre} (${tipo})`}
        title={texts.addToThisName}
        press={() => setOpen({ mode: 'add', nombre, tipo: '' })}
      >
        <Icon name="plus" size={14} />
      </RowButton>
      <RowButton
        name={`${common.change} ${which}`}
        title={common.change}
        press={() => setOpen({ mode: 'edit', nombre, tipo })}
      >
        <Icon name="edit" size={15} />
      </RowButton>
      {isApexNs(rrset) ? null : (
        <RowButton
          name={`${common.delete} ${which}`}
          title={common.delete}
          press={() => setOpen({ mode: 'delete', nombre, tipo })}
        >
          <Icon name="trash" size={15} />
        </RowButton>
      )}
    </>
  )
}

/** A name, which may only be broken behind its dots. */
const Name = ({ name }: { name: string }) =>
  name.split(/(?<=\.)/).map((label, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place
    <Fragment key={at}>
      {label}
      <wbr />
    </Fragment>
  ))

/** From this length on a value would take the names their room. */
const LONG = 80

/** One line of a long value, such as a DKIM key; all of it once it is asked for. */
function LongValue({ value }: { value: string }) {
  const [open, setOpen] = useState(false)
  return (
    <button
      type="button"
      className={open ? 'rr-long rr-long-open' : 'rr-long'}
      aria-expanded={open}
      title={open ? texts.showLess : texts.showAll}
      onClick={() => setOpen(!open)}
    >
      <code>{value}</code>
    </button>
  )
}

/** The values of a record set, one below the other. */
export function ValueList({ values }: { values: readonly string[] }) {
  return (
    <ul className="rr-list-values">
      {values.map((value) => (
        <li key={value}>{value.length > LONG ? <LongValue value={value} /> : <code>{value}</code>}</li>
      ))}
    </ul>
  )
}

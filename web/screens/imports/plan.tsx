import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes } from '../../text/format.ts'
import { resourceName } from '../../text/states.ts'
import { amount } from '../../ui/meter.tsx'
import { Card, Nothing } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './texts.ts'
import { keyed, whyWords } from './words.ts'

export type Plan = Extract<OutputOf<'POST /api/importaciones'>, { toma: unknown }>

/** What an import would take, change and leave out. */
export function PlanCards({ plan }: { plan: Plan }) {
  return (
    <>
      {plan.excesos.length > 0 ? <TooMuch excesses={plan.excesos} /> : null}
      <Card title={texts.takes} flush={plan.toma.length > 0}>
        {plan.toma.length === 0 ? <p>{texts.takesNothing}</p> : <Taken rows={plan.toma} />}
      </Card>
      {plan.cambia.length > 0 ? (
        <Card title={texts.changes} flush>
          <Changed rows={plan.cambia} />
        </Card>
      ) : null}
      {plan.deja.length > 0 ? (
        <Card title={texts.leaves} flush>
          <Left rows={plan.deja} isMore={plan.deja_mas} />
        </Card>
      ) : null}
    </>
  )
}

function TooMuch({ excesses }: { excesses: Plan['excesos'] }) {
  return (
    <Note tone="bad" title={texts.tooMuch}>
      {excesses.map(({ recurso, usado, limite }) => (
        <p key={recurso}>
          <b>{resourceName(recurso)}</b>: {texts.ofLimit(amount(recurso, usado), amount(recurso, limite))}
        </p>
      ))}
    </Note>
  )
}

function Taken({ rows }: { rows: Plan['toma'] }) {
  return (
    <Table
      label={texts.takes}
      rows={keyed(rows)}
      rowKey={({ key }) => key}
      columns={[
        { head: common.kind, narrow: true, cell: ({ tipo }) => texts[tipo] },
        { head: common.name, long: true, cell: ({ nombre }) => <code>{nombre}</code> },
        { head: texts.size, end: true, cell: (row) => (row.bytes === null ? <Nothing /> : bytes(row.bytes)) },
      ]}
    />
  )
}

/** What is otherwise here than it was. */
export function Changed({ rows }: { rows: Plan['cambia'] }) {
  return (
    <Table
      label={texts.changes}
      rows={keyed(rows)}
      rowKey={({ key }) => key}
      columns={[
        { head: common.kind, narrow: true, cell: ({ tipo }) => texts[tipo] },
        { head: common.name, cell: ({ nombre }) => <code>{nombre}</code> },
        {
          head: texts.change,
          long: true,
          cell: (row) => <Change row={row} />,
        },
      ]}
    />
  )
}

function Change({ row: { que, de, a } }: { row: Plan['cambia'][number] }) {
  if (que === 'contrasena_nueva') return texts.contrasena_nueva(de, a)
  if (que === 'cerrada') return texts.cerrada(de)
  return (
    <>
      {texts[que]}: <code>{de}</code> → {a === '' ? <Nothing /> : <code>{a}</code>}
    </>
  )
}

/** What is left out, and why. */
export function Left({ rows, isMore }: { rows: Plan['deja']; isMore: boolean }) {
  return (
    <>
      <Table
        label={texts.leaves}
        rows={keyed(rows)}
        rowKey={({ key }) => key}
        columns={[
          { head: common.kind, narrow: true, cell: ({ tipo }) => texts[tipo] },
          { head: common.name, long: true, cell: ({ nombre }) => <code>{nombre}</code> },
          { head: texts.why, cell: ({ motivo }) => whyWords(motivo) },
        ]}
      />
      {isMore ? <p className="small">{texts.leavesMore}</p> : null}
    </>
  )
}

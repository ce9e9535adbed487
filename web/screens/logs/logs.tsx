import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useFollowed } from '../../api/follow.ts'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { bytes, exactTime, number } from '../../text/format.ts'
import { dayBegins, dayEnds } from '../../text/local-days.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { Card, PageHead } from '../../ui/page.tsx'
import { type Column, PagedTable, Table } from '../../ui/table.tsx'
import { SiteTabs } from '../sites/tabs.tsx'
import { Hours } from './hours.tsx'
import { shownAddress, shownMessage } from './shown-address.ts'
import { texts } from './texts.ts'

const LOG = 'GET /api/sitios/:domain/bitacora'
type Row = ItemOf<typeof LOG>
type Visit = Extract<Row, { ruta: string }>
type Message = Extract<Row, { texto: string }>
type Filter = { tipo: 'acceso' | 'php'; buscar: string; estado: string; desde: string; hasta: string }

const NOTHING: Filter = { tipo: 'acceso', buscar: '', estado: '', desde: '', hasta: '' }

/** What visitors asked of a site and what its PHP said: read, or followed as it comes. */
export default function Logs({ domain }: { domain: string }) {
  const [search] = useSearchParams()
  const [filter, setFilter] = useState<Filter>({
    ...NOTHING,
    tipo: search.get('tipo') === 'php' ? 'php' : 'acceso',
  })
  const [following, setFollowing] = useState(false)
  const [buscar] = useDebouncedValue(filter.buscar, 300)
  const { tipo, estado, desde, hasta } = filter
  const narrowed = { tipo, buscar, ...(tipo === 'acceso' ? { estado } : {}) }
  const ofTime = { ...narrowed, desde: dayBegins(desde), hasta: dayEnds(hasta) }
  return (
    <>
      <PageHead mono title={domain} wire={LOG} lead={texts.logs} />
      <SiteTabs domain={domain} current="bitacora" />
      <div className="stack">
        <Hours domain={domain} />
        <Card
          title={tipo === 'php' ? texts.php : texts.visits}
          actions={
            <Button
              size="compact-sm"
              variant={following ? 'filled' : 'default'}
              aria-pressed={following}
              onClick={() => setFollowing(!following)}
            >
              {following ? texts.stop : texts.follow}
            </Button>
          }
        >
          <FilterFields filter={filter} change={setFilter} following={following} />
          {following ? (
            <FollowedRows domain={domain} query={narrowed} />
          ) : (
            <Pages domain={domain} query={ofTime} />
          )}
          <p className="faint small">{texts.files}</p>
        </Card>
      </div>
    </>
  )
}

type FieldProps = { filter: Filter; change: (filter: Filter) => void; following: boolean }

function FilterFields({ filter, change, following }: FieldProps) {
  const set = (name: keyof Filter) => (value: string) => change({ ...filter, [name]: value })
  return (
    <div className="log-filter">
      <Choice
        label={texts.show}
        value={filter.tipo}
        onChange={set('tipo')}
        options={[
          { value: 'acceso', label: texts.visits },
          { value: 'php', label: texts.php },
        ]}
      />
      <TextField
        label={texts.search}
        placeholder={filter.tipo === 'php' ? texts.messageHint : texts.searchHint}
        max={200}
        value={filter.buscar}
        onChange={set('buscar')}
      />
      {filter.tipo === 'acceso' ? (
        <Choice
          label={texts.status}
          value={filter.estado}
          onChange={set('estado')}
          options={[
            { value: '', label: texts.all },
            { value: '2xx', label: texts.ok },
            { value: '3xx', label: texts.moved },
            { value: '4xx', label: texts.refused },
            { value: '5xx', label: texts.failed },
          ]}
        />
      ) : null}
      {following ? null : (
        <>
          <TextField label={texts.since} type="date" value={filter.desde} onChange={set('desde')} />
          <TextField label={texts.until} type="date" value={filter.hasta} onChange={set('hasta')} />
        </>
      )}
    </div>
  )
}

type Query = Record<string, string>

function Pages({ domain, query }: { domain: string; query: Query }) {
  const pages = usePages(LOG, { params: { domain }, query })
  return (
    <PagedTable
      label={texts.logs}
      pages={pages}
      rowKey={keyOf}
      columns={columnsOf(query.tipo)}
      empty={<p className="faint small">{texts.none}</p>}
    />
  )
}

function FollowedRows({ domain, query }: { domain: string; query: Query }) {
  const { rows, error, live } = useFollowed(LOG, { params: { domain }, query }, true)
  return (
    <>
      <p className="faint small" role="status">
        {live ? texts.following : texts.connecting}
      </p>
      {error ? <ErrorNote error={error} /> : null}
      {rows.length === 0 ? null : (
        <div className="table-box">
          <Table label={texts.logs} rows={rows} rowKey={keyOf} columns={columnsOf(query.tipo)} />
        </div>
      )}
    </>
  )
}

/** Rows have no key of their own, and two may be alike. */
const keys = new WeakMap<Row, string>()
let made = 0
function keyOf(row: Row): string {
  const known = keys.get(row) ?? `${made++}`
  keys.set(row, known)
  return known
}

const isVisit = (row: Row): row is Visit => 'ruta' in row
const isMessage = (row: Row): row is Message => 'texto' in row

const columnsOf = (tipo: string | undefined): Column<Row>[] =>
  tipo === 'php' ? ofKind(isMessage, MESSAGES()) : ofKind(isVisit, VISITS())

/** A log holds rows of the one kind that was asked for; until they come, those of the other may still be there. */
const ofKind = <T extends Row>(is: (row: Row) => row is T, columns: Column<T>[]): Column<Row>[] =>
  columns.map((column) => ({ ...column, cell: (row) => (is(row) ? column.cell(row) : null) }))

const VISITS = (): Column<Visit>[] => [
  { head: texts.when, narrow: true, cell: ({ cuando }) => exactTime(cuando) },
  {
    head: texts.request,
    long: true,
    cell: ({ metodo, ruta }) => (
      <code>
        <bdi>
          {metodo} {shownAddress(ruta)}
        </bdi>
      </code>
    ),
  },
  { head: texts.status, end: true, cell: ({ estado }) => <span className={toneOf(estado)}>{estado}</span> },
  { head: texts.size, end: true, cell: (row) => bytes(row.bytes) },
  { head: texts.time, end: true, cell: ({ ms }) => `${number(ms)} ms` },
  {
    head: texts.visitor,
    long: true,
    cell: ({ direccion, agente }) => (
      <>
        <code>{direccion}</code>
        <span className="sub">
          <bdi>{agente}</bdi>
        </span>
      </>
    ),
  },
]

const MESSAGES = (): Column<Message>[] => [
  { head: texts.when, narrow: true, cell: ({ cuando }) => exactTime(cuando) },
  { head: texts.level, narrow: true, cell: ({ nivel }) => texts[nivel] },
  {
    head: texts.message,
    long: true,
    cell: ({ texto }) => <pre className="log-text">{shownMessage(texto)}</pre>,
  },
]

const toneOf = (status: number) => (status >= 500 ? 'log-bad' : status >= 400 ? 'log-warn' : '')

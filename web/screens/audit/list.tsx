import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { exactTime, relative } from '../../text/format.ts'
import { dayBegins, dayEnds } from '../../text/local-days.ts'
import { OPERATIONS, operationWords } from '../../text/tasks.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import type { CsvColumn } from '../../ui/lists/csv.ts'
import { ListTools } from '../../ui/lists/tools.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { Entry } from './entry.tsx'
import { Actor, type AuditRow, changeLine, FILTERS, type Filters, Outcome, sentence } from './parts.tsx'
import { texts } from './texts.ts'

const TYPING_MS = 300

/** Everything that was changed, by whom and with which result; the filters are the page's own address. */
export default function Audit() {
  const { filters, asked, set: setFilters } = useFilters()
  const [looking, setLooking] = useState<AuditRow | null>(null)
  const query = queryOf(asked)
  const pages = usePages('GET /api/auditoria', { query })
  const filtered = Object.keys(filters).length > 0
  return (
    <>
      <PageHead title={common.auditTrail} wire="GET /api/auditoria" lead={texts.whatTheTrailIs} />
      <FilterBar filters={filters} set={setFilters} rows={pages.rows} />
      <ListTools op="GET /api/auditoria" query={query} listing="auditoria" csv={csv()} />
      <PagedTable
        label={common.auditTrail}
        pages={pages}
        columns={columns(setLooking)}
        rowKey={({ id }) => String(id)}
        rowClass={({ actor }) => (actor.suplantado_por ? 'row-marked' : undefined)}
        empty={
          <Empty icon="audit" title={texts.nothingWasRecorded}>
            {filtered ? (
              <Button variant="default" size="xs" onClick={() => setFilters({})}>
                {texts.removeTheFilters}
              </Button>
            ) : null}
          </Empty>
        }
      />
      <Entry
        row={looking}
        close={() => setLooking(null)}
        only={(chosen) => {
          setFilters(chosen)
          setLooking(null)
        }}
      />
    </>
  )
}

/** What is typed, and, when typing pauses, what is asked and stands in the address. */
function useFilters() {
  const [search, setSearch] = useSearchParams()
  const [filters, setFilters] = useState<Filters>(() => filled((name) => search.get(name)))
  const [asked] = useDebouncedValue(filters, TYPING_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is asked, not the other way round
  useEffect(() => {
    const query = new URLSearchParams(asked)
    if (query.toString() !== search.toString()) setSearch(query, { replace: true })
  }, [asked])
  const set = (next: Filters) => setFilters(filled((name) => next[name]))
  return { filters, asked, set }
}

/** The days are those of whoever reads. */
function queryOf({ dia_desde, dia_hasta, ...rest }: Filters): Filters {
  return {
    ...rest,
    ...(dia_desde ? { dia_desde: dayBegins(dia_desde) } : {}),
    ...(dia_hasta ? { dia_hasta: dayEnds(dia_hasta) } : {}),
  }
}

function filled(wordOf: (name: (typeof FILTERS)[number]) => string | null | undefined): Filters {
  const filters: Filters = {}
  for (const name of FILTERS) {
    const value = wordOf(name)
    if (value) filters[name] = value
  }
  return filters
}

function FilterBar({
  filters,
  set,
  rows,
}: {
  filters: Filters
  set: (filters: Filters) => void
  rows: AuditRow[]
}) {
  const fields: [(typeof FILTERS)[number], string, string, (row: AuditRow) => string | null][] = [
    ['cliente', common.client, common.exactName, ({ cliente }) => cliente],
    ['actor', texts.actor, texts.eMailOrToken, ({ actor }) => actor.nombre],
    ['operacion', common.operation, 'POST /clientes', ({ operacion }) => operacion],
    ['direccion', texts.address, '192.0.2.7', ({ direccion }) => direccion],
  ]
  return (
    <search className="filters">
      {fields.map(([name, label, placeholder, wordOf]) => (
        <div key={name}>
          <TextInput
            label={label}
            placeholder={placeholder}
            value={filters[name] ?? ''}
            list={`audit-${name}`}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set({ ...filters, [name]: event.currentTarget.value })}
          />
          <datalist id={`audit-${name}`}>
            {name === 'operacion'
              ? offered().map(([value, words]) => <option key={value} value={value} label={words} />)
              : [...new Set(rows.map(wordOf))].map((value) =>
                  value ? <option key={value} value={value} /> : null,
                )}
          </datalist>
        </div>
      ))}
      {(['dia_desde', 'dia_hasta'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'dia_desde' ? texts.firstDay : texts.lastDay}
          value={filters[name] ?? ''}
          onChange={(event) => set({ ...filters, [name]: event.currentTarget.value })}
        />
      ))}
      {Object.keys(filters).length > 0 ? (
        <Button variant="default" className="filter-clear" onClick={() => set({})}>
          {texts.removeTheFilters}
        </Button>
      ) : null}
    </search>
  )
}

/** Every operation with its words, which a browser looks through as well. */
const offered = (): [string, string][] =>
  Object.keys(OPERATIONS).map((name) => [name, operationWords(name, 'hecho')])

const csv = (): CsvColumn<AuditRow>[] => [
  [texts.number, ({ id }) => id],
  [texts.when, ({ cuando }) => cuando],
  [texts.actor, ({ actor }) => actor.nombre],
  [texts.really, ({ actor }) => actor.suplantado_por],
  [texts.address, ({ direccion }) => direccion],
  [common.operation, ({ operacion }) => operacion],
  [common.client, ({ cliente }) => cliente],
  [common.object, ({ objeto }) => objeto],
  [texts.result, ({ resultado }) => resultado],
  [texts.whatChanged, ({ cambios }) => (cambios ? changeLine(cambios) : null)],
  [texts.detail, ({ detalle }) => (detalle ? JSON.stringify(detalle) : null)],
  [texts.requestId, ({ peticion }) => peticion],
]

const columns = (look: (row: AuditRow) => void): Column<AuditRow>[] => [
  {
    head: texts.when,
    narrow: true,
    cell: ({ cuando }) => (
      <>
        <time dateTime={cuando}>{exactTime(cuando)}</time>
        <span className="sub">{relative(cuando)}</span>
      </>
    ),
  },
  {
    head: texts.who,
    cell: ({ actor, direccion }) => (
      <>
        <Actor actor={actor} />
        {direccion ? <code className="sub">{direccion}</code> : null}
      </>
    ),
  },
  {
    head: common.operation,
    long: true,
    cell: (row) => (
      <>
        <span className="strong">{sentence(row)}</span>
        <span className="sub">
          <code>{row.operacion}</code>
        </span>
        {row.cambios ? <span className="sub audit-line">{changeLine(row.cambios)}</span> : null}
      </>
    ),
  },
  { head: common.client, cell: ({ cliente }) => <ClientLink client={cliente} /> },
  { head: texts.result, narrow: true, cell: ({ resultado }) => <Outcome outcome={resultado} /> },
  {
    head: common.actions,
    actions: true,
    cell: (row) => (
      <SmallButton
        onClick={() => look(row)}
        aria-label={`${common.details}: ${row.operacion}, ${exactTime(row.cuando)}`}
      >
        {common.details}
      </SmallButton>
    ),
  },
]

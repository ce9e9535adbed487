import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { exactTime, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { operationWords } from '../../i18n/tasks.ts'
import { Empty, PageHead } from '../../ui/page.tsx'
import { Glyph } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { ClientLink } from './client-link.tsx'
import { Entry } from './entry.tsx'

export type AuditRow = ItemOf<'GET /api/auditoria'>
export const FILTERS = ['cliente', 'actor', 'operacion'] as const
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>

const TYPING_MS = 300

/** Everything that was changed, by whom and with which result; the filters are the page's own address. */
export default function Audit() {
  const { filters, asked, set: setFilters } = useFilters()
  const [looking, setLooking] = useState<AuditRow | null>(null)
  const pages = usePages('GET /api/auditoria', { query: asked })
  const filtered = Object.keys(filters).length > 0
  return (
    <>
      <PageHead
        title={t('Audit trail', 'Auditoría')}
        wire="GET /api/auditoria"
        lead={t(
          'Every change and every refusal, newest first. Nobody can edit it.',
          'Cada cambio y cada rechazo, lo más reciente primero. Nadie lo puede editar.',
        )}
      />
      <FilterBar filters={filters} set={setFilters} rows={pages.rows} />
      <PagedTable
        label={t('Audit trail', 'Auditoría')}
        pages={pages}
        columns={columns(setLooking)}
        rowKey={({ id }) => String(id)}
        rowClass={({ actor }) => (actor.suplantado_por ? 'row-marked' : undefined)}
        empty={
          <Empty icon="audit" title={t('Nothing was recorded', 'No hay nada registrado')}>
            {filtered ? (
              <Button variant="default" size="xs" onClick={() => setFilters({})}>
                {t('Remove the filters', 'Quitar los filtros')}
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
    ['cliente', t('Client', 'Cliente'), t('Exact name', 'Nombre exacto'), ({ cliente }) => cliente],
    ['actor', t('Actor', 'Actor'), t('E-mail or token', 'Correo o token'), ({ actor }) => actor.nombre],
    ['operacion', t('Operation', 'Operación'), 'POST /clientes', ({ operacion }) => operacion],
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
            {[...new Set(rows.map(wordOf))].map((value) =>
              value ? <option key={value} value={value} /> : null,
            )}
          </datalist>
        </div>
      ))}
      {Object.keys(filters).length > 0 ? (
        <Button variant="default" className="filter-clear" onClick={() => set({})}>
          {t('Remove the filters', 'Quitar los filtros')}
        </Button>
      ) : null}
    </search>
  )
}

const columns = (look: (row: AuditRow) => void): Column<AuditRow>[] => [
  {
    head: t('When', 'Cuándo'),
    narrow: true,
    cell: ({ cuando }) => (
      <>
        <time dateTime={cuando}>{exactTime(cuando)}</time>
        <span className="sub">{relative(cuando)}</span>
      </>
    ),
  },
  { head: t('Who', 'Quién'), cell: ({ actor }) => <Actor actor={actor} /> },
  {
    head: t('Operation', 'Operación'),
    long: true,
    cell: ({ operacion, objeto }) => (
      <>
        <span className="strong">{operationWords(operacion)}</span>
        <span className="sub">
          <code>{operacion}</code>
        </span>
        {objeto ? <span className="sub">{objeto}</span> : null}
      </>
    ),
  },
  { head: t('Client', 'Cliente'), cell: ({ cliente }) => <ClientLink client={cliente} /> },
  { head: t('Result', 'Resultado'), narrow: true, cell: ({ resultado }) => <Outcome outcome={resultado} /> },
  {
    head: t('Actions', 'Acciones'),
    actions: true,
    cell: (row) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => look(row)}
        aria-label={`${t('Details', 'Detalles')}: ${row.operacion}, ${exactTime(row.cuando)}`}
      >
        {t('Details', 'Detalles')}
      </Button>
    ),
  },
]

/** Who did it: what kind of caller, and the admin behind a customer's session. */
export function Actor({ actor }: { actor: AuditRow['actor'] }) {
  return (
    <>
      {actor.tipo === 'anonimo' || actor.tipo === 'sistema' ? (
        kindName(actor.tipo)
      ) : (
        <bdi>{actor.nombre}</bdi>
      )}
      {actor.suplantado_por ? (
        <span className="impersonated">
          <Glyph tone="warn" />
          {t('really', 'en realidad')} {actor.suplantado_por}
        </span>
      ) : actor.tipo === 'token' || actor.tipo === 'persona' ? (
        <span className="sub">{kindName(actor.tipo)}</span>
      ) : null}
    </>
  )
}

export function kindName(kind: AuditRow['actor']['tipo']): string {
  const names = {
    token: t('API token', 'Token de API'),
    persona: t('Person', 'Persona'),
    sistema: t('The panel itself', 'El propio panel'),
    anonimo: t('Not signed in', 'Sin identificar'),
  }
  return names[kind]
}

/** `hecho`, or the code under which it was refused. */
export function Outcome({ outcome }: { outcome: string }) {
  if (outcome === 'hecho') {
    return (
      <span className="state">
        <Glyph tone="good" />
        {t('Done', 'Hecho')}
      </span>
    )
  }
  return (
    <span className="state tone-bad">
      <Glyph tone="bad" />
      <code>{outcome}</code>
    </span>
  )
}

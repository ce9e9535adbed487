import { Button } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction, usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { dateTime, number, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { jobWords } from '../../i18n/tasks.ts'
import { SearchFilter, useFilter } from '../../ui/fields.tsx'
import { Empty, Nothing, PageHead, TabLinks } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { ClientLink } from '../audit/client-link.tsx'
import { JobSheet } from './job.tsx'

export type Job = ItemOf<'GET /api/tareas'>
type JobState = NonNullable<NonNullable<InputOf<'GET /api/tareas'>['query']>['estado']>

const STATES: JobState[] = ['fallida', 'pendiente', 'en_curso', 'hecha']
const WORKING_MS = 2_000
const LOOK_MS = 15_000

/** What the panel does in the background, and what of it failed. */
export default function Jobs() {
  const [asked] = useFilter('estado')
  const estado = STATES.find((state) => state === asked)
  const [cliente] = useFilter('cliente')
  const [looking, setLooking] = useState<Job | null>(null)
  const pages = usePages(
    'GET /api/tareas',
    { query: { ...(estado ? { estado } : {}), ...(cliente ? { cliente } : {}) } },
    { again: (rows) => (rows.some(isOpen) ? WORKING_MS : LOOK_MS) },
  )
  // What is looked at follows the list, so that a retried job is seen to go on.
  const shown = looking && (pages.rows.find(({ id }) => id === looking.id) ?? looking)
  return (
    <>
      <PageHead
        title={t('Jobs', 'Tareas')}
        wire="GET /api/tareas"
        lead={t(
          'Each change is done in the background. What fails is tried again by itself, later and later; then it waits here.',
          'Cada cambio se aplica en segundo plano. Lo que falla se reintenta solo, cada vez más tarde; después espera aquí.',
        )}
      />
      <StateTabs current={estado ?? ''} client={cliente} />
      <search className="filters">
        <SearchFilter
          name="cliente"
          label={t('Client', 'Cliente')}
          placeholder={t('Exact name', 'Nombre exacto')}
        />
      </search>
      <PagedTable
        label={t('Jobs', 'Tareas')}
        pages={pages}
        columns={columns(setLooking)}
        rowKey={({ id }) => id}
        empty={<NoJobs state={estado} />}
      />
      <JobSheet job={shown} close={() => setLooking(null)} />
    </>
  )
}

const isOpen = ({ estado }: Job) => estado === 'pendiente' || estado === 'en_curso'
export const mayRetry = ({ estado }: Job) => estado === 'fallida' || estado === 'pendiente'

function StateTabs({ current, client }: { current: string; client: string }) {
  const [path] = useLocation()
  const tabs: [string, string][] = [
    ['', t('All', 'Todas')],
    ['fallida', t('Failed', 'Fallidas')],
    ['pendiente', t('Pending', 'Pendientes')],
    ['en_curso', t('Running', 'En curso')],
    ['hecha', t('Done', 'Hechas')],
  ]
  const href = (estado: string) => {
    const query = new URLSearchParams({
      ...(estado ? { estado } : {}),
      ...(client ? { cliente: client } : {}),
    }).toString()
    return query ? `${path}?${query}` : path
  }
  return (
    <TabLinks
      label={t('By state', 'Por estado')}
      current={current}
      tabs={tabs.map(([id, label]) => ({ id, label, href: href(id) }))}
    />
  )
}

function NoJobs({ state }: { state: JobState | undefined }) {
  if (state === 'fallida') {
    return (
      <Empty icon="check" title={t('Nothing has failed', 'No ha fallado nada')}>
        <p>{t('What fails for good is listed here.', 'Lo que falle del todo aparecerá aquí.')}</p>
      </Empty>
    )
  }
  return <Empty icon="jobs" title={t('No jobs here', 'No hay tareas aquí')} />
}

const columns = (look: (job: Job) => void): Column<Job>[] => [
  {
    head: t('Job', 'Tarea'),
    cell: (job) => (
      <>
        <span className="strong">{jobWords(job.tipo)}</span>
        <span className="sub">
          <code>{job.objeto ?? job.tipo}</code>
        </span>
      </>
    ),
  },
  { head: t('State', 'Estado'), narrow: true, cell: (job) => <State state={job.estado} {...running(job)} /> },
  {
    head: t('Attempts', 'Intentos'),
    narrow: true,
    end: true,
    cell: ({ intentos }) => number(intentos),
  },
  { head: t('Last error', 'Último error'), cell: ({ error }) => <JobError error={error} /> },
  { head: t('Next, or end', 'Próxima, o fin'), narrow: true, cell: (job) => <NextOrEnd job={job} /> },
  { head: t('Client', 'Cliente'), cell: ({ cliente }) => <ClientLink client={cliente} /> },
  {
    head: t('Actions', 'Acciones'),
    actions: true,
    cell: (job) => <Actions job={job} look={look} />,
  },
]

const running = ({ estado, paso }: Job) =>
  estado === 'en_curso' && paso ? { label: `${t('Running', 'En curso')}: ${paso}` } : {}

function JobError({ error }: { error: string | null }) {
  if (error === null) return <Nothing />
  return (
    <span className="job-error" title={error}>
      {error}
    </span>
  )
}

function NextOrEnd({ job: { proxima, terminada, creada } }: { job: Job }) {
  const when = terminada ?? proxima
  return (
    <>
      {when ? (
        <time dateTime={when} title={dateTime(when)}>
          {proxima && new Date(proxima).getTime() <= Date.now() ? t('now', 'ahora') : relative(when)}
        </time>
      ) : (
        <Nothing />
      )}
      <span className="sub">
        {t('queued', 'en cola')} {relative(creada)}
      </span>
    </>
  )
}

function Actions({ job, look }: { job: Job; look: (job: Job) => void }) {
  const name = `${jobWords(job.tipo)} ${job.objeto ?? ''}`.trim()
  return (
    <div className="actions row-buttons">
      {mayRetry(job) ? <Retry job={job} name={name} failed={() => look(job)} /> : null}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => look(job)}
        aria-label={`${t('Details', 'Detalles')}: ${name}`}
      >
        {t('Details', 'Detalles')}
      </Button>
    </div>
  )
}

/** Trying again changes nothing that the panel would not do by itself, so it is not asked about. */
function Retry({ job, name, failed }: { job: Job; name: string; failed: () => void }) {
  const action = useAction('POST /api/tareas/:id/reintentar')
  const retry = async () => {
    const answer = await action.run({ params: { id: job.id } })
    if (answer) announce(t(`${name} is tried again`, `Se reintenta: ${name}`))
    else failed()
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={action.busy}
      onClick={retry}
      aria-label={`${t('Retry', 'Reintentar')}: ${name}`}
    >
      {t('Retry', 'Reintentar')}
    </Button>
  )
}

import { useState } from 'react'
import { useLocation } from 'wouter'
import { JOB_STATES } from '../../../schema/states.ts'
import { useAction, usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { jobWords } from '../../text/tasks.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import { SearchFilter, useFilter, useStateFilter } from '../../ui/forms/filters.tsx'
import { Empty, Nothing, PageHead, TabLinks } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Job, mayRetry } from './data.ts'
import { JobSheet } from './job.tsx'
import { texts } from './texts.ts'

const WORKING_MS = 2_000
const LOOK_MS = 15_000

/** What the panel does in the background, and what of it failed. */
export default function Jobs() {
  const estado = useStateFilter(JOB_STATES)
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
      <PageHead title={common.jobs} wire="GET /api/tareas" lead={texts.whatJobsAre} />
      <StateTabs current={estado ?? ''} client={cliente} />
      <search className="filters">
        <SearchFilter name="cliente" label={common.client} placeholder={common.exactName} />
      </search>
      <PagedTable
        label={common.jobs}
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

function StateTabs({ current, client }: { current: string; client: string }) {
  const [path] = useLocation()
  const tabs: [string, string][] = [
    ['', texts.all],
    ['fallida', texts.failed],
    ['pendiente', texts.pending],
    ['en_curso', texts.running],
    ['hecha', texts.done],
    ['cancelada', texts.cancelled],
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
      label={texts.byState}
      current={current}
      tabs={tabs.map(([id, label]) => ({ id, label, href: href(id) }))}
    />
  )
}

function NoJobs({ state }: { state: Job['estado'] | undefined }) {
  if (state === 'fallida') {
    return (
      <Empty icon="check" title={texts.nothingHasFailed}>
        <p>{texts.failedJobsAreHere}</p>
      </Empty>
    )
  }
  return <Empty icon="jobs" title={texts.noJobsHere} />
}

const columns = (look: (job: Job) => void): Column<Job>[] => [
  {
    head: texts.job,
    cell: (job) => (
      <>
        <span className="strong">{jobWords(job.tipo)}</span>
        <span className="sub">
          <code>{job.objeto ?? job.tipo}</code>
        </span>
      </>
    ),
  },
  { head: common.state, narrow: true, cell: (job) => <State state={job.estado} {...running(job)} /> },
  {
    head: texts.attempts,
    narrow: true,
    end: true,
    cell: ({ intentos }) => number(intentos),
  },
  { head: texts.lastError, cell: ({ error }) => <JobError error={error} /> },
  { head: texts.nextOrEnd, narrow: true, cell: (job) => <NextOrEnd job={job} /> },
  { head: common.client, cell: ({ cliente }) => <ClientLink client={cliente} /> },
  {
    head: common.actions,
    actions: true,
    cell: (job) => <Actions job={job} look={look} />,
  },
]

const running = ({ estado, paso }: Job) =>
  estado === 'en_curso' && paso ? { label: `${texts.running}: ${paso}` } : {}

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
          {proxima && new Date(proxima).getTime() <= Date.now() ? texts.now : relative(when)}
        </time>
      ) : (
        <Nothing />
      )}
      <span className="sub">
        {texts.isQueued} {relative(creada)}
      </span>
    </>
  )
}

function Actions({ job, look }: { job: Job; look: (job: Job) => void }) {
  const name = `${jobWords(job.tipo)} ${job.objeto ?? ''}`.trim()
  return (
    <div className="actions row-buttons">
      {mayRetry(job) ? <Retry job={job} name={name} failed={() => look(job)} /> : null}
      <SmallButton onClick={() => look(job)} aria-label={`${common.details}: ${name}`}>
        {common.details}
      </SmallButton>
    </div>
  )
}

/** Trying again changes nothing that the panel would not do by itself, so it is not asked about. */
function Retry({ job, name, failed }: { job: Job; name: string; failed: () => void }) {
  const action = useAction('POST /api/tareas/:id/reintentar')
  const retry = async () => {
    const answer = await action.run({ params: { id: job.id } })
    if (answer) announce(texts.isTriedAgain(name))
    else failed()
  }
  return (
    <SmallButton loading={action.busy} onClick={retry} aria-label={`${texts.retry}: ${name}`}>
      {texts.retry}
    </SmallButton>
  )
}

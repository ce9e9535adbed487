import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useAction, usePages } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { dateTime, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { stateWords } from '../i18n/states.ts'
import { ApiCall } from '../ui/api-call.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { ChoiceFilter, SearchFilter, useFilter } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import { clientPath } from './places.ts'

type Job = ItemOf<'GET /api/tareas'>
const STATES = ['pendiente', 'en_curso', 'hecha', 'fallida'] as const

/** Background work: what a change still has to do to the world. */
export default function Jobs() {
  const [estado] = useFilter('estado')
  const [cliente] = useFilter('cliente')
  const state = STATES.find((one) => one === estado)
  const jobs = usePages(
    'GET /api/tareas',
    { query: { ...(state ? { estado: state } : {}), ...(cliente ? { cliente } : {}) } },
    { again: (rows) => (rows.some((job) => job.estado === 'en_curso') ? 2000 : 15_000) },
  )
  const retry = useAction('POST /api/tareas/:id/reintentar')
  const again = async (job: Job) => {
    if (await retry.run({ params: { id: job.id } })) announce(t('Queued again.', 'En cola de nuevo.'))
  }
  return (
    <>
      <PageHead
        title={t('Jobs', 'Tareas')}
        wire="GET /api/tareas"
        lead={t(
          'What changes still have to do on the node and elsewhere. Each can be run again without harm.',
          'Lo que los cambios aún tienen que hacer en el nodo y fuera. Cada una puede repetirse sin daño.',
        )}
      />
      <div className="filters">
        <ChoiceFilter
          name="estado"
          label={t('State', 'Estado')}
          options={STATES.map((value) => ({ value, label: stateWords(value).label }))}
        />
        <SearchFilter name="cliente" label={t('Client', 'Cliente')} />
      </div>
      {retry.error ? <ErrorNote error={retry.error} /> : null}
      <PagedTable
        label={t('Jobs', 'Tareas')}
        pages={jobs}
        rowKey={({ id }) => id}
        columns={[
          {
            head: t('Job', 'Tarea'),
            cell: ({ tipo, paso, objeto }) => (
              <>
                <code className="strong">{tipo}</code>
                <span className="sub mono">
                  {[objeto, paso && `${t('step', 'paso')} ${paso}`].filter(Boolean).join(' · ')}
                </span>
              </>
            ),
          },
          { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} /> },
          {
            head: t('Client', 'Cliente'),
            cell: ({ cliente }) =>
              cliente ? (
                <Link className="mono" href={clientPath(cliente)}>
                  {cliente}
                </Link>
              ) : (
                <Nothing />
              ),
          },
          { head: t('Attempts', 'Intentos'), end: true, narrow: true, cell: ({ intentos }) => intentos },
          { head: t('When', 'Cuándo'), cell: (job) => <When job={job} /> },
          { head: t('Last error', 'Último error'), long: true, cell: ({ error }) => error ?? <Nothing /> },
          {
            head: t('Actions', 'Acciones'),
            actions: true,
            cell: (job) =>
              job.estado === 'fallida' ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<Icon name="sync" size={14} />}
                  onClick={() => again(job)}
                >
                  {t('Retry', 'Reintentar')}
                </Button>
              ) : null,
          },
        ]}
        empty={<Empty icon="jobs" title={t('No jobs.', 'No hay tareas.')} />}
      />
      {jobs.rows.some((job) => job.estado === 'fallida') ? (
        <ApiCall
          op="POST /api/tareas/:id/reintentar"
          input={{ params: { id: jobs.rows.find((job) => job.estado === 'fallida')?.id ?? '' } }}
        />
      ) : null}
    </>
  )
}

function When({ job }: { job: Job }) {
  if (job.terminada) return <span title={dateTime(job.terminada)}>{relative(job.terminada)}</span>
  return (
    <>
      <span title={dateTime(job.creada)}>{relative(job.creada)}</span>
      {job.proxima ? (
        <span className="sub">
          {t('next', 'próxima')} {relative(job.proxima)}
        </span>
      ) : null}
    </>
  )
}

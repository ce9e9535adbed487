import type { ReactNode } from 'react'
import { exactTime, number, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { jobWords } from '../../i18n/tasks.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Facts } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { ClientLink } from '../audit/client-link.tsx'
import { type Job, mayRetry } from './list.tsx'

/** One job with its whole error, and the way to try it again. */
export function JobSheet({ job, close }: { job: Job | null; close: () => void }) {
  return (
    <SideSheet title={job ? jobWords(job.tipo) : t('Job', 'Tarea')} opened={job !== null} close={close}>
      {job ? (
        <div className="form">
          {job.error ? (
            <Note
              tone={job.estado === 'fallida' ? 'bad' : 'warn'}
              title={t('The last error', 'El último error')}
            >
              <p>{job.error}</p>
            </Note>
          ) : null}
          <Facts items={facts(job)} />
          {mayRetry(job) ? (
            <OpForm
              op="POST /api/tareas/:id/reintentar"
              input={{ params: { id: job.id } }}
              submit={t('Try again now', 'Reintentar ahora')}
              done={() => {
                announce(t('The job is tried again', 'La tarea se reintenta'))
                // Where only failed ones are listed, it is no longer there to be followed.
                close()
              }}
            />
          ) : null}
        </div>
      ) : null}
    </SideSheet>
  )
}

function facts(job: Job): [ReactNode, ReactNode][] {
  const time = (iso: string | null) => (iso ? `${exactTime(iso)} · ${relative(iso)}` : null)
  return [
    [t('State', 'Estado'), <State key="state" state={job.estado} />],
    [t('Step', 'Paso'), job.paso ? <code key="step">{job.paso}</code> : null],
    [t('Attempts', 'Intentos'), number(job.intentos)],
    [t('Next try', 'Próximo intento'), time(job.proxima)],
    [t('Object', 'Objeto'), job.objeto ? <code key="object">{job.objeto}</code> : null],
    [t('Client', 'Cliente'), <ClientLink key="client" client={job.cliente} />],
    [t('Node', 'Nodo'), job.nodo ? <code key="node">{job.nodo}</code> : null],
    [t('Queued', 'En cola desde'), time(job.creada)],
    [t('Finished', 'Terminada'), time(job.terminada)],
    [t('Kind', 'Tipo'), <code key="kind">{job.tipo}</code>],
    [
      'Id',
      <span key="id" className="copied-id">
        <code>{job.id}</code>
        <CopyButton value={job.id} label={t('Copy the id', 'Copiar el id')} />
      </span>,
    ],
  ]
}

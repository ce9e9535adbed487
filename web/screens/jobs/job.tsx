import type { ReactNode } from 'react'
import { common } from '../../text/common.ts'
import { exactTime, number, relative } from '../../text/format.ts'
import { jobWords } from '../../text/tasks.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Facts } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Job, mayCancel, mayRetry, progressWords } from './data.ts'
import { texts } from './texts.ts'

/** One job with its whole error, and the way to try it again. */
export function JobSheet({ job, close }: { job: Job | null; close: () => void }) {
  return (
    <SideSheet title={job ? jobWords(job.tipo) : texts.job} opened={job !== null} close={close}>
      {job ? (
        <div className="form">
          {job.error ? (
            <Note tone={job.estado === 'fallida' ? 'bad' : 'warn'} title={texts.theLastError}>
              <p>{job.error}</p>
            </Note>
          ) : null}
          <Facts items={facts(job)} />
          {mayCancel(job) ? (
            <OpForm
              op="DELETE /api/tareas/:id"
              input={{ params: { id: job.id } }}
              submit={texts.giveUp}
              danger
              done={() => {
                announce(texts.jobIsGivenUp)
                close()
              }}
            />
          ) : null}
          {mayRetry(job) ? (
            <OpForm
              op="POST /api/tareas/:id/reintentar"
              input={{ params: { id: job.id } }}
              submit={texts.tryAgainNow}
              done={() => {
                announce(texts.jobTriedAgain)
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
    [common.state, <State key="state" state={job.estado} />],
    [texts.step, job.paso ? <code key="step">{job.paso}</code> : null],
    [texts.progress, progressWords(job)],
    [texts.attempts, number(job.intentos)],
    [texts.nextTry, time(job.proxima)],
    [common.object, job.objeto ? <code key="object">{job.objeto}</code> : null],
    [common.client, <ClientLink key="client" client={job.cliente} />],
    [common.node, job.nodo ? <code key="node">{job.nodo}</code> : null],
    [texts.queued, time(job.creada)],
    [texts.finished, time(job.terminada)],
    [common.kind, <code key="kind">{job.tipo}</code>],
    [
      'Id',
      <span key="id" className="copied-id">
        <code>{job.id}</code>
        <CopyButton value={job.id} label={texts.copyTheId} />
      </span>,
    ],
  ]
}

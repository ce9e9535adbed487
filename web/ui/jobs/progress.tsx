import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction } from '../../api/hooks.ts'
import { isGoingOn, type Job, useJob } from '../../api/job.ts'
import { bytes, number } from '../../text/format.ts'
import { Bar } from '../meter.tsx'
import { Loaded } from '../page.tsx'
import { Note } from '../state.tsx'

/** What is told of a job; `working` and `amount` while it runs. */
export type JobWords = {
  done: string
  givenUp: string
  failed: string
  giveUp: string
  close: string
  working: (job: Job) => string
  amount: (done: number, total: number, unit: string) => string
}
type JobTexts = Pick<JobWords, 'done' | 'givenUp' | 'failed' | 'giveUp' | 'close'> & {
  working: string
  stepOf: (done: string, total: string) => string
}

/** A job's words of a screen's texts; how much is done is told in bytes or in numbers, as the job counts. */
export const jobWords = (texts: JobTexts): JobWords => ({
  done: texts.done,
  givenUp: texts.givenUp,
  failed: texts.failed,
  giveUp: texts.giveUp,
  close: texts.close,
  working: () => texts.working,
  amount(done, total, unit) {
    const told = unit === 'bytes' ? bytes : number
    return texts.stepOf(told(done), told(total))
  },
})

type Props = {
  id: string
  words: JobWords
  close: () => void
  /** What stands in the note of a job that is done. */
  result?: (job: Job) => ReactNode
  /** What stands below, whatever the state. */
  children?: (job: Job) => ReactNode
}

/** How far a job is, and its end, as the panel tells it. */
export function JobProgress({ id, words, close, result, children }: Props) {
  const read = useJob(id)
  return (
    <Loaded of={read}>
      {(job) => (
        <div className="stack" aria-live="polite">
          <HowFar job={job} words={words}>
            {result?.(job)}
          </HowFar>
          <div className="form-foot">
            {isGoingOn(job) ? <GiveUp id={id} label={words.giveUp} /> : null}
            <Button variant={isGoingOn(job) ? 'default' : 'filled'} onClick={close}>
              {words.close}
            </Button>
          </div>
          {children?.(job)}
        </div>
      )}
    </Loaded>
  )
}

function HowFar({ job, words, children }: { job: Job; words: JobWords; children: ReactNode }) {
  const { estado, error, progreso } = job
  if (estado === 'cancelada') return <Note tone="info" title={words.givenUp} />
  if (estado === 'fallida') {
    return (
      <Note tone="bad" title={words.failed}>
        <p>{error}</p>
      </Note>
    )
  }
  if (estado === 'hecha') {
    return (
      <Note tone="good" title={words.done}>
        {children}
      </Note>
    )
  }
  const { hecho, total, unidad } = progreso ?? { hecho: 0, total: null, unidad: 'pasos' }
  return (
    <>
      <p>{words.working(job)}</p>
      {total ? (
        <>
          <Bar share={hecho / total} tone="good" progress />
          <p className="small">{words.amount(hecho, total, unidad)}</p>
        </>
      ) : null}
    </>
  )
}

function GiveUp({ id, label }: { id: string; label: string }) {
  const action = useAction('DELETE /api/tareas/:id')
  return (
    <Button variant="default" loading={action.busy} onClick={() => void action.run({ params: { id } })}>
      {label}
    </Button>
  )
}

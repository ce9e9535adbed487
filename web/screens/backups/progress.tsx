import type { Job } from '../../api/job.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { JobProgress, jobWords } from '../../ui/jobs/progress.tsx'
import { texts } from './texts.ts'

/** What a restore is undone with; null where nothing can be. */
export type Undo = { cliente: string; sitio?: string; ruta?: string; base?: string } | null
type Props = { id: string; undo: Undo; again: (id: string) => void; close: () => void }

/** How far a copy or a restore is, its end, and the way back from that. */
export function Progress({ id, undo, again, close }: Props) {
  return (
    <JobProgress id={id} words={jobWords(texts)} close={close} result={(job) => <RestoredTo job={job} />}>
      {(job) => <WayBack job={job} undo={undo} begun={again} />}
    </JobProgress>
  )
}

function RestoredTo({ job: { resultado } }: { job: Job }) {
  const { ruta: path, deshacer: undo, sin_tocar: left } = resultado ?? {}
  return (
    <>
      {typeof path === 'string' && undo === null ? <p>{texts.restoredTo(path)}</p> : null}
      {Array.isArray(left) ? <p>{texts.leftAlone(left.join(', '))}</p> : null}
    </>
  )
}

function WayBack({ job, undo, begun }: { job: Job; undo: Undo; begun: (id: string) => void }) {
  const copy = job.resultado?.deshacer
  if (job.estado !== 'hecha' || undo === null || typeof copy !== 'string') return null
  const { cliente, ...what } = undo
  return (
    <OpForm
      op="POST /api/clientes/:cliente/copias/:copia/restaurar"
      input={{ params: { cliente, copia: copy }, body: { ...what, modo: 'sustituir' } }}
      submit={texts.undo}
      quiet
      done={({ data }) => begun(data.tarea.id)}
    />
  )
}

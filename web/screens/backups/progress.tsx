import { Button } from '@mantine/core'
import { useAction, useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { bytes, number } from '../../text/format.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { Bar } from '../../ui/meter.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Job = OutputOf<'GET /api/tareas/:id'>
/** What a restore is undone with; null where nothing can be. */
export type Undo = { cliente: string; sitio?: string; ruta?: string; base?: string } | null
type Props = { id: string; undo: Undo; again: (id: string) => void; close: () => void }

const isGoingOn = ({ estado }: Job) => estado === 'pendiente' || estado === 'en_curso'

/** How far a copy or a restore is, its end, and the way back from that. */
export function Progress({ id, undo, again, close }: Props) {
  const read = useRead(
    'GET /api/tareas/:id',
    { params: { id } },
    { again: (job) => (isGoingOn(job) ? 1000 : false) },
  )
  return (
    <Loaded of={read}>
      {(job) => (
        <div className="stack" aria-live="polite">
          <HowFar job={job} />
          <WayBack job={job} undo={undo} begun={again} />
          <div className="form-foot">
            {isGoingOn(job) ? <GiveUp id={id} /> : null}
            <Button variant="default" onClick={close}>
              {texts.close}
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  )
}

function HowFar({ job: { estado, error, progreso, resultado } }: { job: Job }) {
  if (estado === 'cancelada') return <Note tone="info" title={texts.givenUp} />
  if (estado === 'fallida') {
    return (
      <Note tone="bad" title={texts.failed}>
        <p>{error}</p>
      </Note>
    )
  }
  if (estado === 'hecha') {
    const path = resultado?.ruta
    return (
      <Note tone="good" title={texts.done}>
        {typeof path === 'string' && resultado?.deshacer === null ? <p>{texts.restoredTo(path)}</p> : null}
      </Note>
    )
  }
  const { hecho, total, unidad } = progreso ?? { hecho: 0, total: null, unidad: 'pasos' }
  const amount = (value: number) => (unidad === 'bytes' ? bytes(value) : number(value))
  return (
    <>
      <p>{texts.working}</p>
      {total ? (
        <>
          <Bar share={hecho / total} tone="good" />
          <p className="small">{texts.stepOf(amount(hecho), amount(total))}</p>
        </>
      ) : null}
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
      done={({ data }) => begun(data.tarea.id)}
    />
  )
}

function GiveUp({ id }: { id: string }) {
  const action = useAction('DELETE /api/tareas/:id')
  return (
    <Button variant="default" loading={action.busy} onClick={() => void action.run({ params: { id } })}>
      {texts.giveUp}
    </Button>
  )
}

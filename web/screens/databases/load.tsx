import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction, useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { bytes } from '../../text/format.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Bar } from '../../ui/meter.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Job = OutputOf<'GET /api/tareas/:id'>
type Props = { base: string; close: () => void }

/** Makes a dump in one of the client's sites all that a database holds, and tells how far that is. */
export function LoadDump({ base, close }: Props) {
  const [path, setPath] = useState('')
  const [job, setJob] = useState<string | null>(null)
  if (job) return <Loading id={job} close={close} />
  return (
    <OpForm
      op="POST /api/bases/:base/cargar"
      input={{ params: { base }, body: { ruta: path.trim() } }}
      submit={texts.loadIt}
      danger
      disabled={path.trim() === ''}
      cancel={close}
      done={({ data }) => setJob(data.tarea.id)}
    >
      {(error) => (
        <>
          <Note tone="warn" title={texts.contentReplaced}>
            <p>{texts.untilWhole}</p>
          </Note>
          <TextField
            mono
            label={texts.dumpPath}
            description={texts.dumpPathHint}
            placeholder="/sitios/ejemplo.es/copias/tienda.sql.gz"
            value={path}
            error={error('ruta')}
            onChange={setPath}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}

const isGoingOn = ({ estado }: Job) => estado === 'pendiente' || estado === 'en_curso'

function Loading({ id, close }: { id: string; close: () => void }) {
  const again = (job: Job) => (isGoingOn(job) ? 1000 : false)
  const read = useRead('GET /api/tareas/:id', { params: { id } }, { again })
  return (
    <Loaded of={read}>
      {(job) => (
        <div className="stack" aria-live="polite">
          <HowFar job={job} />
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

function HowFar({ job: { estado, error, progreso } }: { job: Job }) {
  if (estado === 'hecha') return <Note tone="good" title={texts.loaded} />
  if (estado === 'cancelada') return <Note tone="info" title={texts.givenUp} />
  if (estado === 'fallida') {
    return (
      <Note tone="bad" title={texts.notLoaded}>
        <p>{error}</p>
      </Note>
    )
  }
  const { hecho, total } = progreso ?? { hecho: 0, total: null }
  const isRead = total !== null && hecho >= total
  return (
    <>
      <p>{isRead ? texts.putInPlace : texts.loading}</p>
      {total ? (
        <>
          <Bar share={hecho / total} tone="good" />
          <p className="small">{texts.readOf(bytes(hecho), bytes(total))}</p>
        </>
      ) : null}
    </>
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

import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import type { Job } from '../../api/job.ts'
import { bytes } from '../../text/format.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { JobProgress, type JobWords } from '../../ui/jobs/progress.tsx'
import { Card } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { DownloadButton } from '../../ui/transfers/button.tsx'
import { DumpField } from './dump-field.tsx'
import { texts } from './texts.ts'

type Props = { base: string; cliente: string; close: () => void }

/** All that a database holds as a file, and out of one. */
export function ImportExport({ base, cliente, close }: Props) {
  return (
    <div className="stack">
      <Card title={texts.export}>
        <p className="small">{texts.whatADumpIs}</p>
        <DownloadButton
          op="GET /api/bases/:base/volcado"
          input={{ params: { base } }}
          name={`${base}.sql.gz`}
          label={texts.downloadDump}
        />
      </Card>
      <Card title={texts.import}>
        <LoadDump base={base} cliente={cliente} close={close} />
      </Card>
    </div>
  )
}

/** Makes a dump all that a database holds, and tells how far that is. */
function LoadDump({ base, cliente, close }: Props) {
  const [path, setPath] = useState('')
  const [job, setJob] = useState<string | null>(null)
  const [own, setOwn] = useState<Uploaded | null>(null)
  if (job) {
    const cleared = () => (own === null ? null : <Cleared {...own} />)
    return <JobProgress id={job} words={words()} close={close} result={cleared} />
  }
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
          <DumpField
            cliente={cliente}
            value={path}
            onChange={setPath}
            uploaded={setOwn}
            error={error('ruta')}
          />
          <Note tone="warn" title={texts.contentReplaced}>
            <p>{texts.untilWhole}</p>
          </Note>
        </>
      )}
    </OpForm>
  )
}

type Uploaded = { domain: string; path: string }

/** Deletes what was uploaded for an import alone, once that is done. */
function Cleared({ domain, path }: Uploaded) {
  const remove = useAction('POST /api/sitios/:domain/archivos/operaciones')
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void remove.run({ params: { domain }, body: { operacion: 'borrar', rutas: [path] } })
  })
  return null
}

const words = (): JobWords => ({
  done: texts.loaded,
  givenUp: texts.givenUp,
  failed: texts.notLoaded,
  giveUp: texts.giveUp,
  close: texts.close,
  working: (job) => (isRead(job) ? texts.putInPlace : texts.loading),
  amount: (done, total) => texts.readOf(bytes(done), bytes(total)),
})

const isRead = ({ progreso }: Job) =>
  progreso !== null && progreso.total !== null && progreso.hecho >= progreso.total

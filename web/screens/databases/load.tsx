import { useState } from 'react'
import type { Job } from '../../api/job.ts'
import { bytes } from '../../text/format.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { JobProgress, type JobWords } from '../../ui/jobs/progress.tsx'
import { Card } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { DownloadButton } from '../../ui/transfers/button.tsx'
import { texts } from './texts.ts'

type Props = { base: string; close: () => void }

/** All that a database holds as a file, and out of one. */
export function ImportExport({ base, close }: Props) {
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
        <LoadDump base={base} close={close} />
      </Card>
    </div>
  )
}

/** Makes a dump in one of the client's sites all that a database holds, and tells how far that is. */
function LoadDump({ base, close }: Props) {
  const [path, setPath] = useState('')
  const [job, setJob] = useState<string | null>(null)
  if (job) return <JobProgress id={job} words={words()} close={close} />
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
          />
        </>
      )}
    </OpForm>
  )
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

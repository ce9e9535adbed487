import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { call, reply } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { useAction } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { ApiCall } from '../../ui/forms/api-call.tsx'
import { TextArea } from '../../ui/forms/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { saveFile } from '../../ui/transfers/save.ts'
import { Preview } from './preview.tsx'
import { ChangeForm } from './records/change-form.tsx'
import { remember } from './records/records-data.ts'
import { texts } from './texts.ts'

const IMPORT = 'POST /api/zonas/:zona/importar'
const EXPORT = 'GET /api/zonas/:zona/exportar'

type Outcome = OutputOf<typeof IMPORT>
/** What an import would do to exactly this text, on exactly this state of the zone. */
type Looked = { text: string; outcome: Outcome; etag: string; before: string }

/** The zone as a file: out, and in with a look first. */
export function TransferTab({ zona }: { zona: string }) {
  return (
    <div className="columns">
      <Import zona={zona} />
      <Export zona={zona} />
    </div>
  )
}

function Export({ zona }: { zona: string }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const text = await call(EXPORT, { params: { zona } })
      saveFile(new Blob([text], { type: 'text/dns' }), `${zona}.zone`)
    } catch (thrown) {
      setError(asApiError(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={texts.export}>
      <div className="form">
        <p>{texts.allRecordsZoneFile}</p>
        {error ? <ErrorNote error={error} focus /> : null}
        <div className="form-foot">
          <Button
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            loading={busy}
            onClick={save}
          >
            {common.download}
          </Button>
        </div>
        <ApiCall op={EXPORT} input={{ params: { zona } }} />
      </div>
    </Card>
  )
}

function Import({ zona }: { zona: string }) {
  const [text, setText] = useState('')
  const [looked, setLooked] = useState<Looked | null>(null)
  const dryRun = useAction(IMPORT)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const body = new TextEncoder().encode(text)
  const look = async () => {
    setLooked(null)
    setFailed(null)
    try {
      const before = await reply(EXPORT, { params: { zona } })
      const etag = before.etag ?? '*'
      const answer = await dryRun.run({ params: { zona }, query: { simular: 'si' }, body }, { ifMatch: etag })
      if (answer) setLooked({ text, outcome: answer.data, etag, before: before.data })
    } catch (thrown) {
      setFailed(asApiError(thrown))
    }
  }
  const fresh = looked && looked.text === text ? looked : null
  const error = failed ?? dryRun.error
  return (
    <Card title={texts.import} wire={IMPORT}>
      <div className="form">
        <p className="measure">{texts.whatImportDoes}</p>
        <FilePicker read={setText} />
        <TextArea
          mono
          rows={12}
          label={texts.zoneFile}
          placeholder={'www\t3600\tIN\tA\t192.0.2.10'}
          value={text}
          onChange={setText}
        />
        {error ? <ErrorNote error={error} focus /> : null}
        {fresh ? null : (
          <>
            <div className="form-foot">
              <Button onClick={look} loading={dryRun.busy} disabled={text.trim() === ''}>
                {texts.preview}
              </Button>
            </div>
            <ApiCall op={IMPORT} input={{ params: { zona }, query: { simular: 'si' }, body }} />
          </>
        )}
      </div>
      {fresh ? (
        <Result
          zona={zona}
          looked={fresh}
          again={look}
          done={() => {
            setText('')
            setLooked(null)
          }}
          cancel={() => setLooked(null)}
        />
      ) : null}
    </Card>
  )
}

function FilePicker({ read }: { read: (text: string) => void }) {
  const id = useId()
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        {texts.fromAFile}
      </label>
      <input
        id={id}
        type="file"
        accept=".zone,.txt,.db,text/dns,text/plain"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) void file.text().then(read)
        }}
      />
    </div>
  )
}

type ResultProps = { zona: string; looked: Looked; again: () => void; done: () => void; cancel: () => void }

function Result({ zona, looked, again, done, cancel }: ResultProps) {
  const { outcome, etag, before, text } = looked
  const { anadidos, cambiados, borrados, rechazados } = outcome
  if (rechazados.length > 0) return <Refused rejected={rechazados} />
  if (anadidos + cambiados + borrados === 0) {
    return <Note tone="info" title={texts.nothingToImport} />
  }
  return (
    <div className="import-result" aria-live="polite">
      <Preview zona={zona} before={before} after={text} counts={[anadidos, cambiados, borrados]} />
      <ChangeForm
        op={IMPORT}
        input={{ params: { zona }, body: new TextEncoder().encode(text) }}
        ifMatch={etag}
        outdated={again}
        submit={texts.replaceTheZonesContent}
        danger={borrados > 0}
        cancel={cancel}
        done={({ data }) => {
          remember(zona, {
            kind: 'import',
            file: before,
            counts: [data.anadidos, data.cambiados, data.borrados],
          })
          announce(texts.imported)
          done()
        }}
      />
    </div>
  )
}

function Refused({ rejected }: { rejected: Outcome['rechazados'] }) {
  return (
    <div className="import-result">
      <Note tone="bad" title={texts.linesAreRefused} />
      <div className="table-box">
        <Table
          label={texts.refusedLines}
          rows={rejected}
          rowKey={({ linea, motivo }) => `${linea} ${motivo}`}
          columns={[
            {
              head: texts.line,
              narrow: true,
              cell: ({ linea }) => <span className="mono">{linea}</span>,
            },
            { head: texts.why, cell: ({ motivo }) => motivo },
          ]}
        />
      </div>
    </div>
  )
}

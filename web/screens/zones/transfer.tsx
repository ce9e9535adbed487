import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { common } from '../../text/common.ts'
import { ApiCall } from '../../ui/forms/api-call.tsx'
import { Choice, TextArea } from '../../ui/forms/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { IMPORT, type Mode, Proposed } from './proposed.tsx'
import { EXPORT, SaveZone } from './save.tsx'
import { texts } from './texts.ts'

/** The zone as a file: out, and in with a look first. */
export default function TransferTab({ zona }: { zona: string }) {
  return (
    <div className="columns">
      <Import zona={zona} />
      <Export zona={zona} />
    </div>
  )
}

function Export({ zona }: { zona: string }) {
  return (
    <Card title={texts.export}>
      <div className="form">
        <p>{texts.allRecordsZoneFile}</p>
        <SaveZone zona={zona} label={common.download} />
        <ApiCall op={EXPORT} input={{ params: { zona } }} />
      </div>
    </Card>
  )
}

function Import({ zona }: { zona: string }) {
  const [text, setText] = useState('')
  const [modo, setModo] = useState<Mode>('reemplazar')
  const [asked, setAsked] = useState<{ text: string; modo: Mode } | null>(null)
  const fresh = asked && asked.text === text && asked.modo === modo ? asked : null
  const body = new TextEncoder().encode(text)
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
        <Choice
          label={texts.whatIsNotInIt}
          value={modo}
          onChange={(value) => setModo(value === 'fusionar' ? 'fusionar' : 'reemplazar')}
          options={[
            { value: 'reemplazar', label: texts.isDeleted },
            { value: 'fusionar', label: texts.stays },
          ]}
        />
        {fresh ? null : (
          <>
            <div className="form-foot">
              <Button onClick={() => setAsked({ text, modo })} disabled={text.trim() === ''}>
                {texts.preview}
              </Button>
            </div>
            <ApiCall op={IMPORT} input={{ params: { zona }, query: { simular: 'si', modo }, body }} />
          </>
        )}
      </div>
      {fresh ? (
        <Proposed
          {...{ zona, text, modo }}
          submit={modo === 'fusionar' ? texts.addToTheZone : texts.replaceTheZonesContent}
          done={() => {
            setText('')
            setAsked(null)
          }}
          cancel={() => setAsked(null)}
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

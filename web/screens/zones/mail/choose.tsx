import { Button } from '@mantine/core'
import { useState } from 'react'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { Proposed } from '../proposed.tsx'
import { fileOf, type Records } from '../records/records-data.ts'
import { texts } from '../texts.ts'
import { providerOf, stillToCome } from './missing.ts'
import { HOST_ASKED, microsoftHost, TEMPLATES, type Template, wantedSets } from './templates.ts'
import { texts as mailTexts } from './texts.ts'
import { ToCome } from './to-come.tsx'

type Props = { zona: string; records: Records; close: () => void }

/** Where the mail of a domain is to go, and what that would change. */
export default function Choose({ zona, records, close }: Props) {
  const [template, setTemplate] = useState<Template>('google')
  const [typed, setTyped] = useState('')
  const [looking, setLooking] = useState(false)
  const [made, setMade] = useState(false)
  const host = typed.trim() || (template === 'microsoft' ? microsoftHost(zona) : '')
  const asks = HOST_ASKED.includes(template)
  if (made) return <After zona={zona} records={records} close={close} />
  const file = fileOf(zona, wantedSets(template, { zone: zona, host }, records.rows))
  return (
    <div className="form">
      <Choice
        label={texts.whereMailIs}
        value={template}
        onChange={(value) => {
          setLooking(false)
          setTemplate(TEMPLATES.find((one) => one === value) ?? 'google')
        }}
        options={TEMPLATES.map((one) => ({ value: one, label: titleOf(one) }))}
      />
      {asks ? (
        <TextField
          mono
          label={texts.mailHost}
          value={typed}
          onChange={(value) => {
            setLooking(false)
            setTyped(value)
          }}
          placeholder={template === 'microsoft' ? microsoftHost(zona) : 'mail.example.org'}
          description={template === 'microsoft' ? texts.whereMicrosoftSays : texts.hostOfMailServer}
        />
      ) : null}
      <p className="measure small faint">
        {template === 'parked' ? texts.whatParkedDoes : texts.whatMailSetupDoes}
      </p>
      {looking ? (
        <Proposed
          zona={zona}
          text={file}
          modo="fusionar"
          submit={texts.makeTheseChanges}
          told={toldOf(template, zona)}
          done={() => (isAsked(template) ? setMade(true) : close())}
          cancel={() => setLooking(false)}
        />
      ) : (
        <div className="form-foot">
          <Button onClick={() => setLooking(true)} disabled={asks && host === ''}>
            {texts.preview}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What is left after a template of a provider that has values of its own for each domain. */
function After({ zona, records, close }: Props) {
  const provider = providerOf(records.rows)
  const isDone = provider === null || stillToCome(provider, records.rows).length === 0
  return (
    <div className="stack">
      <ToCome zona={zona} records={records} />
      <div className="form-foot">
        <Button variant="default" onClick={close}>
          {isDone ? mailTexts.close : mailTexts.later}
        </Button>
      </div>
    </div>
  )
}

const isAsked = (template: Template) => template === 'google' || template === 'microsoft'

function toldOf(template: Template, zone: string): string {
  if (template === 'parked') return mailTexts.hasNoMail(zone)
  return template === 'other' ? mailTexts.goesToServer(zone) : mailTexts.goesTo(zone, titleOf(template))
}

const titleOf = (template: Template) =>
  ({
    google: 'Google Workspace',
    microsoft: 'Microsoft 365',
    fastmail: 'Fastmail',
    other: texts.mailElsewhere,
    parked: texts.noMailAtAll,
  })[template]

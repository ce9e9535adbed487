import { Button } from '@mantine/core'
import { useState } from 'react'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Proposed } from '../proposed.tsx'
import { fileOf, type Records } from '../records/records-data.ts'
import { looksRight, type Provider, pasted, providerOf, type Step, stillToCome } from './missing.ts'
import { texts } from './texts.ts'

type Props = { zona: string; records: Records }

/** What only the mail provider can tell, where it is found there, and a field to paste each; nothing once all is there. */
export function ToCome({ zona, records }: Props) {
  const provider = providerOf(records.rows)
  const left = provider ? stillToCome(provider, records.rows) : []
  if (provider === null || left.length === 0) return null
  return (
    <div className="stack">
      <p>{texts.stillToCome(NAMES[provider])}</p>
      {left.map((step) => (
        <Paste key={step} step={step} zona={zona} records={records} />
      ))}
    </div>
  )
}

const NAMES: Record<Provider, string> = { google: 'Google Workspace', microsoft: 'Microsoft 365' }

function Paste({ step, zona, records }: Props & { step: Step }) {
  const [typed, setTyped] = useState('')
  const [looking, setLooking] = useState(false)
  const [tried, setTried] = useState(false)
  const right = looksRight(step, typed)
  const look = () => {
    setTried(true)
    setLooking(right)
  }
  return (
    <div className="form">
      <TextField
        mono
        label={texts[step]}
        description={texts[`${step}Where`]}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setLooking(false)
        }}
        error={tried && !right ? texts.notThatValue : undefined}
      />
      {looking ? (
        <Proposed
          zona={zona}
          text={fileOf(zona, [pasted(step, typed, records.rows)])}
          modo="fusionar"
          submit={texts.add}
          told={texts.added}
          done={() => setLooking(false)}
          cancel={() => setLooking(false)}
        />
      ) : (
        <div className="form-foot">
          <Button variant="default" onClick={look}>
            {texts.seeTheChange}
          </Button>
        </div>
      )}
    </div>
  )
}

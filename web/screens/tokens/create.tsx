import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { day } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CommandLine } from '../../ui/forms/api-call.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { ShownOnce } from '../../ui/forms/shown-once.tsx'
import { expiryIn, expiryRange, isInRange } from './expiry.ts'
import { texts } from './texts.ts'

type Made = OutputOf<'POST /api/tokens'>

/** Makes a token; its value is in this dialog and nowhere else. */
export function CreateToken({ opened, close }: { opened: boolean; close: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  const leave = () => {
    setMade(null)
    close()
  }
  return (
    <Dialog
      title={made ? texts.theTokenIsReady : texts.newApiToken}
      opened={opened}
      close={leave}
      once={made !== null}
    >
      {made ? <Value made={made} done={leave} /> : <CreateForm done={setMade} cancel={leave} />}
    </Dialog>
  )
}

const SPANS = [30, 90, 365] as const

function CreateForm({ done, cancel }: { done: (made: Made) => void; cancel: () => void }) {
  const [now] = useState(() => new Date())
  const [nombre, setNombre] = useState('')
  const [caduca, setCaduca] = useState(() => expiryIn(now, 90))
  const range = expiryRange(now)
  const bounds = `${texts.from} ${day(range.first)} ${texts.to} ${day(range.last)}.`
  return (
    <OpForm
      op="POST /api/tokens"
      input={{ body: { nombre, caduca } }}
      submit={texts.createTheToken}
      done={({ data }) => done(data)}
      cancel={cancel}
    >
      {(error) => (
        <>
          <TextField
            label={common.name}
            description={texts.nameHint}
            value={nombre}
            error={error('nombre')}
            onChange={setNombre}
            check={required}
            max={200}
            autoFocus
          />
          <div>
            <TextInput
              type="date"
              label={texts.lastDay}
              description={texts.goodThroughDayUtc(bounds)}
              value={caduca}
              min={range.first}
              max={range.last}
              error={error('caduca') ?? (isInRange(caduca, range) ? undefined : bounds)}
              onChange={(event) => setCaduca(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
            <div className="chips spans">
              {SPANS.map((days) => (
                <Button
                  key={days}
                  size="compact-xs"
                  variant="default"
                  aria-pressed={caduca === expiryIn(now, days)}
                  onClick={() => setCaduca(expiryIn(now, days))}
                >
                  {days === 365 ? texts.oneYear : texts.days(days)}
                </Button>
              ))}
            </div>
          </div>
        </>
      )}
    </OpForm>
  )
}

/** The value, this once; with a first command that proves that it works. */
function Value({ made, done }: { made: Made; done: () => void }) {
  const about = (
    <p className="strong">
      <bdi>{made.nombre}</bdi>{' '}
      <span className="faint small">
        {texts.goodUntil} {day(made.caduca)}
      </span>
    </p>
  )
  return (
    <ShownOnce value={made.token} copy={texts.copyTheToken} lost={texts.whenLost} about={about} done={done}>
      <div>
        <p className="small faint">
          {texts.tryToken} <code>$API_TOKEN</code>:
        </p>
        <CommandLine op="GET /api/conexion" input={{}} />
      </div>
    </ShownOnce>
  )
}

import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { isHttps } from '../../ui/forms/rules.ts'
import { ShownOnce } from '../../ui/forms/shown-once.tsx'
import { hostOf, type WebhookType } from './data.ts'
import { texts } from './texts.ts'
import { TypesChoice } from './types.tsx'

export type WithSecret = OutputOf<'POST /api/avisos'>

/** Makes a webhook; its secret is in this dialog and nowhere else. */
export function CreateWebhook({ opened, close }: { opened: boolean; close: () => void }) {
  const [made, setMade] = useState<WithSecret | null>(null)
  const leave = () => {
    setMade(null)
    close()
  }
  return (
    <Dialog
      title={made ? texts.webhookIsReady : texts.newWebhook}
      opened={opened}
      close={leave}
      once={made !== null}
      size="44rem"
    >
      {made ? <SecretOnce made={made} done={leave} /> : <CreateForm done={setMade} cancel={leave} />}
    </Dialog>
  )
}

export type Typed = { url: string; tipos: WebhookType[] }

function CreateForm({ done, cancel }: { done: (made: WithSecret) => void; cancel: () => void }) {
  const [typed, setTyped] = useState<Typed>({ url: '', tipos: ['*'] })
  const { url, tipos } = typed
  return (
    <OpForm
      op="POST /api/avisos"
      input={{ body: { url: url.trim(), tipos } }}
      submit={texts.createTheWebhook}
      complete={tipos.length > 0}
      done={({ data }) => done(data)}
      cancel={cancel}
    >
      {(error, tried) => <WebhookFields typed={typed} error={error} tried={tried} onChange={setTyped} />}
    </OpForm>
  )
}

type FieldsProps = { typed: Typed; error: FieldErrors; tried: boolean; onChange: (typed: Typed) => void }

export function WebhookFields({ typed, error, tried, onChange }: FieldsProps) {
  const { url, tipos } = typed
  const none = tried && tipos.length === 0 ? texts.chooseSome : undefined
  return (
    <>
      <TextField
        mono
        autoFocus
        label={common.address}
        description={texts.addressHint}
        placeholder="https://facturas.ejemplo.es/avisos"
        value={url}
        error={error('url')}
        check={isHttps}
        onChange={(url) => onChange({ ...typed, url })}
        max={2000}
      />
      <TypesChoice
        chosen={tipos}
        error={error('tipos') ?? none}
        onChange={(tipos) => onChange({ ...typed, tipos })}
      />
    </>
  )
}

/** The secret, this once. */
export function SecretOnce({ made, done }: { made: WithSecret; done: () => void }) {
  const about = <p className="strong mono">{hostOf(made)}</p>
  return (
    <ShownOnce
      value={made.secreto}
      copy={texts.copyTheSecret}
      lost={texts.whenLost}
      about={about}
      done={done}
    >
      <p className="small faint">{made.secreto_anterior_hasta ? texts.overlapHint : texts.secretHint}</p>
    </ShownOnce>
  )
}

import { useState } from 'react'
import { useLocation } from 'wouter'
import { webhooksPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { SecretOnce, type Typed, WebhookFields, type WithSecret } from './create.tsx'
import { hostOf, type Webhook } from './data.ts'
import { texts } from './texts.ts'

/** What of a webhook is being changed. */
export type Changing = 'fields' | 'secret' | 'off' | 'remove'

type Props = { webhook: Webhook; changing: Changing | null; close: () => void }

export function WebhookDialogs({ webhook, changing, close }: Props) {
  return (
    <>
      <Dialog title={texts.changeTitle} opened={changing === 'fields'} close={close} size="44rem">
        {changing === 'fields' ? <Change webhook={webhook} close={close} /> : null}
      </Dialog>
      <NewSecret webhook={webhook} opened={changing === 'secret'} close={close} />
      <Dialog title={texts.switchOffTitle} opened={changing === 'off'} close={close}>
        <SwitchOff webhook={webhook} close={close} />
      </Dialog>
      <Dialog title={texts.deleteTitle} opened={changing === 'remove'} close={close}>
        <Remove webhook={webhook} close={close} />
      </Dialog>
    </>
  )
}

type One = { webhook: Webhook; close: () => void }

function Change({ webhook, close }: One) {
  const [typed, setTyped] = useState<Typed>({ url: webhook.url, tipos: webhook.tipos })
  const { url, tipos } = typed
  return (
    <OpForm
      op="PATCH /api/avisos/:id"
      input={{ params: { id: webhook.id }, body: { url: url.trim(), tipos } }}
      submit={common.save}
      complete={url.trim() !== '' && tipos.length > 0}
      cancel={close}
      done={() => {
        announce(common.saved)
        close()
      }}
    >
      {(error, tried) => <WebhookFields typed={typed} error={error} tried={tried} onChange={setTyped} />}
    </OpForm>
  )
}

function NewSecret({ webhook, opened, close }: One & { opened: boolean }) {
  const [made, setMade] = useState<WithSecret | null>(null)
  const leave = () => {
    setMade(null)
    close()
  }
  return (
    <Dialog
      title={made ? texts.newSecretReady : texts.newSecretTitle}
      opened={opened}
      close={leave}
      once={made !== null}
    >
      {made ? (
        <SecretOnce made={made} done={leave} />
      ) : (
        <OpForm
          op="POST /api/avisos/:id/secreto"
          input={{ params: { id: webhook.id } }}
          submit={texts.makeNewSecret}
          cancel={leave}
          done={({ data }) => setMade(data)}
        >
          {() => <p>{texts.whatNewSecretDoes}</p>}
        </OpForm>
      )}
    </Dialog>
  )
}

function SwitchOff({ webhook, close }: One) {
  return (
    <OpForm
      op="PATCH /api/avisos/:id"
      input={{ params: { id: webhook.id }, body: { activo: false } }}
      submit={texts.switchOff}
      danger
      cancel={close}
      done={() => {
        announce(texts.isOff)
        close()
      }}
    >
      {() => (
        <p>
          <b className="mono">{hostOf(webhook)}</b>: {texts.whatSwitchingOffDoes}
        </p>
      )}
    </OpForm>
  )
}

function Remove({ webhook, close }: One) {
  const [, navigate] = useLocation()
  return (
    <OpForm
      op="DELETE /api/avisos/:id"
      input={{ params: { id: webhook.id } }}
      submit={common.delete}
      danger
      cancel={close}
      done={() => {
        announce(texts.isDeleted)
        navigate(webhooksPath)
      }}
    >
      {() => (
        <p>
          <b className="mono">{hostOf(webhook)}</b>: {texts.whatDeletingDoes}
        </p>
      )}
    </OpForm>
  )
}

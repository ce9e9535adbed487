import { useState } from 'react'
import { useLocation } from 'wouter'
import { queries } from '../../api/hooks.ts'
import { impersonate } from '../../api/session.ts'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { ClientData } from './data.ts'
import { texts } from './texts.ts'

type Props = { client: ClientData; opened: boolean; close: () => void }

export function SuspendDialog({ client, opened, close }: Props) {
  const [motivo, setMotivo] = useState('')
  return (
    <Dialog title={`${texts.suspend} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/suspender"
        input={{ params: { cliente: client.cliente }, body: motivo ? { motivo } : {} }}
        submit={texts.suspend}
        danger
        cancel={close}
        done={() => {
          announce(texts.suspended)
          close()
        }}
      >
        {(error) => (
          <>
            <p>{texts.whatSuspendingDoes}</p>
            <Reason value={motivo} onChange={setMotivo} error={error('motivo')} hint={texts.reasonHint} />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}

export function ActivateDialog({ client, opened, close }: Props) {
  return (
    <Dialog title={`${texts.activate} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/activar"
        input={{ params: { cliente: client.cliente } }}
        submit={texts.activate}
        cancel={close}
        done={() => {
          announce(texts.activeAgain)
          close()
        }}
      >
        {() => <p>{texts.whatActivatingDoes}</p>}
      </OpForm>
    </Dialog>
  )
}

export function ImpersonateDialog({ client, opened, close }: Props) {
  const [motivo, setMotivo] = useState('')
  const [, navigate] = useLocation()
  return (
    <Dialog title={`${texts.seeAs} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/suplantar"
        input={{ params: { cliente: client.cliente }, body: { motivo } }}
        submit={texts.openTheSession}
        disabled={motivo.trim() === ''}
        cancel={close}
        done={({ data }) => {
          close()
          queries.clear()
          impersonate(data)
          navigate('/panel')
        }}
      >
        {(error) => (
          <>
            <p>{texts.whatLookingDoes}</p>
            <Reason value={motivo} onChange={setMotivo} error={error('motivo')} />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}

/** Deleting asks for the name, since it cannot be taken back here. */
export function DeleteDialog({ client, opened, close }: Props) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <Dialog title={`${common.delete} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="DELETE /api/clientes/:cliente"
        input={{ params: { cliente: client.cliente } }}
        submit={texts.deleteForGood}
        danger
        disabled={typed !== client.cliente}
        cancel={close}
        done={({ data }) => {
          const gone = 'eliminado' in data
          announce(gone ? texts.deletedNothingServed : texts.beingDeleted)
          close()
          navigate('/panel/clientes')
        }}
      >
        {() => (
          <>
            <Note tone="bad" title={texts.thisEndsTheClient}>
              <p>{texts.whatDeletingDoes}</p>
            </Note>
            <TextField
              mono
              label={`${common.typeTheWord} ${client.cliente}`}
              value={typed}
              onChange={setTyped}
              autoFocus
            />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}

function Reason({
  hint,
  ...field
}: {
  value: string
  onChange: (motivo: string) => void
  error: string | undefined
  hint?: string
}) {
  return <TextField {...field} label={texts.reason} description={hint} max={200} autoFocus />
}

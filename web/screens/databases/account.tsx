import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { ShownOnce } from '../../ui/forms/shown-once.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

export type Made = OutputOf<'POST /api/bases/:base/cuentas'>

/** An account with a password for tools of one's own. */
export function NewAccount({
  base,
  done,
  cancel,
}: {
  base: string
  done: (made: Made) => void
  cancel: () => void
}) {
  const [usuario, setUsuario] = useState('')
  const [readsOnly, setReadsOnly] = useState(false)
  return (
    <OpForm
      op="POST /api/bases/:base/cuentas"
      input={{ params: { base }, body: { usuario: usuario.trim(), solo_lectura: readsOnly } }}
      submit={texts.makeAccount}
      cancel={cancel}
      done={({ data }) => done(data)}
    >
      {(error) => (
        <>
          <TextField
            mono
            label={texts.account}
            description={texts.accountHint}
            value={usuario}
            error={error('usuario')}
            onChange={setUsuario}
            autoFocus
          />
          <Checkbox
            label={texts.readsOnly}
            checked={readsOnly}
            onChange={(event) => setReadsOnly(event.currentTarget.checked)}
          />
        </>
      )}
    </OpForm>
  )
}

/** The password, this once. */
export function Password({ made, done }: { made: Made; done: () => void }) {
  return (
    <ShownOnce
      value={made.contrasena}
      copy={texts.copyPassword}
      lost={texts.whenLost}
      about={<p className="strong mono">{made.usuario}</p>}
      done={done}
    />
  )
}

type RemoveProps = { base: string; usuario: string; close: () => void }

export function RemoveAccount({ base, usuario, close }: RemoveProps) {
  return (
    <OpForm
      op="DELETE /api/bases/:base/cuentas/:usuario"
      input={{ params: { base, usuario } }}
      submit={`${texts.deleteAccount} ${usuario}`}
      danger
      cancel={close}
      done={() => {
        announce(texts.accountDeleted(usuario))
        close()
      }}
    />
  )
}

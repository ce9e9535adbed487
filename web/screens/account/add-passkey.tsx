import { useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { FAULT_TEXTS, makePasskey, type PasskeyFault } from '../../api/passkeys.ts'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { deviceOf } from './device.ts'
import { texts } from './texts.ts'

type Begun = OutputOf<'POST /api/yo/llaves-de-acceso/reto'>
type Props = { opened: boolean; close: () => void }

/** Another passkey: a name and the password, then the browser makes it. */
export function AddPasskey({ opened, close }: Props) {
  return (
    <Dialog title={texts.addAPasskey} opened={opened} close={close}>
      {opened ? <Add close={close} /> : null}
    </Dialog>
  )
}

function Add({ close }: { close: () => void }) {
  const [nombre, setNombre] = useState(() => deviceOf(navigator.userAgent))
  const [contrasena, setContrasena] = useState('')
  const [fault, setFault] = useState<PasskeyFault | null>(null)
  /** The browser is asking its owner. */
  const [making, setMaking] = useState(false)
  const adding = useAction('POST /api/yo/llaves-de-acceso')
  const make = async ({ opciones }: Begun) => {
    setFault(null)
    setMaking(true)
    const credencial = await makePasskey(opciones).finally(() => setMaking(false))
    if (typeof credencial === 'string') return setFault(credencial)
    if (!(await adding.run({ body: { nombre, credencial } }))) return
    announce(texts.passkeyAdded)
    close()
  }
  return (
    <OpForm
      op="POST /api/yo/llaves-de-acceso/reto"
      input={{ body: { contrasena } }}
      submit={common.continue}
      cancel={close}
      disabled={making || adding.busy}
      done={({ data }) => void make(data)}
    >
      {(error) => (
        <>
          <p>{texts.whatAddingDoes}</p>
          <TextField
            label={texts.passkeyName}
            description={texts.passkeyNameHint}
            value={nombre}
            onChange={setNombre}
            max={60}
            check={required}
          />
          <OwnPassword
            label={texts.yourPassword}
            value={contrasena}
            onChange={setContrasena}
            error={error('contrasena')}
          />
          {fault ? <Note tone="warn" title={texts[FAULT_TEXTS[fault]]} /> : null}
          {adding.error ? <ErrorNote error={adding.error} focus /> : null}
        </>
      )}
    </OpForm>
  )
}

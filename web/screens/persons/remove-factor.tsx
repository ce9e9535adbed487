import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { RevokedWith } from '../account/will-revoke.tsx'
import type { Admin } from './data.ts'
import { texts } from './texts.ts'

type Props = { admin: Admin | null; mine: string | null; close: () => void }

/** For an admin who has lost the authenticator and the recovery codes. */
export function RemoveFactor({ admin, mine, close }: Props) {
  return (
    <Dialog title={texts.removeASecondFactor} opened={admin !== null} close={close}>
      {admin ? <FactorForm key={admin.id} admin={admin} own={admin.correo === mine} close={close} /> : null}
    </Dialog>
  )
}

function FactorForm({ admin, own, close }: { admin: Admin; own: boolean; close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  const who = admin.correo ?? admin.id
  return (
    <OpForm
      op="DELETE /api/personas/:id/segundo-factor"
      input={{ params: { id: admin.id }, body: { contrasena } }}
      submit={texts.removeTheFactor}
      danger
      cancel={close}
      done={() => {
        announce(texts.enrolsNewFactorNext(who))
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            <b>{who}</b> {texts.whatRemovingDoes}
          </p>
          {own ? <Note tone="warn" title={texts.thisIsYourself} /> : null}
          <RevokedWith creator={who} />
          <OwnPassword value={contrasena} onChange={setContrasena} error={error('contrasena')} />
        </>
      )}
    </OpForm>
  )
}

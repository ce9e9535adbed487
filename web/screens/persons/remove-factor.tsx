import { useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { RevokedWith } from '../account/will-revoke.tsx'
import { Password } from '../sign-in.tsx'
import type { Admin } from './list.tsx'

type Props = { admin: Admin | null; mine: string | null; close: () => void }

/** For an admin who has lost the authenticator and the recovery codes. */
export function RemoveFactor({ admin, mine, close }: Props) {
  return (
    <Dialog
      title={t('Remove a second factor', 'Quitar un segundo factor')}
      opened={admin !== null}
      close={close}
    >
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
      submit={t('Remove the factor', 'Quitar el factor')}
      danger
      cancel={close}
      done={() => {
        announce(
          t(`${who} enrols a new factor at the next sign-in`, `${who} inscribirá otro factor al entrar`),
        )
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            <b>{who}</b>{' '}
            {t(
              'enrols a new authenticator at the next sign-in. Sessions end, and the recovery codes stop working. Make sure that it is really this person who asks.',
              'inscribirá otro autenticador la próxima vez que entre. Sus sesiones terminan y sus códigos de recuperación dejan de valer. Asegúrese de que quien lo pide es esa persona.',
            )}
          </p>
          {own ? (
            <Note
              tone="warn"
              title={t(
                'This is your own account: you will be signed out.',
                'Es su propia cuenta: saldrá del panel.',
              )}
            />
          ) : null}
          <RevokedWith creator={who} />
          <Password
            label={t('Your own password', 'Su propia contraseña')}
            autoComplete="current-password"
            value={contrasena}
            onChange={setContrasena}
            error={error('contrasena')}
          />
        </>
      )}
    </OpForm>
  )
}

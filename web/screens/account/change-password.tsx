import { useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { Password } from '../sign-in.tsx'
import { Strength } from '../strength.tsx'
import type { Me } from './account.tsx'
import { WillRevoke } from './will-revoke.tsx'

type Props = { me: Me; opened: boolean; close: () => void }

/** Another password; what else that ends stands above the button. */
export function ChangePassword({ me, opened, close }: Props) {
  return (
    <Dialog title={t('Change the password', 'Cambiar la contraseña')} opened={opened} close={close}>
      {opened ? <PasswordForm me={me} close={close} /> : null}
    </Dialog>
  )
}

function PasswordForm({ me, close }: Omit<Props, 'opened'>) {
  const [actual, setActual] = useState('')
  const [nueva, setNueva] = useState('')
  return (
    <OpForm
      op="PUT /api/yo/contrasena"
      input={{ body: { actual, nueva } }}
      submit={t('Change the password', 'Cambiar la contraseña')}
      cancel={close}
      done={() => {
        announce(
          t(
            'The password is changed; other sessions have ended',
            'Contraseña cambiada; las demás sesiones han terminado',
          ),
        )
        close()
      }}
    >
      {(error) => (
        <>
          <input type="hidden" name="username" autoComplete="username" value={me.correo ?? ''} readOnly />
          <Password
            label={t('Present password', 'Contraseña actual')}
            autoComplete="current-password"
            value={actual}
            onChange={setActual}
            error={error('actual')}
          />
          <Password
            label={t('New password', 'Contraseña nueva')}
            description={t(
              'At least 12 characters. Several words are easier to keep than signs.',
              'Al menos 12 caracteres. Varias palabras se recuerdan mejor que los signos.',
            )}
            autoComplete="new-password"
            value={nueva}
            onChange={setNueva}
            error={error('nueva')}
          />
          <Strength password={nueva} />
          <p className="faint small">
            {t('All your other sessions end.', 'Terminan todas sus demás sesiones.')}
          </p>
          {me.rol === 'admin' ? <WillRevoke tokens={me.tokens} /> : null}
        </>
      )}
    </OpForm>
  )
}

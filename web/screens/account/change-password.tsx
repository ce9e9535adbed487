import { useState } from 'react'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OwnPassword, Password } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { isNewPassword } from '../../ui/forms/rules.ts'
import { Strength } from '../../ui/forms/strength.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'
import { WillRevoke } from './will-revoke.tsx'

type Props = { me: Me; opened: boolean; close: () => void }

/** Another password; what else that ends stands above the button. */
export function ChangePassword({ me, opened, close }: Props) {
  return (
    <Dialog title={texts.changeThePassword} opened={opened} close={close}>
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
      submit={texts.changeThePassword}
      blame={({ codigo, detail }) =>
        codigo === 'contrasena_incorrecta' ? { field: 'actual', words: detail } : null
      }
      cancel={close}
      done={() => {
        announce(texts.passwordChanged)
        close()
      }}
    >
      {(error) => (
        <>
          <input type="hidden" name="username" autoComplete="username" value={me.correo ?? ''} readOnly />
          <OwnPassword
            label={texts.presentPassword}
            value={actual}
            onChange={setActual}
            error={error('actual')}
          />
          <Password
            label={texts.newPassword}
            description={common.passwordAdvice}
            autoComplete="new-password"
            value={nueva}
            onChange={setNueva}
            check={isNewPassword([me.correo, me.cliente])}
            error={error('nueva')}
          />
          <Strength password={nueva} />
          <p className="faint small">{texts.otherSessionsEnd}</p>
          {me.rol === 'admin' ? <WillRevoke tokens={me.tokens} /> : null}
        </>
      )}
    </OpForm>
  )
}

import { useState } from 'react'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { OpForm } from '../../ui/form.tsx'
import { RecoveryCodes } from '../enrol.tsx'
import { Password } from '../sign-in.tsx'
import type { Me } from './account.tsx'
import { OnceDialog } from './once.tsx'

type Props = { me: Me; opened: boolean; close: () => void }

/** Ten new recovery codes; sessions and tokens stay as they are. */
export function NewCodes({ me, opened, close }: Props) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const leave = () => {
    setCodes(null)
    close()
  }
  return (
    <OnceDialog
      title={t('New recovery codes', 'Códigos de recuperación nuevos')}
      opened={opened}
      close={leave}
      shown={codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} done={leave} />
      ) : opened ? (
        <CodesForm me={me} done={setCodes} cancel={leave} />
      ) : null}
    </OnceDialog>
  )
}

function CodesForm({ me, done, cancel }: { me: Me; done: (codes: string[]) => void; cancel: () => void }) {
  const [contrasena, setContrasena] = useState('')
  const left = number(me.codigos_recuperacion)
  return (
    <OpForm
      op="POST /api/yo/codigos-recuperacion"
      input={{ body: { contrasena } }}
      submit={t('Make ten new codes', 'Crear diez códigos nuevos')}
      cancel={cancel}
      done={({ data }) => done(data.codigos_recuperacion)}
    >
      {(error) => (
        <>
          <p>
            {t(
              `The ${left} that are left stop working. Sessions and API tokens are not touched.`,
              `Los ${left} que quedan dejan de valer. Las sesiones y los tokens de API no se tocan.`,
            )}
          </p>
          <Password
            label={t('Your password', 'Su contraseña')}
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

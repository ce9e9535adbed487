import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { t } from '../../i18n/language.ts'
import { OpForm } from '../../ui/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { RecoveryCodes, TotpSecret } from '../enrol.tsx'
import { Code, Password } from '../sign-in.tsx'
import type { Me } from './account.tsx'
import { OnceDialog } from './once.tsx'
import { WillRevoke } from './will-revoke.tsx'

type Begun = OutputOf<'POST /api/yo/segundo-factor'>
type Props = { me: Me; opened: boolean; close: () => void }

/** Another authenticator: password, its QR code, a code of it, and ten new recovery codes. */
export function ReplaceFactor({ me, opened, close }: Props) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const leave = () => {
    setBegun(null)
    setCodes(null)
    close()
  }
  const finish = () => {
    announce(t('The new authenticator is in force', 'El nuevo autenticador ya vale'))
    leave()
  }
  return (
    <OnceDialog
      title={
        codes
          ? t('New recovery codes', 'Códigos de recuperación nuevos')
          : t('Replace the authenticator', 'Cambiar de autenticador')
      }
      opened={opened}
      close={leave}
      shown={codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} done={finish} />
      ) : begun ? (
        <Confirm begun={begun} me={me} done={setCodes} cancel={leave} />
      ) : (
        <Begin me={me} done={setBegun} cancel={leave} />
      )}
    </OnceDialog>
  )
}

function Begin({ me, done, cancel }: { me: Me; done: (begun: Begun) => void; cancel: () => void }) {
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="POST /api/yo/segundo-factor"
      input={{ body: { contrasena } }}
      submit={t('Continue', 'Continuar')}
      cancel={cancel}
      done={({ data }) => done(data)}
    >
      {(error) => (
        <>
          <p>
            {t(
              'Your present authenticator works until a code of the new one is confirmed. Then your other sessions end, and the recovery codes are replaced.',
              'Su autenticador actual vale hasta que confirme un código del nuevo. Entonces terminan sus demás sesiones y se sustituyen los códigos de recuperación.',
            )}
          </p>
          {me.rol === 'admin' ? <WillRevoke tokens={me.tokens} /> : null}
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

function Confirm({
  begun,
  me,
  done,
  cancel,
}: {
  begun: Begun
  me: Me
  done: (codes: string[]) => void
  cancel: () => void
}) {
  const [codigo, setCodigo] = useState('')
  return (
    <OpForm
      op="POST /api/yo/segundo-factor/confirmar"
      input={{ body: { paso_token: begun.paso_token, codigo: codigo.replace(/\s+/g, '') } }}
      submit={t('Put it in force', 'Ponerlo en vigor')}
      cancel={cancel}
      done={({ data }) => done(data.codigos_recuperacion)}
    >
      {(error) => (
        <>
          <TotpSecret totp={begun.totp} />
          <Code digits value={codigo} onChange={setCodigo} error={error('codigo')} />
          {me.rol === 'admin' ? <WillRevoke tokens={me.tokens} /> : null}
        </>
      )}
    </OpForm>
  )
}

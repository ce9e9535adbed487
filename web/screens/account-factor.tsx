import { useState } from 'react'
import type { OutputOf } from '../api/operations.ts'
import { t } from '../i18n/language.ts'
import { OpForm } from '../ui/form.tsx'
import { announce } from '../ui/toast.tsx'
import { Consequences, type Me } from './account.tsx'
import { RecoveryCodes, TotpSecret } from './enrol.tsx'
import { Code, Password } from './sign-in.tsx'

type Begun = OutputOf<'POST /api/yo/segundo-factor'>

/** The old factor stays in force until a code of the new one was seen. */
export function NewFactor({ me, close }: { me: Me; close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codigo, setCodigo] = useState('')
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} done={close} />
  if (begun) {
    return (
      <OpForm
        op="POST /api/yo/segundo-factor/confirmar"
        input={{ body: { paso_token: begun.paso_token, codigo: codigo.replace(/\s+/g, '') } }}
        submit={t('Confirm', 'Confirmar')}
        cancel={close}
        done={({ data }) => {
          announce(t('The new factor is in force.', 'El factor nuevo está en vigor.'))
          setCodes(data.codigos_recuperacion)
        }}
      >
        {(error) => (
          <>
            <TotpSecret totp={begun.totp} />
            <Code digits value={codigo} onChange={setCodigo} error={error('codigo')} />
          </>
        )}
      </OpForm>
    )
  }
  return (
    <OpForm
      op="POST /api/yo/segundo-factor"
      input={{ body: { contrasena } }}
      submit={t('Continue', 'Continuar')}
      cancel={close}
      done={({ data }) => setBegun(data)}
    >
      {(error) => (
        <>
          <Consequences me={me} />
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

export function NewRecoveryCodes({ close }: { close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} done={close} />
  return (
    <OpForm
      op="POST /api/yo/codigos-recuperacion"
      input={{ body: { contrasena } }}
      submit={t('Make ten new ones', 'Crear diez nuevos')}
      cancel={close}
      done={({ data }) => setCodes(data.codigos_recuperacion)}
    >
      {(error) => (
        <>
          <p>{t('The older ones stop working.', 'Los anteriores dejan de servir.')}</p>
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

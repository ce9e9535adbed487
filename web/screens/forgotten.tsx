import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../i18n/language.ts'
import { OpForm } from '../ui/form.tsx'
import { Note } from '../ui/state.tsx'
import { Entrance } from './entrance.tsx'

/** "Send me another link": the answer is the same whether the address is known or not. */
export function Forgotten({ email, back, why }: { email: string; back: () => void; why?: string }) {
  const [correo, setCorreo] = useState(email)
  const [sent, setSent] = useState(false)
  return (
    <Entrance
      title={t('Send me another link', 'Envíenme otro enlace')}
      lead={
        why ??
        t(
          'For customers. An administrator gets a new link from another administrator.',
          'Para clientes. Un administrador recibe otro enlace de otro administrador.',
        )
      }
    >
      {sent ? (
        <div className="form">
          <Note tone="good" title={t('Look at your mail', 'Mire su correo')}>
            <p>
              {t(
                'If the address belongs to an account, a link is on its way. It is good for one hour; only the newest one works.',
                'Si la dirección pertenece a una cuenta, le llegará un enlace. Vale una hora; solo sirve el más reciente.',
              )}
            </p>
          </Note>
          <div className="form-foot">
            <Button variant="default" onClick={back}>
              {t('Back to sign-in', 'Volver a entrar')}
            </Button>
          </div>
        </div>
      ) : (
        <OpForm
          op="POST /acceso/olvido"
          input={{ body: { correo } }}
          submit={t('Send the link', 'Enviar el enlace')}
          done={() => setSent(true)}
          cancel={back}
        >
          {(error) => (
            <TextInput
              label={t('E-mail', 'Correo')}
              type="email"
              autoComplete="email"
              value={correo}
              error={error('correo')}
              onChange={(event) => setCorreo(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
          )}
        </OpForm>
      )}
    </Entrance>
  )
}

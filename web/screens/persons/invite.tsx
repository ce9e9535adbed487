import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { language, t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { announce } from '../../ui/toast.tsx'

type Props = { opened: boolean; email: string; close: () => void }

/** Invites an admin by mail; inviting again one who has not signed up sends a newer link. */
export function Invite({ opened, email, close }: Props) {
  return (
    <Dialog
      title={
        email
          ? t('Send a newer link', 'Enviar otro enlace')
          : t('Invite an administrator', 'Invitar a un administrador')
      }
      opened={opened}
      close={close}
    >
      {opened ? <InviteForm key={email} email={email} close={close} /> : null}
    </Dialog>
  )
}

function InviteForm({ email, close }: Omit<Props, 'opened'>) {
  const [correo, setCorreo] = useState(email)
  const [idioma, setIdioma] = useState<'es' | 'en'>(language.get())
  return (
    <OpForm
      op="POST /api/personas"
      input={{ body: email ? { correo } : { correo, idioma } }}
      submit={email ? t('Send', 'Enviar') : t('Send the invitation', 'Enviar la invitación')}
      cancel={close}
      done={() => {
        announce(t(`A link is on its way to ${correo}`, `Un enlace va camino de ${correo}`))
        close()
      }}
    >
      {(error) =>
        email ? (
          <p>
            <b>{email}</b>:{' '}
            {t(
              'the link that was sent before stops working; the newer one is good for one hour.',
              'el enlace anterior deja de valer; el nuevo vale una hora desde que se envía.',
            )}
          </p>
        ) : (
          <div className="pair">
            <TextInput
              label={t('E-mail', 'Correo')}
              type="email"
              autoComplete="off"
              value={correo}
              error={error('correo')}
              onChange={(event) => setCorreo(event.currentTarget.value)}
              data-autofocus
              required
              withAsterisk={false}
            />
            <NativeSelect
              label={t('Language of the mail', 'Idioma del correo')}
              value={idioma}
              error={error('idioma')}
              onChange={(event) => setIdioma(event.currentTarget.value === 'en' ? 'en' : 'es')}
              data={[
                { value: 'es', label: 'Español' },
                { value: 'en', label: 'English' },
              ]}
            />
          </div>
        )
      }
    </OpForm>
  )
}

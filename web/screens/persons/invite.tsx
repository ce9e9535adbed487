import { useState } from 'react'
import { common } from '../../text/common.ts'
import { language } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type Props = { opened: boolean; email: string; close: () => void }

/** Invites an admin by mail; inviting again one who has not signed up sends a newer link. */
export function Invite({ opened, email, close }: Props) {
  return (
    <Dialog title={email ? texts.sendANewerLink : texts.inviteAnAdministrator} opened={opened} close={close}>
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
      submit={email ? common.send : texts.sendTheInvitation}
      cancel={close}
      done={() => {
        announce(texts.linkIsOnItsWay(correo))
        close()
      }}
    >
      {(error) =>
        email ? (
          <p>
            <b>{email}</b>: {texts.olderLinkStops}
          </p>
        ) : (
          <div className="pair">
            <EmailField
              label={common.eMail}
              value={correo}
              error={error('correo')}
              onChange={setCorreo}
              autoFocus
            />
            <Choice
              label={texts.languageOfTheMail}
              value={idioma}
              error={error('idioma')}
              onChange={(value) => setIdioma(value === 'en' ? 'en' : 'es')}
              options={[
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

import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { Entrance } from './entrance.tsx'
import { texts } from './texts.ts'

/** Another password, or another link where one is dead (`why`): the answer is the same whether the address is known or not. */
export function Forgotten({ email, back, why }: { email: string; back: () => void; why?: string }) {
  const [correo, setCorreo] = useState(email)
  const [sent, setSent] = useState(false)
  return (
    <Entrance
      title={why ? texts.sendMeAnotherLink : texts.chooseANewPassword}
      lead={why ?? texts.whoSendsLinks}
    >
      {sent ? (
        <div className="form">
          <Note tone="good" title={texts.lookAtYourMail}>
            <p>{texts.linkIsSentIf}</p>
          </Note>
          <div className="form-foot">
            <Button variant="default" onClick={back}>
              {texts.backToSignIn}
            </Button>
          </div>
        </div>
      ) : (
        <OpForm
          op="POST /acceso/olvido"
          input={{ body: { correo } }}
          submit={texts.sendTheLink}
          done={() => setSent(true)}
          cancel={back}
        >
          {(error) => (
            <EmailField
              label={common.eMail}
              autoComplete="email"
              value={correo}
              error={error('correo')}
              onChange={setCorreo}
            />
          )}
        </OpForm>
      )}
    </Entrance>
  )
}

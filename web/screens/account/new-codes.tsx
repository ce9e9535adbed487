import { useState } from 'react'
import { number } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RecoveryCodes } from '../../ui/factor/factor.tsx'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'

type Props = { me: Me; opened: boolean; close: () => void }

/** Ten new recovery codes; sessions and tokens stay as they are. */
export function NewCodes({ me, opened, close }: Props) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const leave = () => {
    setCodes(null)
    close()
  }
  return (
    <Dialog title={texts.newRecoveryCodes} opened={opened} close={leave} once={codes !== null}>
      {codes ? (
        <RecoveryCodes codes={codes} done={leave} />
      ) : opened ? (
        <CodesForm me={me} done={setCodes} cancel={leave} />
      ) : null}
    </Dialog>
  )
}

function CodesForm({ me, done, cancel }: { me: Me; done: (codes: string[]) => void; cancel: () => void }) {
  const [contrasena, setContrasena] = useState('')
  const left = number(me.codigos_recuperacion)
  return (
    <OpForm
      op="POST /api/yo/codigos-recuperacion"
      input={{ body: { contrasena } }}
      submit={texts.makeTenNewCodes}
      cancel={cancel}
      done={({ data }) => done(data.codigos_recuperacion)}
    >
      {(error) => (
        <>
          <p>{texts.whatNewCodesDo(left)}</p>
          <OwnPassword
            label={texts.yourPassword}
            value={contrasena}
            onChange={setContrasena}
            error={error('contrasena')}
          />
        </>
      )}
    </OpForm>
  )
}

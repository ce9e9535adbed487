import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RecoveryCodes, TotpSecret } from '../../ui/factor/factor.tsx'
import { Code, OwnPassword } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'
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
    announce(texts.authenticatorReplaced)
    leave()
  }
  return (
    <Dialog
      title={codes ? texts.newRecoveryCodes : texts.replaceTheAuthenticator}
      opened={opened}
      close={leave}
      once={codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} done={finish} />
      ) : begun ? (
        <Confirm begun={begun} me={me} done={setCodes} cancel={leave} />
      ) : (
        <Begin me={me} done={setBegun} cancel={leave} />
      )}
    </Dialog>
  )
}

function Begin({ me, done, cancel }: { me: Me; done: (begun: Begun) => void; cancel: () => void }) {
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="POST /api/yo/segundo-factor"
      input={{ body: { contrasena } }}
      submit={common.continue}
      cancel={cancel}
      done={({ data }) => done(data)}
    >
      {(error) => (
        <>
          <p>{texts.whatReplacingDoes}</p>
          {me.rol === 'admin' ? <WillRevoke tokens={me.tokens} /> : null}
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
      submit={texts.putItInForce}
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

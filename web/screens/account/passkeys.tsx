import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { day, relative } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { Credential } from './credential.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'
import { WillRevoke } from './will-revoke.tsx'

type Passkey = OutputOf<'GET /api/yo/llaves-de-acceso'>['datos'][number]

/** The passkeys that sign in to the account, beside password and authenticator. */
export function Passkeys({ me }: { me: Me }) {
  const passkeys = useRead('GET /api/yo/llaves-de-acceso', {})
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const mayChange = me.suplantada_por === null
  return (
    <Card
      title={texts.passkeys}
      wire="GET /api/yo/llaves-de-acceso"
      actions={
        mayChange && knowsPasskeys() ? (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {texts.addAPasskey}
          </Button>
        ) : null
      }
    >
      <p className="faint small">{knowsPasskeys() ? texts.passkeysHint : texts.browserKnowsNone}</p>
      <Loaded of={passkeys} lines={2}>
        {({ datos }) => (
          <div className="credentials passkeys">
            {datos.map((passkey) => (
              <Credential
                key={passkey.id}
                name={passkey.nombre}
                state={use(passkey)}
                action={texts.remove}
                label={`${texts.remove}: ${passkey.nombre}`}
                {...(mayChange ? { start: () => setRemoving(passkey) } : {})}
              >
                {passkey.sincronizada ? texts.passkeySynced : texts.passkeyOfOneDevice}
                {passkey.host === location.hostname ? null : ` ${texts.passkeyOfHost(passkey.host)}`}
              </Credential>
            ))}
          </div>
        )}
      </Loaded>
      <AddPasskey opened={adding} close={() => setAdding(false)} />
      <RemovePasskey me={me} passkey={removing} close={() => setRemoving(null)} />
    </Card>
  )
}

const use = ({ creado, ultimo_uso }: Passkey): string =>
  `${texts.addedOn(day(creado))} · ${ultimo_uso ? `${texts.lastUsed} ${relative(ultimo_uso)}` : texts.notUsedYet}`

function RemovePasskey({ me, passkey, close }: { me: Me; passkey: Passkey | null; close: () => void }) {
  return (
    <Dialog title={texts.removeAPasskey} opened={passkey !== null} close={close}>
      {passkey ? <Remove me={me} passkey={passkey} close={close} /> : null}
    </Dialog>
  )
}

function Remove({ me, passkey, close }: { me: Me; passkey: Passkey; close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="DELETE /api/yo/llaves-de-acceso/:id"
      input={{ params: { id: passkey.id }, body: { contrasena } }}
      submit={texts.removeAPasskey}
      danger
      cancel={close}
      done={() => {
        announce(texts.passkeyRemoved)
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            <b>{passkey.nombre}</b>: {texts.whatRemovingDoes}
          </p>
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

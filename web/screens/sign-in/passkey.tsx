import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { OutputOf } from '../../api/operations.ts'
import { choosePasskey, FAULT_TEXTS, knowsPasskeys, type PasskeyFault } from '../../api/passkeys.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type SignedIn = OutputOf<'POST /acceso/llave-de-acceso'>

/** Signs in by a passkey: the browser asks for a finger, a face or a PIN, and nothing has to be typed. */
export function PasskeyButton({ done }: { done: (answer: SignedIn) => void }) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<PasskeyFault | ApiError | null>(null)
  if (!knowsPasskeys()) return null
  const enter = async () => {
    setBusy(true)
    setFault(null)
    try {
      const { opciones } = await call('POST /acceso/llave-de-acceso/reto', {})
      const credencial = await choosePasskey(opciones)
      if (typeof credencial === 'string') setFault(credencial)
      else done(await call('POST /acceso/llave-de-acceso', { body: { credencial } }))
    } catch (thrown) {
      setFault(asApiError(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="passkey">
      <Button
        variant="default"
        fullWidth
        leftSection={<Icon name="lock" size={16} />}
        loading={busy}
        onClick={enter}
      >
        {texts.useAPasskey}
      </Button>
      {typeof fault === 'string' ? <Note tone="warn" title={texts[FAULT_TEXTS[fault]]} /> : null}
      {fault && typeof fault !== 'string' ? <ErrorNote error={fault} focus /> : null}
    </div>
  )
}

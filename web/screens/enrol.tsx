import { Button, Checkbox } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { OutputOf } from '../api/operations.ts'
import { t } from '../i18n/language.ts'
import { CopyButton, CopyLine } from '../ui/copy.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Code } from './sign-in.tsx'

const QrCode = lazy(() => import('../ui/qr.tsx'))

type Totp = { secreto: string; uri: string }

/** The secret of a new second factor, as a QR code and as text. */
export function TotpSecret({ totp }: { totp: Totp }) {
  const spaced = totp.secreto.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <div className="totp">
      <Suspense fallback={<div className="qr" />}>
        <QrCode text={totp.uri} label={t('QR code for an authenticator', 'Código QR para un autenticador')} />
      </Suspense>
      <div>
        <p>
          {t(
            'Scan the code with an authenticator app, or enter the secret by hand.',
            'Escanee el código con una aplicación de autenticación, o escriba el secreto a mano.',
          )}
        </p>
        <CopyLine value={spaced} label={t('Copy the secret', 'Copiar el secreto')} />
      </div>
    </div>
  )
}

/** Enrols the first second factor and completes the sign-in. */
export function Enrol({
  token,
  totp,
  done,
}: {
  token: string
  totp: Totp
  done: (answer: OutputOf<'POST /acceso/segundo-factor/inscribir'>) => void
}) {
  const [codigo, setCodigo] = useState('')
  return (
    <OpForm
      op="POST /acceso/segundo-factor/inscribir"
      input={{ body: { paso_token: token, codigo: codigo.replace(/\s+/g, '') } }}
      submit={t('Confirm', 'Confirmar')}
      done={({ data }) => done(data)}
    >
      {(error) => (
        <>
          <TotpSecret totp={totp} />
          <Code digits value={codigo} onChange={setCodigo} error={error('codigo')} />
        </>
      )}
    </OpForm>
  )
}

/** The ten recovery codes, shown this once: to be copied or downloaded before going on. */
export function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const [saved, setSaved] = useState(false)
  const text = `${codes.join('\n')}\n`
  const file = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = `panel-${location.hostname}.txt`
    anchor.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className="form">
      <p>
        {t(
          'Each of these replaces the authenticator once. They are shown now and never again.',
          'Cada uno sustituye una vez al autenticador. Se muestran ahora y nunca más.',
        )}
      </p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="actions">
        <CopyButton wide value={text} label={t('Copy', 'Copiar')} />
        <Button variant="default" size="xs" leftSection={<Icon name="download" size={14} />} onClick={file}>
          {t('Download', 'Descargar')}
        </Button>
      </div>
      <Checkbox
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
        label={t('I have saved them', 'Los he guardado')}
      />
      <div className="form-foot">
        <Button disabled={!saved} onClick={done}>
          {t('Continue', 'Continuar')}
        </Button>
      </div>
    </div>
  )
}

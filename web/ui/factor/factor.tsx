import { Button, Checkbox } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { common } from '../../text/common.ts'
import { CopyButton, CopyLine } from '../copy.tsx'
import { Icon } from '../icons.tsx'
import { texts } from '../texts.ts'
import { saveFile } from '../transfers/save.ts'

const QrCode = lazy(() => import('./qr.tsx'))

export type Totp = { secreto: string; uri: string }

/** How a phone comes to show codes: the app, the key as a QR code and as text, and the code that proves it. */
export function TotpSecret({ totp }: { totp: Totp }) {
  const spaced = totp.secreto.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <ol className="totp-steps">
      <li>{texts.getTheApp}</li>
      <li>
        <p>{texts.scanTheCode}</p>
        <div className="totp">
          <Suspense fallback={<div className="qr" />}>
            <QrCode text={totp.uri} label={texts.qrCodeAuthenticator} />
          </Suspense>
          <div className="totp-key">
            <Button className="totp-open" component="a" href={totp.uri} variant="default">
              {texts.openInTheApp}
            </Button>
            <CopyLine value={spaced} label={texts.copyTheSecret} />
          </div>
        </div>
      </li>
      <li>{texts.typeTheCode}</li>
    </ol>
  )
}

/** The ten recovery codes, shown this once: to be copied or downloaded before going on. */
export function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const [saved, setSaved] = useState(false)
  const text = `${codes.join('\n')}\n`
  const file = () => saveFile(new Blob([text], { type: 'text/plain' }), `panel-${location.hostname}.txt`)
  return (
    <div className="form">
      <p>{texts.codesAdvice}</p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="actions">
        <CopyButton wide value={text} label={common.copy} />
        <Button variant="default" size="xs" leftSection={<Icon name="download" size={14} />} onClick={file}>
          {common.download}
        </Button>
      </div>
      <Checkbox
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
        label={texts.iHaveSavedThem}
      />
      <div className="form-foot">
        <Button disabled={!saved} onClick={done}>
          {common.continue}
        </Button>
      </div>
    </div>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { curlOf } from '../../api/curl.ts'
import type { OutputOf } from '../../api/operations.ts'
import { day } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { CopyButton, CopyLine } from '../../ui/copy.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Note } from '../../ui/state.tsx'
import { OnceDialog } from '../account/once.tsx'
import { expiryIn, expiryRange, isInRange } from './expiry.ts'

type Made = OutputOf<'POST /api/tokens'>

/** Makes a token; its value is in this dialog and nowhere else. */
export function CreateToken({ opened, close }: { opened: boolean; close: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  const leave = () => {
    setMade(null)
    close()
  }
  return (
    <OnceDialog
      title={made ? t('The token is ready', 'El token está listo') : t('New API token', 'Nuevo token de API')}
      opened={opened}
      close={leave}
      shown={made !== null}
    >
      {made ? <Value made={made} done={leave} /> : <CreateForm done={setMade} cancel={leave} />}
    </OnceDialog>
  )
}

const SPANS = [30, 90, 365] as const

function CreateForm({ done, cancel }: { done: (made: Made) => void; cancel: () => void }) {
  const [now] = useState(() => new Date())
  const [nombre, setNombre] = useState('')
  const [caduca, setCaduca] = useState(() => expiryIn(now, 90))
  const range = expiryRange(now)
  const bounds = `${t('From', 'Desde el')} ${day(range.first)} ${t('to', 'hasta el')} ${day(range.last)}.`
  return (
    <OpForm
      op="POST /api/tokens"
      input={{ body: { nombre, caduca } }}
      submit={t('Create the token', 'Crear el token')}
      done={({ data }) => done(data)}
      cancel={cancel}
    >
      {(error) => (
        <>
          <TextInput
            label={t('Name', 'Nombre')}
            description={t(
              'What will use it, such as the billing system.',
              'Qué lo usará; por ejemplo, la facturación.',
            )}
            value={nombre}
            error={error('nombre')}
            onChange={(event) => setNombre(event.currentTarget.value)}
            autoComplete="off"
            maxLength={200}
            data-autofocus
            required
            withAsterisk={false}
          />
          <div>
            <TextInput
              type="date"
              label={t('Last day', 'Último día')}
              description={t(
                `${bounds} It is good through that day (UTC).`,
                `${bounds} Vale hasta el final de ese día (UTC).`,
              )}
              value={caduca}
              min={range.first}
              max={range.last}
              error={error('caduca') ?? (isInRange(caduca, range) ? undefined : bounds)}
              onChange={(event) => setCaduca(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
            <div className="chips spans">
              {SPANS.map((days) => (
                <Button
                  key={days}
                  size="compact-xs"
                  variant="default"
                  aria-pressed={caduca === expiryIn(now, days)}
                  onClick={() => setCaduca(expiryIn(now, days))}
                >
                  {days === 365 ? t('One year', 'Un año') : t(`${days} days`, `${days} días`)}
                </Button>
              ))}
            </div>
          </div>
        </>
      )}
    </OpForm>
  )
}

/** The value, this once; with a first command that proves that it works. */
function Value({ made, done }: { made: Made; done: () => void }) {
  const command = curlOf('GET /api/conexion', {}, location.origin)
  return (
    <div className="form">
      <Note tone="warn" title={t('It is shown only now. Copy it.', 'Solo se muestra ahora. Cópielo.')}>
        <p>
          {t(
            'The panel keeps no copy that could be read: whoever loses it makes another.',
            'El panel no guarda ninguna copia legible: quien lo pierda crea otro.',
          )}
        </p>
      </Note>
      <div>
        <p className="strong">
          <bdi>{made.nombre}</bdi>{' '}
          <span className="faint small">
            {t('good until', 'vale hasta el')} {day(made.caduca)}
          </span>
        </p>
        <CopyLine value={made.token} label={t('Copy the token', 'Copiar el token')} />
      </div>
      <div>
        <p className="small faint">
          {t('To try it, with the token in', 'Para probarlo, con el token en')} <code>$API_TOKEN</code>:
        </p>
        <div className="command">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>{command}</pre>
          <CopyButton value={command} label={t('Copy the command', 'Copiar la orden')} />
        </div>
      </div>
      <div className="form-foot">
        <CopyButton wide value={made.token} label={t('Copy the token', 'Copiar el token')} />
        <Button size="xs" onClick={done}>
          {t('I have copied it', 'Ya lo he copiado')}
        </Button>
      </div>
    </div>
  )
}

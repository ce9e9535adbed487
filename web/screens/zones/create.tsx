import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { InputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { t } from '../../i18n/language.ts'
import { ClientField, TextField } from '../../ui/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { zonePath } from '../places.ts'

type Body = Required<InputOf<'POST /api/zonas'>>['body']
type Template = 'sitio' | 'vacia'

/** A new zone for a client; a customer makes its own. */
export function CreateZone({ cliente, close }: { cliente?: string | undefined; close: () => void }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  const own = now.kind === 'in' ? (now.person.cliente ?? '') : ''
  const [, go] = useLocation()
  const [client, setClient] = useState(cliente ?? '')
  const [zona, setZona] = useState('')
  const [plantilla, setPlantilla] = useState<Template>('sitio')
  const [forced, setForced] = useState(false)
  const body: Body = {
    cliente: admin ? client.trim() : own,
    zona: zona.trim(),
    plantilla,
    ...(forced ? { forzar: true } : {}),
  }
  return (
    <OpForm
      op="POST /api/zonas"
      input={{ body }}
      submit={t('Create the zone', 'Crear la zona')}
      cancel={close}
      done={({ data }) => {
        announce(t(`Zone ${data.zona} created`, `Zona ${data.zona} creada`))
        close()
        go(zonePath(data.zona))
      }}
    >
      {(error) => (
        <>
          {admin && !cliente ? (
            <ClientField
              label={t('Client', 'Cliente')}
              value={client}
              onChange={setClient}
              error={error('cliente')}
            />
          ) : null}
          <TextField
            mono
            label={t('Zone', 'Zona')}
            description={t('The domain, without www.', 'El dominio, sin www.')}
            placeholder="ejemplo.es"
            value={zona}
            error={error('zona')}
            onChange={setZona}
          />
          <Templates value={plantilla} onChange={setPlantilla} />
          {admin ? <Force checked={forced} onChange={setForced} error={error} /> : null}
        </>
      )}
    </OpForm>
  )
}

function Templates({ value, onChange }: { value: Template; onChange: (value: Template) => void }) {
  const options: [Template, string, string][] = [
    [
      'sitio',
      t('Website on this server', 'Web en este servidor'),
      t(
        'Name servers, and the addresses of this server for the domain, and for www where a site has that name.',
        'Servidores de nombres, y las direcciones de este servidor para el dominio, y para www si un sitio tiene ese nombre.',
      ),
    ],
    ['vacia', t('Empty', 'Vacía'), t('Name servers only.', 'Solo los servidores de nombres.')],
  ]
  return (
    <fieldset className="choices">
      <legend className="field-label">{t('Start with', 'Empezar con')}</legend>
      {options.map(([template, name, says]) => (
        <label key={template}>
          <input
            type="radio"
            name="plantilla"
            value={template}
            checked={template === value}
            onChange={() => onChange(template)}
          />
          <span>
            {name}
            <span className="sub">{says}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Force({
  checked,
  onChange,
  error,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  error: FieldErrors
}) {
  return (
    <Checkbox
      checked={checked}
      error={error('forzar')}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t(
        'Even if it lies in or around another client’s zone',
        'Aunque esté dentro o alrededor de la zona de otro cliente',
      )}
      description={t(
        'Only a signed-in admin can; the audit trail keeps it.',
        'Solo puede un admin que haya entrado; queda en la auditoría.',
      )}
    />
  )
}

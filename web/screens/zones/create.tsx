import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { InputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { ClientField, HostField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

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
      submit={texts.createTheZone}
      cancel={close}
      done={({ data }) => {
        announce(texts.zoneCreated(data.zona))
        close()
        go(zonePath(data.zona))
      }}
    >
      {(error) => (
        <>
          {admin && !cliente ? (
            <ClientField label={common.client} value={client} onChange={setClient} error={error('cliente')} />
          ) : null}
          <HostField
            label={common.zone}
            description={texts.theDomainWithoutWww}
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
    ['sitio', texts.websiteOnThisServer, texts.whatWebsiteStartHas],
    ['vacia', texts.empty, texts.nameServersOnly],
  ]
  return (
    <fieldset className="choices">
      <legend className="field-label">{texts.startWith}</legend>
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
      label={texts.forceNeighbours}
      description={texts.whoMayForce}
    />
  )
}

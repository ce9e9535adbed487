import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { bytesText, readBytes } from '../../../text/quantity.ts'
import { TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Card } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

/** The limits of a site's PHP. */
export function SitePhp({ site }: { site: SiteData }) {
  if (site.php === null) return null
  return (
    <Card title={texts.phpLimits}>
      <div className="stack">
        {site.envia_correo === false ? <Note tone="warn" title={texts.noMail} /> : null}
        <Settings key={JSON.stringify(site.php_ajustes)} site={site} />
        {site.php_extensiones.length > 0 ? (
          <p className="faint small">
            {texts.extensions(site.php)}: {site.php_extensiones.join(', ')}
          </p>
        ) : null}
      </div>
    </Card>
  )
}

function Settings({ site: { domain, php_ajustes } }: { site: SiteData }) {
  const [upload, setUpload] = useState(bytesText(php_ajustes.subida_bytes))
  const [memory, setMemory] = useState(bytesText(php_ajustes.memoria_bytes))
  const [seconds, setSeconds] = useState(String(php_ajustes.segundos))
  const [variables, setVariables] = useState(String(php_ajustes.max_input_vars))
  const [mostrar_errores, setErrors] = useState(php_ajustes.mostrar_errores)
  const wanted = {
    memoria_bytes: bytesIn(memory),
    subida_bytes: bytesIn(upload),
    segundos: Number(seconds) || 0,
    max_input_vars: Number(variables) || 0,
    mostrar_errores,
  }
  const fields = [
    { name: 'subida_bytes', label: texts.upload, hint: texts.uploadHint, value: upload, set: setUpload },
    { name: 'memoria_bytes', label: texts.memory, hint: texts.memoryHint, value: memory, set: setMemory },
    { name: 'segundos', label: texts.seconds, hint: texts.secondsHint, value: seconds, set: setSeconds },
    {
      name: 'max_input_vars',
      label: texts.variables,
      hint: texts.variablesHint,
      value: variables,
      set: setVariables,
    },
  ]
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{ params: { domain }, body: { php_ajustes: wanted } }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          {fields.map(({ name, label, hint, value, set }) => (
            <TextField
              key={name}
              label={label}
              description={hint}
              value={value}
              onChange={set}
              error={error(`php_ajustes.${name}`)}
            />
          ))}
          <Switch
            checked={mostrar_errores}
            onChange={(event) => setErrors(event.currentTarget.checked)}
            label={texts.showErrors}
            description={texts.showErrorsHint}
          />
        </>
      )}
    </OpForm>
  )
}

/** What is no size is refused as zero is. */
function bytesIn(text: string): number {
  const read = readBytes(text)
  return 'value' in read ? read.value : 0
}

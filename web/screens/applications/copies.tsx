import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { HostField, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { texts } from './texts.ts'

type ApplicationData = OutputOf<'GET /api/sitios/:domain/aplicacion'>
type CopiesProps = { domain: string; found: ApplicationData; begun: (job: string) => void }

/** Copies for trying things out, what such a copy gives back, and the way back from that. */
export function Copies({ domain, found, begun }: CopiesProps) {
  return (
    <>
      {found.clon_de === null ? (
        <Clone domain={domain} begun={begun} />
      ) : (
        <Publish domain={domain} to={found.clon_de} begun={begun} />
      )}
      {found.se_puede_deshacer ? <Undo domain={domain} begun={begun} /> : null}
    </>
  )
}

type PartProps = { domain: string; begun: (job: string) => void }

function Clone({ domain, begun }: PartProps) {
  const [name, setName] = useState(`prueba.${domain}`)
  return (
    <OpForm
      op="POST /api/sitios/:domain/clonar"
      input={{ params: { domain }, body: { domain: name } }}
      submit={texts.clone}
      done={({ data }) => begun(data.tarea.id)}
    >
      {(error) => (
        <>
          <p className="faint small">{texts.cloneHint}</p>
          <HostField label={texts.cloneName} value={name} onChange={setName} error={error('domain')} />
        </>
      )}
    </OpForm>
  )
}

function Publish({ domain, to, begun }: PartProps & { to: string }) {
  const [archivos, setFiles] = useState(true)
  const [tables, setTables] = useState('')
  const tablas = tables.split(/[\s,]+/).filter((name) => name !== '')
  return (
    <OpForm
      op="POST /api/sitios/:domain/publicar"
      input={{ params: { domain }, body: { archivos, tablas } }}
      submit={texts.publish(to)}
      danger
      done={({ data }) => begun(data.tarea.id)}
    >
      {(error) => (
        <>
          <p className="faint small">{texts.cloneOf(to)}</p>
          <Checkbox
            label={texts.files}
            checked={archivos}
            onChange={(event) => setFiles(event.currentTarget.checked)}
          />
          <TextField
            label={texts.tables}
            description={texts.tablesHint}
            placeholder="wp_posts wp_postmeta"
            value={tables}
            onChange={setTables}
            error={error('tablas')}
          />
        </>
      )}
    </OpForm>
  )
}

function Undo({ domain, begun }: PartProps) {
  return (
    <OpForm
      op="POST /api/sitios/:domain/aplicacion/deshacer"
      input={{ params: { domain } }}
      submit={texts.undo}
      danger
      done={({ data }) => begun(data.tarea.id)}
    >
      {() => <p className="faint small">{texts.undoHint}</p>}
    </OpForm>
  )
}

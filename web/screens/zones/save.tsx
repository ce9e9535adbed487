import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { saveFile } from '../../ui/transfers/save.ts'

export const EXPORT = 'GET /api/zonas/:zona/exportar'

/** Saves a zone as a file, which can be imported again. */
export function SaveZone({ zona, label }: { zona: string; label: string }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const text = await call(EXPORT, { params: { zona } })
      saveFile(new Blob([text], { type: 'text/dns' }), `${zona}.zone`)
    } catch (thrown) {
      setError(asApiError(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {error ? <ErrorNote error={error} focus /> : null}
      <div className="form-foot">
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          loading={busy}
          onClick={save}
        >
          {label}
        </Button>
      </div>
    </>
  )
}

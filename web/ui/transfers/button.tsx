import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiError } from '../../api/errors.ts'
import type { InputOf, ReadOperation } from '../../api/operations.ts'
import { ErrorNote } from '../error-note.tsx'
import { Icon } from '../icons.tsx'
import { download } from './download.ts'

type Props<K extends ReadOperation> = { op: K; input: InputOf<K>; name: string; label: string }

/** Downloads what an operation answers as bytes; an error is told beside it. */
export function DownloadButton<K extends ReadOperation>({ op, input, name, label }: Props<K>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const fetch = async () => {
    setBusy(true)
    setError(null)
    setError(await download(op, input, name))
    setBusy(false)
  }
  return (
    <div className="stack">
      {error ? <ErrorNote error={error} focus /> : null}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          loading={busy}
          onClick={fetch}
        >
          {label}
        </Button>
      </div>
    </div>
  )
}

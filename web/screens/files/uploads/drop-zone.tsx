import { type DragEvent, type ReactNode, useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { texts } from '../texts.ts'
import { droppedIn, prepared } from './dropped.ts'
import { uploadFiles } from './queue.ts'

type Props = { domain: string; path: string; children: ReactNode }

/** Takes files that are dropped on a folder. */
export function DropZone({ domain, path, children }: Props) {
  const [over, setOver] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const brings = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const drop = async (event: DragEvent) => {
    if (!brings(event)) return
    event.preventDefault()
    setOver(false)
    setError(null)
    try {
      uploadFiles(await prepared(domain, await droppedIn(event.dataTransfer, path)))
    } catch (thrown) {
      setError(asApiError(thrown))
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div
      className={over ? 'files files-over' : 'files'}
      data-drop={texts.dropHere}
      onDragOver={(event) => {
        if (!brings(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={drop}
    >
      {error ? <ErrorNote error={error} focus /> : null}
      {children}
    </div>
  )
}

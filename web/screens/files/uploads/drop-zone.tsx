import { type DragEvent, type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'
import { droppedIn } from './dropped.ts'
import { useSend } from './sending.tsx'

type Props = {
  path: string
  /** Nothing can be put there. */
  closed: boolean
  children: ReactNode
}

/** Takes files and folders that are dropped on a folder. */
export function DropZone({ path, closed, children }: Props) {
  const [over, setOver] = useState(false)
  const send = useSend()
  const brings = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same by keyboard
    <div
      className={over ? 'files files-over' : 'files'}
      data-drop={texts.dropHere}
      onDragOver={(event) => {
        if (!brings(event)) return
        event.preventDefault()
        if (closed) event.dataTransfer.dropEffect = 'none'
        setOver(!closed)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!brings(event)) return
        event.preventDefault()
        setOver(false)
        if (!closed) void send(droppedIn(event.dataTransfer, path))
      }}
    >
      {children}
    </div>
  )
}

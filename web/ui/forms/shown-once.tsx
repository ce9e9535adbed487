import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton, CopyLine } from '../copy.tsx'
import { Note } from '../state.tsx'
import { texts } from '../texts.ts'

type Props = {
  value: string
  /** What is copied, as the button says it: "Copy the token". */
  copy: string
  /** What to do when the value is lost. */
  lost: string
  /** Whose value it is. */
  about?: ReactNode
  children?: ReactNode
  done: () => void
}

/** A credential that the panel has just made and cannot show again. */
export function ShownOnce({ value, copy, lost, about, children, done }: Props) {
  return (
    <div className="form">
      <Note tone="warn" title={texts.shownOnlyNow}>
        <p>{lost}</p>
      </Note>
      <div>
        {about}
        <CopyLine value={value} label={copy} />
      </div>
      {children}
      <div className="form-foot">
        <CopyButton wide value={value} label={copy} />
        <Button size="xs" onClick={done}>
          {texts.iHaveCopiedIt}
        </Button>
      </div>
    </div>
  )
}

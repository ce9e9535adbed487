import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

/** One thing that signs somebody in: what it is, how it stands, and how to change it. */
export function Credential({
  name,
  state,
  action,
  label,
  start,
  children,
}: {
  name: string
  state?: ReactNode
  action: string
  /** Where several have the same action: which one it is. */
  label?: string
  /** Left out where it may not be changed. */
  start?: () => void
  children: ReactNode
}) {
  return (
    <div className="credential">
      <div>
        <h3>{name}</h3>
        {state ? <p>{state}</p> : null}
        <p className="faint small">{children}</p>
      </div>
      {start ? (
        <Button size="xs" variant="default" onClick={start} {...(label ? { 'aria-label': label } : {})}>
          {action}
        </Button>
      ) : null}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { InputOf } from '../../../api/operations.ts'
import { type FieldErrors, OpForm } from '../../../ui/forms/form.tsx'
import { announce } from '../../../ui/toast.tsx'
import { followWork } from '../../../ui/transfers/work.ts'

const OPERATE = 'POST /api/sitios/:domain/archivos/operaciones'

type Props = {
  domain: string
  body: InputOf<typeof OPERATE>['body']
  submit: string
  /** What is told once it is done. */
  told: string
  close: () => void
  /** Begun or done. */
  done?: () => void
  danger?: boolean
  disabled?: boolean
  complete?: boolean
  children?: (errors: FieldErrors, tried: boolean) => ReactNode
}

/** One operation on files; what takes long goes on beside the screens. */
export function Operation({ domain, body, submit, told, close, done, children, ...rest }: Props) {
  return (
    <OpForm
      op={OPERATE}
      input={{ params: { domain }, body }}
      submit={submit}
      cancel={close}
      {...rest}
      done={({ data }) => {
        if ('tarea' in data) followWork(data.tarea.id, `${submit}: ${told}`)
        else announce(told)
        done?.()
        close()
      }}
    >
      {children ?? (() => null)}
    </OpForm>
  )
}

import type { ReactNode } from 'react'
import { call } from '../../../api/client.ts'
import { asApiError } from '../../../api/errors.ts'
import { type FieldErrors, OpForm } from '../../../ui/forms/form.tsx'
import { announce } from '../../../ui/toast.tsx'
import { followWork } from '../../../ui/transfers/work.ts'
import { OPERATE, type OperationBody, useExisting } from './existing.tsx'

type Props = {
  domain: string
  body: OperationBody
  submit: string
  /** What is told once it is done. */
  told: string
  close: () => void
  /** Begun or done. */
  done?: () => void
  /** It goes among what is there: what is in its way is asked about. */
  merges?: boolean
  /** Does the opposite, where that can be done from the notice. */
  undo?: () => void
  danger?: boolean
  disabled?: boolean
  complete?: boolean
  children?: (errors: FieldErrors, tried: boolean) => ReactNode
}

/** One operation on files; what takes long goes on beside the screens. */
export function Operation({ domain, body, submit, told, close, done, children, ...props }: Props) {
  const { merges = false, undo, ...rest } = props
  const existing = useExisting(body, merges)
  return (
    <OpForm
      op={OPERATE}
      input={{ params: { domain }, body: existing.body }}
      submit={submit}
      cancel={close}
      question={existing.question}
      {...rest}
      done={({ data }) => {
        if ('tarea' in data)
          follow(data.tarea.id, { domain, body: existing.body, name: `${submit}: ${told}` })
        else announce(told, undo)
        done?.()
        close()
      }}
    >
      {children ?? (() => null)}
    </OpForm>
  )
}

type Followed = { domain: string; body: OperationBody; name: string }

/** What is found in the way of longer work is asked about where it is followed, for all of it at once. */
function follow(id: string, { domain, body, name }: Followed): void {
  const again = async (si_existe: 'sustituir' | 'omitir') => {
    try {
      const answered = { ...body, si_existe } as OperationBody
      const answer = await call(OPERATE, { params: { domain }, body: answered })
      if ('tarea' in answer) follow(answer.tarea.id, { domain, body: answered, name })
      else announce(name)
    } catch (thrown) {
      announce(asApiError(thrown).detail)
    }
  }
  followWork(id, name, 'si_existe' in body ? { again } : {})
}

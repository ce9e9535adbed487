import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { Reply } from '../../../api/client.ts'
import type { InputOf, Operation } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { ApiCall } from '../../../ui/forms/api-call.tsx'
import { type FieldErrors, fieldErrors, UnsentNote } from '../../../ui/forms/form.tsx'
import { useSubmission } from '../../../ui/forms/submission.ts'
import { texts } from './texts.ts'

type Props<K extends Operation> = {
  op: K
  input: InputOf<K>
  /** The state that the change is meant for; the API refuses it on any other (412). */
  ifMatch: string
  /** The zone is not in that state any more. */
  outdated: () => void
  submit: ReactNode
  done: (answer: Reply<K>) => void
  cancel: () => void
  danger?: boolean
  /** Says whether it may be sent; called at the attempt. */
  ready?: () => boolean
  children?: (errors: FieldErrors) => ReactNode
}

/** A form of one operation on a zone's content, as `OpForm`, whose owner learns of a refusal with 412. */
export function ChangeForm<K extends Operation>(props: Props<K>) {
  const { op, input, ifMatch, outdated, submit, done, cancel, danger, ready, children } = props
  const submission = useSubmission(op, input)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (submission.busy || ready?.() === false) return
    const answer = await submission.send({ ifMatch })
    if (answer) done(answer)
  }
  const { error } = submission
  const stale = error?.status === 412
  return (
    <form className="form" onSubmit={send} noValidate>
      {children?.(fieldErrors(error))}
      {submission.unsent ? <UnsentNote /> : null}
      {error ? <ErrorNote error={error} focus /> : null}
      <div className="form-foot">
        <Button type="submit" loading={submission.busy} color={danger ? 'red' : 'petrol'}>
          {submit}
        </Button>
        {stale ? (
          <Button
            variant="default"
            onClick={() => {
              submission.reset()
              outdated()
            }}
          >
            {texts.seeWhatChanged}
          </Button>
        ) : null}
        <Button variant="default" onClick={cancel}>
          {common.cancel}
        </Button>
      </div>
      <ApiCall op={op} input={input} />
    </form>
  )
}

import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { Reply } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import type { InputOf, Operation } from '../api/operations.ts'
import { t } from '../i18n/language.ts'
import { ApiCall } from './api-call.tsx'
import { ErrorNote } from './error-note.tsx'

/** The API's message on a field, or on a part of it. */
export type FieldErrors = (field: string) => string | undefined

type Props<K extends Operation> = {
  op: K
  input: InputOf<K>
  submit: ReactNode
  children?: (errors: FieldErrors) => ReactNode
  done: (answer: Reply<K>) => void
  danger?: boolean
  disabled?: boolean
  cancel?: () => void
  /** Further buttons beside the first. */
  beside?: ReactNode
  ifMatch?: string
}

/**
 * A form of exactly one operation: what it sends is `input`, what it refuses is shown at the fields and
 * in the API's words, and the same request can be seen as a command.
 */
export function OpForm<K extends Operation>(props: Props<K>) {
  const { op, input, submit, children, done, danger, disabled, cancel, beside, ifMatch } = props
  const action = useAction(op)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (action.busy) return
    const answer = await action.run(input, ifMatch ? { ifMatch } : {})
    if (answer) done(answer)
  }
  const errors: FieldErrors = (field) =>
    action.error?.campos.find(
      ({ campo }) => campo === field || (/^[.[]/.test(campo.slice(field.length)) && campo.startsWith(field)),
    )?.mensaje
  return (
    <form className="form" onSubmit={send} noValidate>
      {children?.(errors)}
      {action.error ? <ErrorNote error={action.error} focus /> : null}
      <div className="form-foot">
        <Button
          type="submit"
          loading={action.busy}
          disabled={disabled ?? false}
          color={danger ? 'red' : 'petrol'}
        >
          {submit}
        </Button>
        {beside}
        {cancel ? (
          <Button variant="default" onClick={cancel}>
            {t('Cancel', 'Cancelar')}
          </Button>
        ) : null}
      </div>
      <ApiCall op={op} input={input} />
    </form>
  )
}

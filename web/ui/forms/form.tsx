import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Reply } from '../../api/client.ts'
import type { ApiError } from '../../api/errors.ts'
import type { InputOf, Operation } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../error-note.tsx'
import { useUnsaved } from '../leave/unsaved.ts'
import { Note } from '../state.tsx'
import { ApiCall } from './api-call.tsx'
import { FormChecks, useFormChecks } from './checks.tsx'
import { ProofNote, useProof } from './proof-note.tsx'
import { useSubmission } from './submission.ts'
import { texts } from './texts.ts'

/** The API's message on a field, or on a part of it. */
export type FieldErrors = (field: string) => string | undefined

type Props<K extends Operation> = {
  op: K
  input: InputOf<K>
  submit: ReactNode
  /** `tried` is whether sending was tried while the form was not complete. */
  children?: (errors: FieldErrors, tried: boolean) => ReactNode
  done: (answer: Reply<K>) => void
  danger?: boolean
  /** Another button beside the form is the one that most people want. */
  quiet?: boolean
  disabled?: boolean
  cancel?: () => void
  /** Further buttons beside the first. */
  beside?: ReactNode
  ifMatch?: string
  /** The field that a refusal is about which names none, and what is told there. */
  blame?: (error: ApiError) => { field: string; words: string } | null
  /** What is asked instead of telling the refusal, before it is sent again; undefined where it is told. */
  question?: (error: ApiError) => ReactNode
  /** Whether `input` says all that has to be said; until then nothing is sent, and no command is shown. */
  complete?: boolean
}

/**
 * A form of exactly one operation: what it sends is `input`, what it refuses is shown at the fields and
 * in the API's words, and the same request can be seen as a command.
 */
export function OpForm<K extends Operation>(props: Props<K>) {
  const { op, input, submit, children, done, danger, disabled, cancel, beside, ifMatch } = props
  const { complete = true, blame, question, quiet = false } = props
  const submission = useSubmission(op, input)
  const attempts = useAttempts()
  const checks = useFormChecks(attempts.tried)
  const proof = useProof(submission.error, submission.busy)
  const typed = useTyped(input, !danger)
  const send = async () => {
    if (submission.busy) return
    if (!complete || !checks.pass()) return attempts.refuse()
    const answer = await submission.send(ifMatch ? { ifMatch } : {})
    if (!answer) return attempts.refused()
    attempts.over()
    typed.letGo()
    done(answer)
  }
  const submitted = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void send()
  }
  return (
    <form className="form" onSubmit={submitted} onInput={typed.note} noValidate ref={attempts.form}>
      <FormChecks value={checks.provided}>
        {children?.(fieldErrors(submission.error, blame), attempts.tried)}
      </FormChecks>
      {submission.unsent ? <UnsentNote /> : null}
      {proof ? <ProofNote proof={proof} busy={submission.busy} /> : null}
      {submission.error && !proof ? (
        <Refusal error={submission.error} asked={question?.(submission.error)} send={send} />
      ) : null}
      <div className="form-foot">
        <Button
          type="submit"
          loading={submission.busy}
          disabled={disabled ?? false}
          variant={quiet ? 'default' : 'filled'}
          {...(quiet ? {} : { color: danger ? 'red' : 'petrol' })}
        >
          {submit}
        </Button>
        {beside}
        {cancel ? (
          <Button variant="default" onClick={cancel}>
            {common.cancel}
          </Button>
        ) : null}
      </div>
      {complete ? <ApiCall op={op} input={input} /> : null}
    </form>
  )
}

type RefusalProps = { error: ApiError; asked: ReactNode; send: () => void }

function Refusal({ error, asked, send }: RefusalProps) {
  if (asked !== undefined) return asked
  return <ErrorNote error={error} focus {...(error.status === 0 ? { retry: send } : {})} />
}

/** After signing in over a form: everything is still there, and goes out on the person's word. */
export function UnsentNote() {
  return (
    <Note tone="info" title={texts.signedInAgain}>
      <p>{texts.nothingWasSent}</p>
    </Note>
  )
}

/** The message of a field, or of a part of it (`aliases.0` is shown at `aliases`). */
export const fieldErrors =
  (error: ApiError | null, blame?: Props<Operation>['blame']): FieldErrors =>
  (field) => {
    if (!error || error.isInOtherLanguage) return undefined
    const blamed = error.campos.length === 0 ? blame?.(error) : null
    if (blamed?.field === field) return blamed.words
    return error.campos.find(({ campo }) => campo === field || campo.startsWith(`${field}.`))?.mensaje
  }

/** Whether something was typed that is not sent; what confirms a deletion is no loss. */
function useTyped(input: unknown, isKept: boolean) {
  const [before, setBefore] = useState<string | null>(null)
  const now = JSON.stringify(input)
  const release = useUnsaved(isKept && before !== null && before !== now)
  return {
    note: () => setBefore((first) => first ?? now),
    letGo() {
      release()
      setBefore(null)
    },
  }
}

/** Attempts to send: the first field at fault gets the focus, whether it was found here or by the panel. */
function useAttempts() {
  const [tried, setTried] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const refused = () => setRefusals((before) => before + 1)
  return {
    form,
    tried,
    refused,
    refuse() {
      setTried(true)
      refused()
    },
    over: () => setTried(false),
  }
}

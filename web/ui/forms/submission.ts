import { useRef, useState } from 'react'
import type { Reply } from '../../api/client.ts'
import { type ApiError, isSessionEnd } from '../../api/errors.ts'
import { useAction } from '../../api/hooks.ts'
import type { InputOf, Operation } from '../../api/operations.ts'
import { hasLapsed, session } from '../../api/session.ts'

export type Submission<K extends Operation> = {
  busy: boolean
  /** What was refused, without the fields that were changed since. */
  error: ApiError | null
  /** The session was ended before anything was sent, and there is one again. */
  unsent: boolean
  send(extra: { ifMatch?: string }): Promise<Reply<K> | null>
  reset(): void
}

/** Sends a form's input. A refusal of a field holds for what was sent: it goes as the field is changed. */
export function useSubmission<K extends Operation>(op: K, input: InputOf<K>): Submission<K> {
  const action = useAction(op)
  const sent = useRef<unknown>(null)
  const [closed, setClosed] = useState<{ of: ApiError; fields: string[] } | null>(null)
  const signedIn = !hasLapsed(session.use())
  const unsent = action.error !== null && isSessionEnd(action.error) && signedIn
  const error = unsent ? null : action.error
  const already = closed && closed.of === error ? closed.fields : []
  const changed = (error?.campos ?? [])
    .map(({ campo }) => campo)
    .filter((campo) => already.includes(campo) || differs(sent.current, input, campo))
  // What was typed back to what was refused stays silent until it is sent again.
  if (error && changed.length > already.length) setClosed({ of: error, fields: changed })
  return {
    busy: action.busy,
    error: error ? error.without(changed) : null,
    unsent,
    send: (extra) => {
      sent.current = input
      return action.run(input, extra)
    },
    reset: action.reset,
  }
}

/** Whether a field, named as the API does (`aliases.2`), holds something else now. */
const differs = (before: unknown, now: unknown, campo: string): boolean =>
  JSON.stringify(fieldOf(before, campo)) !== JSON.stringify(fieldOf(now, campo))

function fieldOf(input: unknown, campo: string): unknown {
  const [first = '', ...rest] = campo.split('.')
  const part = ['body', 'params', 'query']
    .map((name) => member(input, name))
    .find((one) => hasMember(one, first))
  return [first, ...rest].reduce(member, part)
}

const hasMember = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)

const member = (value: unknown, name: string): unknown => (hasMember(value, name) ? value[name] : undefined)

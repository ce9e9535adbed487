import { PasswordInput, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { common } from '../../text/common.ts'
import { type Check, useCheck } from './checks.tsx'
import { texts } from './texts.ts'

/** A password field whose eye says what it does. */
export function Password({
  label,
  value,
  onChange,
  autoComplete,
  error,
  description,
  check,
  autoFocus = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  error?: string | undefined
  description?: string
  /** What is found at fault before anything is sent. */
  check?: Check
}) {
  const found = useCheck(value, check)
  const problem = error ?? found
  return (
    <PasswordInput
      label={label}
      value={value}
      name={autoComplete}
      autoComplete={autoComplete}
      error={problem}
      // What is at fault says it already.
      {...(problem ? {} : { description })}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(autoFocus ? { 'data-autofocus': true, autoFocus } : {})}
      visibilityToggleButtonProps={{
        'aria-label': texts.showHidePassword,
        tabIndex: 0,
      }}
      required
      withAsterisk={false}
    />
  )
}

/** The caller's own password, which proves who asks for a change of credentials. */
export const OwnPassword = ({
  value,
  onChange,
  error,
  label = common.yourOwnPassword,
}: {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  label?: string
}) => (
  <Password label={label} autoComplete="current-password" value={value} onChange={onChange} error={error} />
)

/** The field for a code of the second factor. Its form is sent as soon as all six digits are there. */
export function Code({
  digits,
  value,
  onChange,
  error,
}: {
  digits: boolean
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}) {
  const field = useRef<HTMLInputElement>(null)
  const seen = useRef(value)
  useEffect(() => {
    if (value === seen.current) return
    seen.current = value
    if (digits && /^\d{6}$/.test(value.replace(/\s+/g, ''))) field.current?.form?.requestSubmit()
  }, [digits, value])
  return (
    <TextInput
      ref={field}
      className="input-code"
      label={texts.code}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={digits ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={digits ? 7 : 64}
      autoFocus
      required
      withAsterisk={false}
    />
  )
}

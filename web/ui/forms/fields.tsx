import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ClipboardEventHandler, type HTMLInputTypeAttribute, type ReactNode, useId } from 'react'
import { useRead } from '../../api/hooks.ts'
import { Icon } from '../icons.tsx'
import { type Check, useCheck } from './checks.tsx'
import { hostIn } from './host.ts'
import { isEmail, isHost, required } from './rules.ts'

type Common = {
  label: string
  error?: string | undefined
  description?: ReactNode
  placeholder?: string
  disabled?: boolean
}

type TextProps = Common & {
  value: string
  onChange: (value: string) => void
  mono?: boolean
  type?: HTMLInputTypeAttribute
  list?: string
  autoFocus?: boolean
  autoComplete?: string
  max?: number
  onPaste?: ClipboardEventHandler<HTMLInputElement>
  inputMode?: 'numeric'
  /** What is found at fault before anything is sent. */
  check?: Check | undefined
  name?: string
  readOnly?: boolean
}

/** A line of text. Names, domains and the like are `mono`: every character counts there. */
export function TextField({
  value,
  onChange,
  mono = false,
  type,
  list,
  autoFocus,
  autoComplete = 'off',
  max,
  onPaste,
  inputMode,
  check,
  error,
  ...rest
}: TextProps) {
  const problem = useCheck(value, check)
  return (
    <TextInput
      {...rest}
      error={error ?? problem}
      className={mono ? 'input-mono' : ''}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(type ? { type } : {})}
      {...(list ? { list } : {})}
      {...(autoFocus ? { 'data-autofocus': true, autoFocus } : {})}
      {...(max ? { maxLength: max } : {})}
      {...(onPaste ? { onPaste } : {})}
      {...(inputMode ? { inputMode } : {})}
      autoComplete={autoComplete}
      autoCapitalize={mono ? 'none' : undefined}
      spellCheck={mono ? false : undefined}
    />
  )
}

export function TextArea({
  value,
  onChange,
  rows = 3,
  mono = false,
  ...rest
}: Common & { value: string; onChange: (value: string) => void; rows?: number; mono?: boolean }) {
  return (
    <Textarea
      {...rest}
      className={mono ? 'input-mono' : ''}
      value={value}
      rows={rows}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={!mono}
      autoCapitalize={mono ? 'none' : undefined}
    />
  )
}

type Offered = { value: string; label: string }

export function Choice({
  value,
  onChange,
  options,
  ...rest
}: Common & {
  value: string
  onChange: (value: string) => void
  options: (Offered | { group: string; items: Offered[] })[]
}) {
  return (
    <NativeSelect
      {...rest}
      value={value}
      data={options}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={<Icon name="down" size={14} />}
    />
  )
}

/** A host name, also out of an address that was pasted. Checked before it is sent. */
export const HostField = ({ onChange, ...rest }: TextProps) => (
  <TextField mono check={isHost} {...rest} onChange={(typed) => onChange(hostIn(typed))} />
)

/** An e-mail address, checked before it is sent. */
export const EmailField = (props: TextProps) => <TextField type="email" check={isEmail} {...props} />

/** A client's name, with those offered that begin like it. */
export function ClientField({
  value,
  onChange,
  ...rest
}: Common & { value: string; onChange: (cliente: string) => void }) {
  const id = useId()
  const [settled] = useDebouncedValue(value, 150)
  const query = { limite: '8', ...(settled ? { buscar: settled } : {}) }
  const found = useRead('GET /api/clientes', { query })
  return (
    <>
      <TextField check={required} {...rest} mono value={value} onChange={onChange} list={id} />
      <datalist id={id}>
        {(found.data?.datos ?? []).map(({ cliente, nombre }) => (
          <option key={cliente} value={cliente}>
            {nombre ?? ''}
          </option>
        ))}
      </datalist>
    </>
  )
}

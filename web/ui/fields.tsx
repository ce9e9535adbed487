import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  type ClipboardEventHandler,
  type HTMLInputTypeAttribute,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../api/hooks.ts'
import { t } from '../i18n/language.ts'
import { Icon } from './icons.tsx'

type Common = {
  label: string
  error?: string | undefined
  description?: ReactNode
  placeholder?: string
  disabled?: boolean
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
  ...common
}: Common & {
  value: string
  onChange: (value: string) => void
  mono?: boolean
  type?: HTMLInputTypeAttribute
  list?: string
  autoFocus?: boolean
  autoComplete?: string
  max?: number
  onPaste?: ClipboardEventHandler<HTMLInputElement>
}) {
  return (
    <TextInput
      {...common}
      className={mono ? 'input-mono' : ''}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(type ? { type } : {})}
      {...(list ? { list } : {})}
      {...(autoFocus ? { 'data-autofocus': true, autoFocus } : {})}
      {...(max ? { maxLength: max } : {})}
      {...(onPaste ? { onPaste } : {})}
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
  ...common
}: Common & { value: string; onChange: (value: string) => void; rows?: number; mono?: boolean }) {
  return (
    <Textarea
      {...common}
      className={mono ? 'input-mono' : ''}
      value={value}
      rows={rows}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={!mono}
      autoCapitalize={mono ? 'none' : undefined}
    />
  )
}

export function Choice({
  value,
  onChange,
  options,
  ...common
}: Common & {
  value: string
  onChange: (value: string) => void
  options: { value: string; label: string }[]
}) {
  return (
    <NativeSelect
      {...common}
      value={value}
      data={options}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={<Icon name="down" size={14} />}
    />
  )
}

/** The names of all plans. */
export function usePlanNames(): string[] | null {
  const plans = useRead('GET /api/planes', { query: { limite: '200' } })
  return plans.data ? plans.data.datos.map(({ plan }) => plan) : null
}

/** A listing's filter by plan; the empty value is any. */
export function PlanFilter({ value, onChange }: { value: string; onChange: (plan: string) => void }) {
  const names = usePlanNames() ?? []
  return (
    <Choice
      label="Plan"
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: t('All', 'Todos') },
        // A plan that is not on the first page is still the one that is set.
        ...[...new Set([...(value ? [value] : []), ...names])].map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}

/** A client's name, with those offered that begin like it. */
export function ClientField({
  value,
  onChange,
  ...common
}: Common & { value: string; onChange: (cliente: string) => void }) {
  const id = useId()
  const [settled] = useDebouncedValue(value, 150)
  const query = { limite: '8', ...(settled ? { buscar: settled } : {}) }
  const found = useRead('GET /api/clientes', { query })
  return (
    <>
      <TextField {...common} mono value={value} onChange={onChange} list={id} />
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

/** Names one a line, or parted by blanks or commas. */
export const namesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** A listing's filters live in the address: a filtered view can be linked to and come back to. */
export function useFilter(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = (value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  return [params.get(name) ?? '', set]
}

/** A filter that one types: it asks when the typing pauses. */
export function SearchFilter({
  name,
  label,
  placeholder,
}: {
  name: string
  label: string
  placeholder?: string
}) {
  const [value, setValue] = useFilter(name)
  const [text, setText] = useState(value)
  const [settled] = useDebouncedValue(text.trim(), 200)
  const sent = useRef(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pause in typing sends
  useEffect(() => {
    if (settled === sent.current) return
    sent.current = settled
    setValue(settled)
  }, [settled])
  return (
    <TextInput
      className="grow"
      label={label}
      value={text}
      placeholder={placeholder ?? ''}
      leftSection={<Icon name="search" size={14} />}
      onChange={(event) => setText(event.currentTarget.value)}
      type="search"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** A filter with given values. */
export function ChoiceFilter({
  name,
  label,
  options,
}: {
  name: string
  label: string
  options: { value: string; label: string }[]
}) {
  const [value, setValue] = useFilter(name)
  return (
    <Choice
      label={label}
      value={value}
      onChange={setValue}
      options={[{ value: '', label: t('All', 'Todos') }, ...options]}
    />
  )
}

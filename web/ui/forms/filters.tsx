import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { common } from '../../text/common.ts'
import { stateWords } from '../../text/states.ts'
import { Icon } from '../icons.tsx'
import { Choice } from './fields.tsx'

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

/** The state that a listing is filtered by, if the address names one of these. */
export function useStateFilter<S extends string>(states: readonly S[]): S | undefined {
  const [asked] = useFilter('estado')
  return states.find((state) => state === asked)
}

export function StateFilter({ states }: { states: readonly string[] }) {
  const [value, setValue] = useFilter('estado')
  const options = states.map((state) => ({ value: state, label: stateWords(state).label }))
  return (
    <Choice
      label={common.state}
      value={value}
      onChange={setValue}
      options={[{ value: '', label: common.all }, ...options]}
    />
  )
}

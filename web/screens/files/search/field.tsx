import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from '../../../ui/icons.tsx'
import { nameOf, shownName } from '../paths.ts'
import { texts as files } from '../texts.ts'
import { texts } from './texts.ts'

export type Search = {
  text: string
  set: (text: string) => void
  /** What is looked for, once the typing pauses; empty for nothing. */
  wanted: string
}

/** What is looked for in a folder; another folder begins anew. */
export function useSearch(path: string): Search {
  const [held, setHeld] = useState({ path, text: '' })
  const text = held.path === path ? held.text : ''
  const [settled] = useDebouncedValue(text.trim(), 300)
  return { text, set: (next) => setHeld({ path, text: next }), wanted: text.trim() === '' ? '' : settled }
}

export function SearchField({ path, search }: { path: string; search: Search }) {
  const below = texts.searchBelow(path === '/' ? files.siteFolder : shownName(nameOf(path)))
  return (
    <TextInput
      className="file-search"
      size="xs"
      type="search"
      aria-label={`${texts.search}, ${below}`}
      placeholder={`${texts.search}…`}
      value={search.text}
      onChange={(event) => search.set(event.currentTarget.value)}
      leftSection={<Icon name="search" size={14} />}
      maxLength={255}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

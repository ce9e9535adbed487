import type { KeyboardEvent } from 'react'
import type { Entry } from './folder.ts'
import type { Asked } from './operations/dialogs.tsx'

type Action = Asked | { what: 'open'; entry: Entry } | { what: 'up' }

/** What a key does with the file that the keyboard is at, or with those that are chosen. */
export function keyAction(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  { active, entries }: { active: Entry | undefined; entries: Entry[] },
): Action | null {
  if (key === 'Backspace' || (altKey && key === 'ArrowUp')) return { what: 'up' }
  if (ctrlKey || metaKey || altKey) return null
  const chosen = entries.length > 0 ? entries : active ? [active] : []
  if (key === 'Delete' && chosen.length > 0) return { what: 'delete', entries: chosen }
  if (!active) return null
  if (key === 'Enter') return { what: 'open', entry: active }
  if (key === 'F2') return { what: 'rename', entries: [active] }
  return null
}

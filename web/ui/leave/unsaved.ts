import { useEffect, useRef } from 'react'
import { createStore } from '../../api/store.ts'

/** Forms in which something was typed that is not sent. */
const forms = new Set<object>()

export const isUnsaved = (): boolean => forms.size > 0

/** What goes on once a person agrees to lose what was typed. */
export const leaving = createStore<{ go: () => void } | null>(null)

/** Goes on at once where nothing is lost by it, else asks first. */
export function leave(go: () => void): void {
  if (isUnsaved()) leaving.set({ go })
  else go()
}

/** Lets go of all that was typed. */
export function dropUnsaved(): void {
  forms.clear()
}

/** Holds a form's page while something in it is unsaved; answers how to let go at once, before the next render. */
export function useUnsaved(unsaved: boolean): () => void {
  const form = useRef({})
  useEffect(() => {
    const { current } = form
    if (!unsaved) return
    forms.add(current)
    return () => void forms.delete(current)
  }, [unsaved])
  return () => void forms.delete(form.current)
}

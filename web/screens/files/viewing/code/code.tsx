import { StateEffect } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { startEditing } from './editing.ts'
import { languageOf } from './languages.ts'

/** The text as it stands in the editor. */
export type CodeHandle = { text(): string; replace(text: string): void }

type Props = {
  ref: Ref<CodeHandle>
  /** The file's name, which tells its language. */
  name: string
  label: string
  initial: string
  changed: () => void
}

/** A text with line numbers, search and the colours of its language. */
export default function Code({ ref, name, label, initial, changed }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const onChange = useRef(changed)
  onChange.current = changed
  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for one file, which keeps its own text
  useEffect(() => {
    if (!host.current) return
    const asked = { host: host.current, text: initial, label, changed: () => onChange.current() }
    const { view: started, extend } = startEditing(asked)
    view.current = started
    started.focus()
    // A language that does not come leaves the text plain.
    languageOf(name)?.()
      .then((language) => started.dispatch({ effects: StateEffect.reconfigure.of(extend(language)) }))
      .catch(() => {})
    return () => started.destroy()
  }, [])
  useImperativeHandle(ref, () => ({
    text: () => view.current?.state.doc.toString() ?? initial,
    replace: (text) =>
      view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: text } }),
  }))
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is in it takes the focus, and the dialog looks for this
  return <div ref={host} className="code" tabIndex={0} data-autofocus />
}

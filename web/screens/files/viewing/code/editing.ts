import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { search, searchKeymap, searchPanelOpen } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { look } from './look.ts'
import { texts } from './texts.ts'

type Asked = {
  host: HTMLElement
  text: string
  label: string
  changed: () => void
}

/**
 * An editor in a shadow tree: there its styles are an adopted style sheet, where in the page they would be a style
 * element, which the Content-Security-Policy forbids. Tab leaves it, as it leaves any field.
 */
export function startEditing({ host, text, label, changed }: Asked): {
  view: EditorView
  extend: (more: Extension) => Extension
} {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  const base: Extension = [
    [lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), indentUnit.of('    ')],
    [search({ top: true }), keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap])],
    [look, EditorState.tabSize.of(4), EditorState.phrases.of({ ...texts })],
    EditorView.contentAttributes.of({
      ...{ 'aria-label': label, autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false' },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed()
      leaveEscapeToSearch(host, searchPanelOpen(update.state))
    }),
  ]
  const state = EditorState.create({ doc: text, extensions: base })
  root.addEventListener('keydown', keepTabInSearch)
  return { view: new EditorView({ state, root, parent: root }), extend: (more) => [base, more] }
}

/** While the search is open Escape closes that, and not the dialog around. */
function leaveEscapeToSearch(host: HTMLElement, open: boolean): void {
  if (open) host.setAttribute('data-mantine-stop-propagation', 'true')
  else host.removeAttribute('data-mantine-stop-propagation')
}

/** The dialog goes from field to field by Tab itself, and cannot see those of the search. */
function keepTabInSearch(event: Event): void {
  if (!(event instanceof KeyboardEvent) || event.key !== 'Tab') return
  if (event.target instanceof Element && event.target.closest('.cm-panel')) event.stopPropagation()
}

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colours by the panel's own variables, so that they follow the light and the dark theme. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.tagName], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.url], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.attributeName], color: 'var(--warn)' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--ink-2)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

const shape = EditorView.theme({
  '&': {
    height: 'min(70dvh, 40rem)',
    border: '1px solid var(--edge)',
    borderRadius: '4px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-3)', borderColor: 'var(--line)' },
  '& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--accent-soft)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--warn)' },
  '.cm-panel.cm-search, .cm-panel.cm-search label': { fontSize: '0.8125rem', fontFamily: 'inherit' },
  '.cm-panel.cm-search [name=close]': { width: '1.5rem', height: '1.5rem', fontSize: '1rem' },
  '.cm-button, .cm-textfield': {
    ...{ minHeight: '1.625rem', margin: '0.125rem 0.25rem 0.125rem 0', padding: '0 0.5rem' },
    ...{ fontFamily: 'inherit', fontSize: '0.8125rem', borderRadius: '4px', borderColor: 'var(--edge)' },
    ...{ backgroundImage: 'none', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  },
})

export const look = [syntaxHighlighting(colours), shape]

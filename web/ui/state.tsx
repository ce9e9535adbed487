import { stateWords, type Tone } from '../text/states.ts'

/** The five shapes of a state: read without colour, and alike on every screen. */
const GLYPHS: Record<Tone, React.ReactNode> = {
  good: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  busy: (
    <>
      <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M5 1.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor" />
    </>
  ),
  off: <rect x="1.6" y="1.6" width="6.8" height="6.8" fill="none" stroke="currentColor" strokeWidth="1.2" />,
  warn: <path d="M5 .6L9.4 5 5 9.4.6 5z" fill="currentColor" />,
  bad: <path d="M5 .8L9.6 9.2H.4z" fill="currentColor" />,
}

export function Glyph({ tone }: { tone: Tone }) {
  return (
    <svg
      className={`glyph tone-${tone}`}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-hidden="true"
      focusable="false"
    >
      {GLYPHS[tone]}
    </svg>
  )
}

/** A state of the API in words, with its shape. */
export function State({ state, label }: { state: string; label?: string }) {
  const words = stateWords(state)
  return (
    <span className={`state tone-${words.tone}`}>
      <Glyph tone={words.tone} />
      {label ?? words.label}
    </span>
  )
}

/** A short note that stands out: why something is suspended, what a change will do. */
export function Note({
  tone,
  title,
  children,
}: {
  tone: 'info' | 'warn' | 'bad' | 'good'
  title?: React.ReactNode
  children?: React.ReactNode
}) {
  return (
    <div className={`note note-${tone}`}>
      {title ? <p className="note-title">{title}</p> : null}
      {children}
    </div>
  )
}

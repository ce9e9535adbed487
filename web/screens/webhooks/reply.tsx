import { number } from '../../text/format.ts'
import type { Delivery } from './data.ts'
import { texts } from './texts.ts'

/** What the last attempt came to, in a few words; null before the first. */
export function replyWords({ contestacion, fallo, intentos }: Delivery): string | null {
  if (intentos === 0) return null
  if (contestacion) return `HTTP ${contestacion.estado}`
  return fallo === null ? texts.noReply : texts[fallo]
}

/** The reply as it came; the panel keeps its beginning. */
export function Reply({ delivery }: { delivery: Delivery }) {
  const { contestacion, duracion_ms } = delivery
  const took = duracion_ms === null ? '' : ` · ${number(duracion_ms)} ms`
  return (
    <>
      <p>
        <b>{replyWords(delivery)}</b>
        {took}
      </p>
      {contestacion ? <Body text={contestacion.cuerpo} /> : null}
    </>
  )
}

function Body({ text }: { text: string }) {
  if (text === '') return <p className="small faint">{texts.emptyBody}</p>
  return (
    // It can be scrolled by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre className="run-output" tabIndex={0}>
      {text}
    </pre>
  )
}

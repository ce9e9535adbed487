import { State } from '../../ui/state.tsx'
import type { Webhook } from './data.ts'
import { texts } from './texts.ts'

/** Whether a webhook is on, or why not. */
export function WebhookState({ webhook: { activo, motivo } }: { webhook: Webhook }) {
  if (activo) return <State state="activo" label={texts.on} />
  return (
    <>
      <State state={motivo === 'a_mano' || motivo === null ? 'suspendido' : 'fallido'} label={texts.off} />
      {motivo === null ? null : <span className="sub">{texts[motivo]}</span>}
    </>
  )
}

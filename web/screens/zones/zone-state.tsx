import type { OutputOf } from '../../api/operations.ts'
import { State } from '../../ui/state.tsx'
import { texts } from './texts.ts'

export type Zone = OutputOf<'GET /api/zonas/:zona'>

/** Whether the name servers answer what the records say. */
export function ZoneState({ zone }: { zone: Pick<Zone, 'publicada' | 'error'> }) {
  if (zone.error) return <State state="error" label={texts.notPublished} />
  if (zone.publicada) return <State state="activa" label={texts.published} />
  return <State state="pendiente" label={texts.publishing} />
}

/** What stands beside the state of a zone that resolvers do not come here for. */
export function DelegationState({ zone }: { zone: Pick<Zone, 'delegacion'> }) {
  const estado = zone.delegacion?.estado
  if (!estado || estado === 'aqui') return null
  const labels: Partial<Record<typeof estado, string>> = {
    fuera: texts.delegatedElsewhere,
    sin_respuesta: texts.couldNotAsk,
  }
  const label = labels[estado]
  return (
    <span className="sub">
      <State state={estado} {...(label ? { label } : {})} />
    </span>
  )
}

/** Milliseconds until a zone is worth another look: soon while it is being published or mirrored. */
export function lookAgain({ publicada, error, espejo }: Zone): number | false {
  if (!publicada) return error ? 10_000 : 1_500
  return espejo && BUSY.has(espejo.estado) ? 5_000 : false
}

const BUSY: ReadonlySet<string> = new Set(['comprobando', 'en_cola', 'sincronizando', 'retirando'])

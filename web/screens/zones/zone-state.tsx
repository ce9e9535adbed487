import type { OutputOf } from '../../api/operations.ts'
import { t } from '../../i18n/language.ts'
import { State } from '../../ui/state.tsx'

export type Zone = OutputOf<'GET /api/zonas/:zona'>

/** Whether the name servers answer what the records say. */
export function ZoneState({ zone }: { zone: Pick<Zone, 'publicada' | 'error'> }) {
  if (zone.error) return <State state="error" label={t('Not published', 'Sin publicar')} />
  if (zone.publicada) return <State state="activa" label={t('Published', 'Publicada')} />
  return <State state="pendiente" label={t('Publishing', 'Publicándose')} />
}

/** Milliseconds until a zone is worth another look: soon while it is being published or mirrored. */
export function lookAgain({ publicada, error, espejo }: Zone): number | false {
  if (!publicada) return error ? 10_000 : 1_500
  return espejo && BUSY.has(espejo.estado) ? 5_000 : false
}

const BUSY: ReadonlySet<string> = new Set(['comprobando', 'en_cola', 'sincronizando', 'retirando'])

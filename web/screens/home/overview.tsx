import { useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { Loaded, PageHead } from '../../ui/page.tsx'
import type { Summary } from './data.ts'
import { Activity } from './parts/activity.tsx'
import { NearLimits } from './parts/near-limits.tsx'
import { Newer } from './parts/newer.tsx'
import { Nodes } from './parts/nodes.tsx'
import { Totals } from './parts/totals.tsx'
import { Certificates, Mirrors } from './parts/troubles.tsx'
import { Work } from './parts/work.tsx'
import { Checklist, HiddenChecklist, isShown } from './setup/checklist.tsx'

const OFTEN_MS = 3_000
const SELDOM_MS = 15_000

/** Whether something goes on that somebody may be waiting for. */
const isBusy = ({ trabajo, correo_prueba }: Summary) =>
  trabajo.en_curso > 0 || (correo_prueba?.estado === 'en_cola' && correo_prueba.error === null)

/** What is to be set up, what needs somebody, and how much there is: one request. */
export default function Overview() {
  const again = (summary: Summary) => (isBusy(summary) ? OFTEN_MS : SELDOM_MS)
  const read = useRead('GET /api/resumen', {}, { again })
  return (
    <>
      <PageHead title={common.overview} wire="GET /api/resumen" />
      <Loaded of={read} lines={8}>
        {(summary) => (
          <div className="stack">
            <Newer release={summary.actualizacion} />
            {isShown(summary) ? <Checklist summary={summary} /> : null}
            <Totals summary={summary} />
            <Nodes nodes={summary.nodos} />
            <div className="halves">
              <Work work={summary.trabajo} />
              <NearLimits near={summary.cerca_del_limite} />
              <Certificates certificates={summary.problemas.certificados} />
              <Mirrors mirrors={summary.problemas.espejo} mirrored={summary.totales.espejo} />
            </div>
            <Activity entries={summary.actividad} />
            <HiddenChecklist summary={summary} />
          </div>
        )}
      </Loaded>
    </>
  )
}

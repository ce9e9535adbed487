import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { dateTime, day, number, relative } from '../../text/format.ts'
import { Meter, RESOURCES, type Resource, toneOf } from '../../ui/meter.tsx'
import { Card, Folded, Loaded } from '../../ui/page.tsx'
import { Glyph, Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Usage = OutputOf<'GET /api/clientes/:cliente/uso'>

/** Every node measures four times an hour. */
const OVERDUE_MS = 3_600_000

/** Use against the plan, with its age and its source; `brief` folds what nobody has to look at now. */
export function UsageCard({ cliente, brief = false }: { cliente: string; brief?: boolean }) {
  const usage = useRead('GET /api/clientes/:cliente/uso', { params: { cliente } })
  return (
    <Card title={texts.use} wire="GET /api/clientes/:cliente/uso">
      <Loaded of={usage} lines={6}>
        {(usage) => (
          <>
            <Meters usage={usage} only={RESOURCES.filter((one) => !brief || isFirst(usage, one))} />
            {brief ? (
              <Folded title={texts.everythingElse}>
                <Meters usage={usage} only={RESOURCES.filter((one) => !isFirst(usage, one))} />
              </Folded>
            ) : null}
            <Refused usage={usage} />
            <Measured usage={usage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

const Meters = ({ usage, only }: { usage: Usage; only: Resource[] }) => (
  <div className="meters">
    {only.map((resource) => (
      <Meter key={resource} resource={resource} use={measured(usage, resource)} />
    ))}
  </div>
)

/** What everybody asks for, and whatever is close to its limit. */
const isFirst = ({ consumo }: Usage, resource: Resource): boolean =>
  FIRST.includes(resource) || toneOf(resource, consumo[resource]) !== 'good'

const FIRST: Resource[] = ['disco_bytes', 'trafico_bytes', 'correos_dia']

/** Disk and files are zero until they are first measured, which is no measurement. */
function measured({ medido, consumo }: Usage, resource: Resource): Usage['consumo'][Resource] {
  const waits = medido === null && (resource === 'disco_bytes' || resource === 'inodos')
  return waits ? { ...consumo[resource], usado: null, porcentaje: null } : consumo[resource]
}

/** What the limits held back lately; nothing is said where nothing was. */
function Refused({ usage: { rechazos, medido } }: { usage: Usage }) {
  if (rechazos === null || medido === null) return null
  const { memoria, procesos, cpu_segundos, desde } = rechazos
  const told = [
    memoria ? `${texts.programsEndedWantMemory} ${number(memoria)}` : null,
    procesos ? `${texts.processesCouldNotBegin} ${number(procesos)}` : null,
    cpu_segundos && cpu_segundos >= 1
      ? `${texts.timeKeptWaitingProcessor} ${number(Math.round(cpu_segundos))} s`
      : null,
  ].filter((line) => line !== null)
  if (told.length === 0) return null
  return (
    <Note tone="warn" title={texts.plansLimitsReached}>
      <ul className="bullets">
        {told.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        {texts.between} {dateTime(desde)} {texts.and} {dateTime(medido)}.
      </p>
    </Note>
  )
}

function Measured({ usage }: { usage: Usage }) {
  const now = session.use()
  // How it is measured is the operator's matter.
  const operator = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <p className="measured">
      {usage.medido === null ? (
        `${texts.notMeasuredYet} `
      ) : (
        <>
          {texts.diskMeasured} <span title={dateTime(usage.medido)}>{relative(usage.medido)}</span>
          {operator
            ? ` ${usage.origen === 'cuota' ? texts.fileSystemsQuota : texts.byWalkingTheFiles}`
            : null}
          {Date.now() - Date.parse(usage.medido) > OVERDUE_MS ? <Overdue /> : null}
          {'. '}
        </>
      )}
      {texts.trafficFrom} {day(usage.periodo.desde)}
      {usage.consumo.cpu_porcentaje.usado === null ? null : ` · ${texts.howProcessorIsMeasured}`}
    </p>
  )
}

function Overdue() {
  return (
    <span className="state tone-warn">
      <Glyph tone="warn" />
      {texts.overdue}
    </span>
  )
}

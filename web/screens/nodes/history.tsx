import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes, dateTime, day, percent, shortDay, weekdayTime } from '../../text/format.ts'
import { Choice } from '../../ui/forms/fields.tsx'
import { Empty, Loaded, Nothing, Waiting } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './texts.ts'

const Plot = lazy(() => import('../../ui/plot.tsx'))

type Told = OutputOf<'GET /api/nodos/:nodo/historial'>
type Step = Told['datos'][number]

const HOUR_MS = 3_600_000
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10)

/** A node's processors, memory, disk and traffic over a period of one's choice. */
export function NodeHistory({ node }: { node: string }) {
  const [span, setSpan] = useState('2')
  const query = { dia_desde: daysAgo(Number(span) - 1), dia_hasta: daysAgo(0) }
  const history = useRead('GET /api/nodos/:nodo/historial', { params: { nodo: node }, query })
  return (
    <div className="stack">
      <div className="inline-choice">
        <Choice
          label={texts.period}
          value={span}
          onChange={setSpan}
          options={['2', '7', '30', '90', '365'].map((value) => ({ value, label: `${value} ${texts.days}` }))}
        />
      </div>
      <Loaded of={history}>
        {(told) =>
          told.datos.length === 0 ? (
            <Empty icon="usage" title={texts.nothingMeasured} />
          ) : (
            <Suspense fallback={<Waiting lines={5} />}>
              <Plots told={told} />
            </Suspense>
          )
        }
      </Loaded>
    </div>
  )
}

/** Every step from the first that was measured to the last, so that equal times are equally wide. */
function everyStep({ cada, datos }: Told): { at: string; step: Step | undefined }[] {
  const known = new Map(datos.map((step) => [Date.parse(step.desde), step]))
  const [first = 0, last = 0] = [datos[0], datos.at(-1)].map((step) => Date.parse(step?.desde ?? ''))
  const width = cada === 'hora' ? HOUR_MS : 24 * HOUR_MS
  return Array.from({ length: (last - first) / width + 1 }, (_, index) => {
    const at = first + index * width
    return { at: new Date(at).toISOString(), step: known.get(at) }
  })
}

const dayOf = (iso: string) => iso.slice(0, 10)
const WORDS = {
  hora: { long: dateTime, short: weekdayTime },
  dia: { long: (iso: string) => day(dayOf(iso)), short: (iso: string) => shortDay(dayOf(iso)) },
}

function Plots({ told }: { told: Told }) {
  const steps = everyStep(told)
  const shared = { days: steps.map(({ at }) => at), words: WORDS[told.cada] }
  const line = (name: string, of: (step: Step) => number | null) => ({
    ...shared,
    title: name,
    kind: 'line' as const,
    series: [{ name, values: steps.map(({ step }) => (step ? of(step) : null)) }],
  })
  const traffic = (of: (step: Step) => number) => steps.map(({ step }) => (step ? of(step) : 0))
  return (
    <div className="plots">
      <Plot {...line(texts.processors, (step) => step.procesador_porcentaje)} format={percent} />
      <Plot {...line(texts.memory, (step) => step.memoria_bytes)} format={bytes} />
      <Plot {...line(common.disk, (step) => step.disco_bytes)} format={bytes} />
      <Plot
        {...shared}
        title={texts.traffic}
        kind="bars"
        series={[
          { name: texts.out, values: traffic((step) => step.trafico_salida_bytes) },
          { name: texts.in, values: traffic((step) => step.trafico_entrada_bytes) },
        ]}
        format={bytes}
      />
      <details className="api-call">
        <summary>{texts.showAsATable}</summary>
        <Measured told={told} />
      </details>
    </div>
  )
}

function Measured({ told: { cada, datos } }: { told: Told }) {
  const orNothing = (value: number | null, show: (value: number) => string) =>
    value === null ? <Nothing /> : show(value)
  return (
    <Table
      label={texts.overTime}
      rows={[...datos].reverse()}
      rowKey={({ desde }) => desde}
      columns={[
        { head: texts.from, cell: ({ desde }) => WORDS[cada].long(desde) },
        { head: texts.processors, end: true, cell: (one) => orNothing(one.procesador_porcentaje, percent) },
        { head: texts.memory, end: true, cell: (one) => orNothing(one.memoria_bytes, bytes) },
        { head: common.disk, end: true, cell: (one) => orNothing(one.disco_bytes, bytes) },
        { head: texts.out, end: true, cell: (one) => bytes(one.trafico_salida_bytes) },
        { head: texts.in, end: true, cell: (one) => bytes(one.trafico_entrada_bytes) },
      ]}
    />
  )
}

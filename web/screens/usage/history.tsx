import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes, day, number } from '../../text/format.ts'
import { Choice } from '../../ui/forms/fields.tsx'
import { Card, Empty, Loaded, Nothing, Waiting } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './texts.ts'

const Plot = lazy(() => import('../../ui/plot.tsx'))

type Day = OutputOf<'GET /api/clientes/:cliente/uso/historial'>['datos'][number]

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The history of use by day: disk as a line, traffic in both directions as bars. */
export default function History({ cliente }: { cliente: string }) {
  const [span, setSpan] = useState('30')
  const query = { dia_desde: daysAgo(Number(span) - 1), dia_hasta: daysAgo(0) }
  const history = useRead('GET /api/clientes/:cliente/uso/historial', { params: { cliente }, query })
  return (
    <Card
      title={texts.history}
      actions={
        <div className="inline-choice">
          <Choice
            label={texts.period}
            value={span}
            onChange={setSpan}
            options={['7', '30', '90', '365'].map((value) => ({
              value,
              label: `${value} ${texts.days}`,
            }))}
          />
        </div>
      }
    >
      <Loaded of={history}>
        {({ datos }) =>
          datos.length === 0 ? (
            <Empty icon="usage" title={texts.nothingMeasuredTheseDays} />
          ) : (
            <Suspense fallback={<Waiting lines={5} />}>
              <Plots days={datos} />
            </Suspense>
          )
        }
      </Loaded>
    </Card>
  )
}

function Plots({ days }: { days: Day[] }) {
  const labels = days.map(({ dia }) => dia)
  return (
    <div className="plots">
      <Plot
        title={common.disk}
        kind="line"
        days={labels}
        series={[{ name: common.disk, values: days.map(({ disco_bytes }) => disco_bytes) }]}
        format={bytes}
      />
      <Plot
        title={texts.traffic}
        kind="bars"
        days={labels}
        series={[
          { name: texts.out, values: days.map(({ trafico_salida_bytes }) => trafico_salida_bytes) },
          {
            name: texts.in,
            values: days.map(({ trafico_entrada_bytes }) => trafico_entrada_bytes),
          },
        ]}
        format={bytes}
      />
      <details className="api-call">
        <summary>{texts.showAsATable}</summary>
        <Table
          label={texts.useByDay}
          rows={[...days].reverse()}
          rowKey={({ dia }) => dia}
          columns={[
            { head: texts.day, cell: ({ dia }) => day(dia) },
            {
              head: common.disk,
              end: true,
              cell: ({ disco_bytes }) => (disco_bytes === null ? <Nothing /> : bytes(disco_bytes)),
            },
            {
              head: texts.files,
              end: true,
              cell: ({ inodos }) => (inodos === null ? <Nothing /> : number(inodos)),
            },
            { head: texts.out, end: true, cell: (one) => bytes(one.trafico_salida_bytes) },
            { head: texts.in, end: true, cell: (one) => bytes(one.trafico_entrada_bytes) },
          ]}
        />
      </details>
    </div>
  )
}

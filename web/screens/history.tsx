import { lazy, Suspense, useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { bytes, day, number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Choice } from '../ui/fields.tsx'
import { Card, Empty, Loaded, Nothing, Waiting } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'

const Plot = lazy(() => import('../ui/plot.tsx'))

type Day = OutputOf<'GET /api/clientes/:cliente/uso/historial'>['datos'][number]

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The history of use by day: disk as a line, traffic in both directions as bars. */
export default function History({ cliente }: { cliente: string }) {
  const [span, setSpan] = useState('30')
  const query = { dia_desde: daysAgo(Number(span) - 1), dia_hasta: daysAgo(0) }
  const history = useRead('GET /api/clientes/:cliente/uso/historial', { params: { cliente }, query })
  return (
    <Card
      title={t('History', 'Historial')}
      actions={
        <div className="inline-choice">
          <Choice
            label={t('Period', 'Periodo')}
            value={span}
            onChange={setSpan}
            options={['7', '30', '90', '365'].map((value) => ({
              value,
              label: `${value} ${t('days', 'días')}`,
            }))}
          />
        </div>
      }
    >
      <Loaded of={history}>
        {({ datos }) =>
          datos.length === 0 ? (
            <Empty
              icon="usage"
              title={t('Nothing was measured in these days.', 'No se midió nada en estos días.')}
            />
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
        title={t('Disk', 'Disco')}
        kind="line"
        days={labels}
        series={[{ name: t('Disk', 'Disco'), values: days.map(({ disco_bytes }) => disco_bytes) }]}
        format={bytes}
      />
      <Plot
        title={t('Traffic', 'Tráfico')}
        kind="bars"
        days={labels}
        series={[
          { name: t('Out', 'Salida'), values: days.map(({ trafico_salida_bytes }) => trafico_salida_bytes) },
          {
            name: t('In', 'Entrada'),
            values: days.map(({ trafico_entrada_bytes }) => trafico_entrada_bytes),
          },
        ]}
        format={bytes}
      />
      <details className="api-call">
        <summary>{t('Show as a table', 'Ver como tabla')}</summary>
        <Table
          label={t('Use by day', 'Uso por día')}
          rows={[...days].reverse()}
          rowKey={({ dia }) => dia}
          columns={[
            { head: t('Day', 'Día'), cell: ({ dia }) => day(dia) },
            {
              head: t('Disk', 'Disco'),
              end: true,
              cell: ({ disco_bytes }) => (disco_bytes === null ? <Nothing /> : bytes(disco_bytes)),
            },
            {
              head: t('Files', 'Archivos'),
              end: true,
              cell: ({ inodos }) => (inodos === null ? <Nothing /> : number(inodos)),
            },
            { head: t('Out', 'Salida'), end: true, cell: (one) => bytes(one.trafico_salida_bytes) },
            { head: t('In', 'Entrada'), end: true, cell: (one) => bytes(one.trafico_entrada_bytes) },
          ]}
        />
      </details>
    </div>
  )
}

import { lazy, Suspense } from 'react'
import { useRead } from '../../api/hooks.ts'
import { bytes, dateTime, number, weekdayTime } from '../../text/format.ts'
import { Card, Loaded, Waiting } from '../../ui/page.tsx'
import { texts } from './texts.ts'

const Plot = lazy(() => import('../../ui/plot.tsx'))

const IN_WORDS = { long: dateTime, short: weekdayTime }

/** Visits, errors and bytes of each of the last forty-eight hours. */
export function Hours({ domain }: { domain: string }) {
  const counts = useRead('GET /api/sitios/:domain/bitacora/horas', {
    params: { domain },
    query: { horas: '48' },
  })
  return (
    <Card title={texts.lastTwoDays}>
      <Loaded of={counts}>
        {({ datos }) => {
          const hours = datos.map(({ hora }) => hora)
          const shared = { kind: 'bars' as const, days: hours, words: IN_WORDS }
          const series = (name: string, values: number[]) => [{ name, values }]
          return (
            <Suspense fallback={<Waiting lines={5} />}>
              <div className="plots log-plots">
                <Plot
                  {...shared}
                  title={texts.visits}
                  series={series(
                    texts.visits,
                    datos.map(({ visitas }) => visitas),
                  )}
                  format={number}
                />
                <Plot
                  {...shared}
                  title={texts.sent}
                  series={series(
                    texts.sent,
                    datos.map((one) => one.bytes),
                  )}
                  format={bytes}
                />
                <Plot
                  {...shared}
                  title={texts.errors}
                  series={series(
                    texts.errors,
                    datos.map(({ errores }) => errores),
                  )}
                  format={number}
                />
              </div>
            </Suspense>
          )
        }}
      </Loaded>
    </Card>
  )
}

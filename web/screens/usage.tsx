import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { dateTime, day, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Meter, RESOURCES } from '../ui/meter.tsx'
import { Card, Loaded } from '../ui/page.tsx'
import { Glyph } from '../ui/state.tsx'

type Usage = OutputOf<'GET /api/clientes/:cliente/uso'>

/** Every node measures four times an hour. */
const OVERDUE_MS = 3_600_000

/** Use against the plan, with its age and its source. */
export function UsageCard({ cliente }: { cliente: string }) {
  const usage = useRead('GET /api/clientes/:cliente/uso', { params: { cliente } })
  return (
    <Card title={t('Use', 'Uso')} wire="GET /api/clientes/:cliente/uso">
      <Loaded of={usage} lines={6}>
        {(usage) => (
          <>
            <div className="meters">
              {RESOURCES.map((resource) => (
                <Meter key={resource} resource={resource} use={usage.consumo[resource]} />
              ))}
            </div>
            <Measured usage={usage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Measured({ usage }: { usage: Usage }) {
  return (
    <p className="measured">
      {usage.medido === null ? (
        t(
          'Disk and files have not been measured yet: the zeros above are not a measurement.',
          'Disco y archivos aún no se han medido: los ceros de arriba no son una medida.',
        )
      ) : (
        <>
          {t('Disk measured', 'Disco medido')}{' '}
          <span title={dateTime(usage.medido)}>{relative(usage.medido)}</span>{' '}
          {usage.origen === 'cuota'
            ? t("by the file system's quota", 'por la cuota del sistema de archivos')
            : t('by walking the files', 'recorriendo los archivos')}
          {Date.now() - Date.parse(usage.medido) > OVERDUE_MS ? <Overdue /> : null}
        </>
      )}
      {' · '}
      {t('traffic from', 'tráfico desde el')} {day(usage.periodo.desde)}
    </p>
  )
}

function Overdue() {
  return (
    <span className="state tone-warn">
      <Glyph tone="warn" />
      {t('Overdue', 'Con retraso')}
    </span>
  )
}

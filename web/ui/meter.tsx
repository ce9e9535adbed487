import type { OutputOf } from '../api/operations.ts'
import { common } from '../text/common.ts'
import { bytes, number, percent } from '../text/format.ts'
import { resourceName } from '../text/states.ts'
import { Glyph } from './state.tsx'
import { texts } from './texts.ts'

type Usage = OutputOf<'GET /api/clientes/:cliente/uso'>
export type Resource = keyof Usage['consumo']
type Consumption = Usage['consumo'][Resource]

const TONE = { bien: 'good', aviso: 'warn', superado: 'bad' } as const

export const RESOURCES: Resource[] = [
  'disco_bytes',
  'inodos',
  'trafico_bytes',
  'sitios',
  'aliases',
  'zonas',
  'cpu_porcentaje',
  'memoria_bytes',
  'procesos',
  'cuentas_sftp',
  'bases',
  'bases_bytes',
  'programadas',
  'correos_dia',
]

/** An amount of a resource: bytes as bytes, parts of a processor as percent, counts as numbers. */
export const amount = (resource: string, value: number): string =>
  resource.endsWith('_bytes') ? bytes(value) : resource === 'cpu_porcentaje' ? percent(value) : number(value)

/** Use against a limit, as a bar and in words. */
export function Meter({ resource, use }: { resource: Resource; use: Consumption }) {
  const name = resourceName(resource)
  const used = use.usado === null ? texts.notMeasured : amount(resource, use.usado)
  const limit = use.limite === null ? common.noLimit : amount(resource, use.limite)
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{name}</span>
        <Level resource={resource} use={use} />
      </div>
      <p className="meter-value">
        <b>{used}</b>{' '}
        <span>
          {use.limite === null ? `· ${limit}` : `${common.of} ${limit}`}
          {use.porcentaje === null ? '' : ` · ${percent(use.porcentaje)}`}
        </span>
      </p>
      <Bar share={use.porcentaje === null ? null : use.porcentaje / 100} tone={toneOf(resource, use)} />
    </div>
  )
}

/** Sites and the like that are all taken are as sold: only what grows by itself is warned about. */
export const toneOf = (resource: Resource, use: Pick<Consumption, 'nivel'>) =>
  !GROWING.includes(resource) && use.nivel === 'aviso' ? 'good' : TONE[use.nivel]

const GROWING: Resource[] = [
  'disco_bytes',
  'inodos',
  'trafico_bytes',
  'cpu_porcentaje',
  'memoria_bytes',
  'procesos',
  'bases_bytes',
  'correos_dia',
]

function Level({ resource, use }: { resource: Resource; use: Consumption }) {
  const tone = toneOf(resource, use)
  if (tone === 'good') return null
  return (
    <span className={`state tone-${tone}`}>
      <Glyph tone={tone} />
      {tone === 'bad'
        ? over(resource)
        : resource === 'cpu_porcentaje'
          ? texts.nearItsLimit
          : common.almostFull}
    </span>
  )
}

/** What the kernel holds back never gets over its limit. */
const over = (resource: Resource): string =>
  ['cpu_porcentaje', 'memoria_bytes', 'procesos'].includes(resource) ? texts.atItsLimit : texts.overItsLimit

type BarProps = { share: number | null; tone: 'good' | 'warn' | 'bad'; progress?: boolean }

/**
 * A bar between nothing and full; without a limit it is a dotted line. Its words stand beside it. Where what fills it
 * is work and no use, there is no mark of what is almost full.
 */
export function Bar({ share, tone, progress = false }: BarProps) {
  if (share === null) return <div className="bar bar-open" aria-hidden="true" />
  return (
    <svg className={`bar tone-${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-track" width="100" height="6" />
      <rect
        className="bar-fill"
        width={Math.min(100, Math.max(share > 0 ? 0.8 : 0, share * 100))}
        height="6"
      />
      {progress ? null : <rect className="bar-mark" x="80" width="0.4" height="6" />}
    </svg>
  )
}

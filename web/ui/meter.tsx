import type { OutputOf } from '../api/operations.ts'
import { bytes, number, percent } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { resourceName } from '../i18n/states.ts'
import { Glyph } from './state.tsx'

type Usage = OutputOf<'GET /api/clientes/:cliente/uso'>
export type Resource = keyof Usage['consumo']
type Consumption = Usage['consumo'][Resource]

const TONE = { bien: 'good', aviso: 'warn', superado: 'bad' } as const

export const RESOURCES: Resource[] = ['disco_bytes', 'inodos', 'trafico_bytes', 'sitios', 'aliases', 'zonas']

/** An amount of a resource: bytes as bytes, counts as numbers. */
export const amount = (resource: string, value: number): string =>
  resource.endsWith('_bytes') ? bytes(value) : number(value)

/** Use against a limit, as a bar and in words. */
export function Meter({ resource, use }: { resource: Resource; use: Consumption }) {
  const name = resourceName(resource)
  const used = amount(resource, use.usado)
  const limit = use.limite === null ? t('no limit', 'sin límite') : amount(resource, use.limite)
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{name}</span>
        <Level resource={resource} use={use} />
      </div>
      <p className="meter-value">
        <b>{used}</b>{' '}
        <span>
          {use.limite === null ? `· ${limit}` : `${t('of', 'de')} ${limit}`}
          {use.porcentaje === null ? '' : ` · ${percent(use.porcentaje)}`}
        </span>
      </p>
      <Bar share={use.porcentaje === null ? null : use.porcentaje / 100} tone={toneOf(resource, use)} />
    </div>
  )
}

/** Sites and the like that are all taken are as sold: only what grows by itself is warned about. */
const toneOf = (resource: Resource, use: Consumption) =>
  !GROWING.includes(resource) && use.nivel === 'aviso' ? 'good' : TONE[use.nivel]

const GROWING: Resource[] = ['disco_bytes', 'inodos', 'trafico_bytes']

function Level({ resource, use }: { resource: Resource; use: Consumption }) {
  const tone = toneOf(resource, use)
  if (tone === 'good') return null
  return (
    <span className={`state tone-${tone}`}>
      <Glyph tone={tone} />
      {tone === 'warn' ? t('Almost full', 'Casi lleno') : t('Over its limit', 'Límite superado')}
    </span>
  )
}

/** A bar between nothing and full; without a limit it is a dotted line. Its words stand beside it. */
export function Bar({ share, tone }: { share: number | null; tone: 'good' | 'warn' | 'bad' }) {
  if (share === null) return <div className="bar bar-open" aria-hidden="true" />
  return (
    <svg className={`bar tone-${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-track" width="100" height="6" />
      <rect
        className="bar-fill"
        width={Math.min(100, Math.max(share > 0 ? 0.8 : 0, share * 100))}
        height="6"
      />
      <rect className="bar-mark" x="80" width="0.4" height="6" />
    </svg>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { readAll, usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { clientPath, sitePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { bytes, counted, daysUntil, number, relative } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import { jobWords } from '../../text/tasks.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, PageHead, Waiting } from '../../ui/page.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { serviceName, waitingWords } from '../nodes/services.ts'
import { texts } from './texts.ts'

/** Sums read at most this many pages of 200; beyond, the numbers say that they are of the first ones. */
const MOST_PAGES = 5
const SOON_DAYS = 21

/** What needs somebody, first; then how much there is. */
export default function Overview() {
  return (
    <>
      <PageHead title={common.overview} />
      <div className="stack">
        <Totals />
        <div className="halves">
          <Services />
          <FailedJobs />
          <Certificates />
          <Mirrors />
          <NearLimits />
        </div>
      </div>
    </>
  )
}

function useUsage() {
  return useQuery<{ rows: ItemOf<'GET /api/uso'>[]; complete: boolean }, ApiError>({
    queryKey: ['GET /api/uso', 'all'],
    queryFn: ({ signal }) => readAll('GET /api/uso', { most: MOST_PAGES, signal }),
    staleTime: 30_000,
  })
}

function Totals() {
  const usage = useUsage()
  if (usage.error) return <ErrorNote error={asApiError(usage.error)} retry={() => void usage.refetch()} />
  if (!usage.data) return <Waiting lines={2} />
  const { rows, complete } = usage.data
  const sum = (resource: 'sitios' | 'disco_bytes' | 'trafico_bytes' | 'zonas') =>
    rows.reduce((total, { consumo }) => total + consumo[resource].usado, 0)
  const tiles: [string, string, string][] = [
    [common.clients, number(rows.length), '/panel/clientes'],
    [common.sites, number(sum('sitios')), '/panel/sitios'],
    [common.zones, number(sum('zonas')), '/panel/zonas'],
    [texts.space, bytes(sum('disco_bytes')), '/panel/nodos'],
    [texts.trafficThisMonth, bytes(sum('trafico_bytes')), '/panel/clientes'],
  ]
  return (
    <div>
      <dl className="tiles">
        {tiles.map(([name, value, href]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Link href={href}>
                {complete ? '' : '≥ '}
                {value}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      {complete ? null : (
        <p className="small faint">
          {texts.sumsOfFirst} {number(rows.length)} {texts.clients}.
        </p>
      )}
    </div>
  )
}

/** A list of what is wrong; empty, it says that nothing is. */
function Watch({
  title,
  wire,
  loading,
  error,
  items,
  fine,
  more,
}: {
  title: string
  wire: string
  loading: boolean
  error: ApiError | null
  items: { key: string; content: ReactNode }[]
  fine: string
  more?: ReactNode
}) {
  const shown = items.slice(0, 6)
  return (
    <Card title={title} wire={wire}>
      {error ? <ErrorNote error={error} /> : null}
      {loading ? <Waiting lines={2} /> : null}
      {!loading && !error && items.length === 0 ? (
        <p className="state tone-good">
          <Glyph tone="good" />
          {fine}
        </p>
      ) : null}
      <ul className="watch">
        {shown.map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
      </ul>
      {items.length > shown.length || more ? (
        <p className="small faint">
          {items.length > shown.length ? `+${number(items.length - shown.length)} ` : ''}
          {more}
        </p>
      ) : null}
    </Card>
  )
}

function Services() {
  const nodes = usePages('GET /api/nodos', {}, { again: () => 15_000 })
  const items = nodes.rows.flatMap((node) => [
    ...(node.estado === 'ausente'
      ? [
          {
            key: node.nodo,
            down: true,
            content: (
              <>
                <State state="ausente" label={`${node.nodo}: ${stateWords('ausente').label}`} />
                <span className="sub">
                  {relative(node.visto)}. {waitingWords(node)}
                </span>
              </>
            ),
          },
        ]
      : []),
    ...node.servicios
      // What runs and has advice will need somebody: a disk that fills, or that one client can fill.
      .filter(({ estado, consejo }) => estado === 'parado' || consejo !== null)
      .map(({ servicio, estado, consejo }) => ({
        key: `${node.nodo}-${servicio}`,
        down: estado === 'parado',
        content: (
          <>
            <span className={`state tone-${estado === 'parado' ? 'bad' : 'warn'}`}>
              <Glyph tone={estado === 'parado' ? 'bad' : 'warn'} />
              {`${serviceName(servicio)} · ${node.nodo}`}
            </span>
            {consejo ? <span className="sub">{consejo}</span> : null}
          </>
        ),
      })),
  ])
  return (
    <Watch
      title={common.services}
      wire="GET /api/nodos"
      loading={nodes.loading}
      error={nodes.error}
      // Few are shown: what is down comes first.
      items={items.sort((a, b) => Number(b.down) - Number(a.down))}
      fine={texts.allServicesRun}
      more={<Link href="/panel/nodos">{common.nodeAndServices}</Link>}
    />
  )
}

function FailedJobs() {
  const jobs = usePages('GET /api/tareas', { query: { estado: 'fallida' } }, { again: () => 15_000 })
  return (
    <Watch
      title={common.failedJobs}
      wire="GET /api/tareas"
      loading={jobs.loading}
      error={jobs.error}
      items={jobs.rows.map(({ id, tipo, cliente, error }) => ({
        key: id,
        content: (
          <>
            <State state="fallida" label={[jobWords(tipo), cliente].filter(Boolean).join(' · ')} />
            {error ? <span className="sub">{error}</span> : null}
          </>
        ),
      }))}
      fine={texts.noJobHasFailed}
      more={
        jobs.rows.length > 0 ? <Link href="/panel/tareas?estado=fallida">{texts.seeAndRetry}</Link> : null
      }
    />
  )
}

function Certificates() {
  const sites = useQuery<{ rows: ItemOf<'GET /api/sitios'>[]; complete: boolean }, ApiError>({
    queryKey: ['GET /api/sitios', 'all'],
    queryFn: ({ signal }) => readAll('GET /api/sitios', { most: MOST_PAGES, signal }),
    staleTime: 60_000,
  })
  const rows = sites.data?.rows ?? []
  const troubled = rows.filter(
    ({ https }) =>
      https.estado === 'error' ||
      (https.estado === 'activo' && https.caduca !== null && daysUntil(https.caduca) < SOON_DAYS),
  )
  const selfSigned = rows.filter(({ https }) => https.estado === 'autofirmado').length
  return (
    <Watch
      title={texts.certificates}
      wire="GET /api/sitios"
      loading={sites.isPending}
      error={sites.error}
      items={troubled.map(({ domain, https }) => ({
        key: domain,
        content: (
          <>
            <Link className="mono" href={sitePath(domain)}>
              {domain}
            </Link>
            <span className="sub">{https.error ?? (https.caduca ? relative(https.caduca) : '')}</span>
          </>
        ),
      }))}
      fine={
        sites.data?.complete === false
          ? `${texts.noneOfTheFirst} ${number(rows.length)} ${texts.endsSoon}`
          : texts.noneEndsSoon
      }
      more={selfSigned > 0 ? counted(selfSigned, texts.siteOnlySelfSigned, texts.sitesOnlySelfSigned) : null}
    />
  )
}

function Mirrors() {
  const mirrors = useQuery<{ rows: ItemOf<'GET /api/espejo'>[]; complete: boolean }, ApiError>({
    queryKey: ['GET /api/espejo', 'all'],
    queryFn: ({ signal }) => readAll('GET /api/espejo', { most: MOST_PAGES, signal }),
    staleTime: 15_000,
  })
  const rows = mirrors.data?.rows ?? []
  const troubled = rows.filter(({ estado }) =>
    ['error', 'conflicto', 'perdida', 'sin_cuota'].includes(estado),
  )
  const current = rows.filter(({ estado }) => estado === 'al_dia').length
  return (
    <Watch
      title={texts.dnsMirror}
      wire="GET /api/espejo"
      loading={mirrors.isPending}
      error={mirrors.error}
      items={troubled.map(({ zona, estado, error }) => ({
        key: zona,
        content: (
          <>
            <State state={estado} label={`${zona} · ${stateWords(estado).label}`} />
            {error ? <span className="sub">{error}</span> : null}
          </>
        ),
      }))}
      fine={
        rows.length === 0
          ? texts.noZoneIsMirrored
          : `${number(current)} ${common.of} ${number(rows.length)} ${texts.upToDate}`
      }
      more={<Link href="/panel/espejo">{common.providerAndMirror}</Link>}
    />
  )
}

/** Clients at a limit of their plan, or near one. */
function NearLimits() {
  const usage = useUsage()
  const near = (usage.data?.rows ?? []).filter(({ consumo }) =>
    (['disco_bytes', 'inodos', 'trafico_bytes'] as const).some(
      (resource) => consumo[resource].nivel !== 'bien',
    ),
  )
  return (
    <Watch
      title={texts.clientsNearALimit}
      wire="GET /api/uso"
      loading={usage.isPending}
      error={usage.error}
      items={near.map(({ cliente, plan }) => ({
        key: cliente,
        content: (
          <>
            <Link className="mono" href={clientPath(cliente)}>
              {cliente}
            </Link>
            <span className="sub">{plan}</span>
          </>
        ),
      }))}
      fine={texts.noClientNearLimit}
    />
  )
}

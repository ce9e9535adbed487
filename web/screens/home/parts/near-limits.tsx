import { Link } from 'wouter'
import { clientPath } from '../../../links.ts'
import { common } from '../../../text/common.ts'
import { number, percent } from '../../../text/format.ts'
import { resourceName } from '../../../text/states.ts'
import { amount, Bar, RESOURCES, toneOf } from '../../../ui/meter.tsx'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'
import { Watch } from './watch.tsx'

type Near = Summary['cerca_del_limite']

const MOST = 6

/** Clients at a limit of their plan, or near one, with what is running out. */
export function NearLimits({ near: { total, clientes } }: { near: Near }) {
  return (
    <div id="cerca-del-limite">
      <Watch
        title={texts.clientsNearALimit}
        items={clientes.slice(0, MOST).map((use) => ({
          key: use.cliente,
          content: (
            <>
              <Link className="mono" href={clientPath(use.cliente)}>
                {use.cliente}
              </Link>
              {use.plan ? <span className="sub">{use.plan}</span> : null}
              <Fullest use={use} />
            </>
          ),
        }))}
        fine={texts.noClientNearLimit}
        more={
          total > MOST ? (
            <span className="faint">
              +{number(total - MOST)} {common.of} {number(total)}
            </span>
          ) : null
        }
      />
    </div>
  )
}

/** What has the least room left. Sites and the like that are all taken are as sold. */
function Fullest({ use: { consumo } }: { use: Near['clientes'][number] }) {
  const [fullest] = RESOURCES.filter((resource) => /bytes|inodos/.test(resource))
    .map((resource) => ({ resource, ...consumo[resource] }))
    .sort((a, b) => (b.porcentaje ?? 0) - (a.porcentaje ?? 0))
  if (!fullest || fullest.porcentaje === null || fullest.usado === null || fullest.limite === null)
    return null
  const { resource, usado, limite, porcentaje } = fullest
  const tone = toneOf(resource, fullest)
  return (
    <div className="meter">
      <div className="meter-head">
        <span className={tone === 'good' ? 'meter-name' : `state tone-${tone}`}>
          {tone === 'good' ? null : <Glyph tone={tone} />}
          {resourceName(resource)}
        </span>
        <span>
          {amount(resource, usado)} {common.of} {amount(resource, limite)} · {percent(porcentaje)}
        </span>
      </div>
      <Bar share={porcentaje / 100} tone={tone} />
    </div>
  )
}

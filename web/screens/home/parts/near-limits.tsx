import { Link } from 'wouter'
import { clientPath } from '../../../links.ts'
import { common } from '../../../text/common.ts'
import { number, percent } from '../../../text/format.ts'
import { resourceName } from '../../../text/states.ts'
import { amount, Bar, RESOURCES } from '../../../ui/meter.tsx'
import { Card } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

type Near = Summary['cerca_del_limite']

/** Clients at a limit of their plan, or near one, with what is running out. */
export function NearLimits({ near: { total, clientes } }: { near: Near }) {
  return (
    <div id="cerca-del-limite">
      <Card title={texts.clientsNearALimit}>
        {clientes.length === 0 ? (
          <p className="state tone-good">
            <Glyph tone="good" />
            {texts.noClientNearLimit}
          </p>
        ) : null}
        <ul className="watch">
          {clientes.slice(0, 6).map((use) => (
            <li key={use.cliente}>
              <Link className="mono" href={clientPath(use.cliente)}>
                {use.cliente}
              </Link>
              {use.plan ? <span className="sub">{use.plan}</span> : null}
              <Fullest use={use} />
            </li>
          ))}
        </ul>
        {total > 6 ? (
          <p className="small faint">
            +{number(total - 6)} {common.of} {number(total)}
          </p>
        ) : null}
      </Card>
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
  const { resource, usado, limite, porcentaje, nivel } = fullest
  const tone = nivel === 'superado' ? 'bad' : nivel === 'aviso' ? 'warn' : 'good'
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

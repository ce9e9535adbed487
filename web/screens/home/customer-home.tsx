import { lazy, Suspense } from 'react'
import { useRead } from '../../api/hooks.ts'
import { dateTime } from '../../text/format.ts'
import { Card, Loaded, PageHead, Waiting } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { ClientData } from '../clients/data.ts'
import { PlanLimits } from '../plans/plan-limits.tsx'
import { UsageCard } from '../usage/card.tsx'
import { texts } from './texts.ts'

const History = lazy(() => import('../usage/history.tsx'))

/** A customer's first screen; suspended, its only one: why, and its use. */
export default function CustomerHome() {
  const me = useRead('GET /api/yo', {})
  return <Loaded of={me}>{(me) => (me.cliente ? <Home cliente={me.cliente} /> : null)}</Loaded>
}

function Home({ cliente }: { cliente: string }) {
  const client = useRead('GET /api/clientes/:cliente', { params: { cliente } }, { again: () => 60_000 })
  return (
    <Loaded of={client}>
      {(client) => (
        <>
          <PageHead
            title={client.nombre ?? client.cliente}
            wire="GET /api/clientes/:cliente/uso"
            lead={
              <span className="head-line">
                <State state={client.estado} />
                <code>{client.cliente}</code>
              </span>
            }
          />
          {client.estado === 'suspendido' ? <Suspended client={client} /> : null}
          <div className={client.estado === 'activo' ? 'columns' : 'stack'}>
            <div className="stack">
              <UsageCard cliente={cliente} />
              <Suspense fallback={<Waiting />}>
                <History cliente={cliente} />
              </Suspense>
            </div>
            {client.estado === 'activo' ? <OwnPlan name={client.plan} /> : null}
          </div>
        </>
      )}
    </Loaded>
  )
}

function Suspended({ client }: { client: ClientData }) {
  return (
    <div className="head-note">
      <Note tone="warn" title={texts.yourAccountIsSuspended}>
        <p>{client.motivo ?? texts.noReasonWasGiven}</p>
        <p className="small">
          {client.suspendido_desde ? `${texts.since} ${dateTime(client.suspendido_desde)}. ` : ''}
          {texts.whatSuspendedMeans}
        </p>
      </Note>
    </div>
  )
}

function OwnPlan({ name }: { name: string | null }) {
  const plan = useRead('GET /api/planes/:plan', { params: { plan: name ?? '' } }, { enabled: name !== null })
  return (
    <Card title={texts.yourPlan}>
      {name === null ? (
        <p>{texts.noPlanNoLimits}</p>
      ) : (
        <>
          <p className="strong plan-name">{name}</p>
          <Loaded of={plan}>{(plan) => <PlanLimits plan={plan} />}</Loaded>
        </>
      )}
    </Card>
  )
}

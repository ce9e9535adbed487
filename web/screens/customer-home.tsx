import { lazy, Suspense } from 'react'
import { useRead } from '../api/hooks.ts'
import { dateTime } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Card, Loaded, PageHead, Waiting } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import type { ClientData } from './client.tsx'
import { PlanLimits } from './client-plan.tsx'
import { UsageCard } from './usage.tsx'

const History = lazy(() => import('./history.tsx'))

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
      <Note tone="warn" title={t('Your account is suspended', 'Su cuenta está suspendida')}>
        <p>{client.motivo ?? t('No reason was given.', 'No se indicó ningún motivo.')}</p>
        <p className="small">
          {client.suspendido_desde ? `${t('Since', 'Desde el')} ${dateTime(client.suspendido_desde)}. ` : ''}
          {t(
            'Your sites answer that they are not available; nothing was deleted, and your DNS and mail records go on. Your provider can lift it.',
            'Sus sitios responden que no están disponibles; no se ha borrado nada, y su DNS sigue. Su proveedor puede levantarla.',
          )}
        </p>
      </Note>
    </div>
  )
}

function OwnPlan({ name }: { name: string | null }) {
  const plan = useRead('GET /api/planes/:plan', { params: { plan: name ?? '' } }, { enabled: name !== null })
  return (
    <Card title={t('Your plan', 'Su plan')}>
      {name === null ? (
        <p>{t('No plan: no limits.', 'Sin plan: sin límites.')}</p>
      ) : (
        <>
          <p className="strong plan-name">{name}</p>
          <Loaded of={plan}>{(plan) => <PlanLimits plan={plan} />}</Loaded>
        </>
      )}
    </Card>
  )
}

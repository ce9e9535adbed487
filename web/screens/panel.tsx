import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { useRead } from '../api/hooks.ts'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { Loaded, PageHead, Waiting } from '../ui/page.tsx'
import { Shell } from './shell.tsx'

const Overview = lazy(() => import('./overview.tsx'))
const Clients = lazy(() => import('./clients.tsx'))
const NewClient = lazy(() => import('./new-client.tsx'))
const Client = lazy(() => import('./client.tsx'))
const Sites = lazy(() => import('./sites.tsx'))
const Site = lazy(() => import('./site.tsx'))
const Plans = lazy(() => import('./plans.tsx'))
const Zones = lazy(() => import('./zones/list.tsx'))
const Zone = lazy(() => import('./zones/zone.tsx'))
const Mirror = lazy(() => import('./mirror/provider.tsx'))
const MirroredZone = lazy(() => import('./mirror/zone.tsx'))
const Tokens = lazy(() => import('./tokens/list.tsx'))
const Persons = lazy(() => import('./persons/list.tsx'))
const Audit = lazy(() => import('./audit/list.tsx'))
const Jobs = lazy(() => import('./jobs/list.tsx'))
const Nodes = lazy(() => import('./nodes/list.tsx'))
const Account = lazy(() => import('./account/account.tsx'))
const CustomerHome = lazy(() => import('./customer-home.tsx'))

/** Everything inside, by who is signed in. */
export default function Panel() {
  const now = session.use()
  if (now.kind !== 'in') return null
  const customer = now.person.rol === 'client'
  return (
    <Shell customer={customer} key={now.person.cliente ?? ''}>
      <Suspense fallback={<Waiting />}>{customer ? <CustomerRoutes /> : <AdminRoutes />}</Suspense>
    </Shell>
  )
}

function AdminRoutes() {
  return (
    <Switch>
      <Route path="/panel" component={Overview} />
      <Route path="/panel/clientes" component={Clients} />
      <Route path="/panel/clientes/nuevo" component={NewClient} />
      <Route path="/panel/clientes/:cliente/:tab?">
        {({ cliente, tab }) => <Client key={cliente} name={cliente} tab={tab ?? 'resumen'} />}
      </Route>
      <Route path="/panel/sitios" component={Sites} />
      <Route path="/panel/sitios/:domain/detalle">
        {({ domain }) => <Site key={domain} domain={domain} />}
      </Route>
      <Route path="/panel/planes" component={Plans} />
      <Route path="/panel/zonas" component={Zones} />
      <Route path="/panel/zonas/:zona/:tab?">
        {({ zona, tab }) => <Zone key={zona} name={zona} tab={tab ?? 'registros'} />}
      </Route>
      <Route path="/panel/espejo" component={Mirror} />
      <Route path="/panel/espejo/:zona/detalle">
        {({ zona }) => <MirroredZone key={zona} name={zona} />}
      </Route>
      <Route path="/panel/tokens" component={Tokens} />
      <Route path="/panel/personas" component={Persons} />
      <Route path="/panel/auditoria" component={Audit} />
      <Route path="/panel/tareas" component={Jobs} />
      <Route path="/panel/nodos" component={Nodes} />
      <Route path="/panel/cuenta" component={Account} />
      <Route component={Missing} />
    </Switch>
  )
}

/** A suspended customer is told why, and its use; nothing else is answered (contract section 4.8). */
function CustomerRoutes() {
  const me = useRead('GET /api/yo', {})
  return (
    <Loaded of={me}>
      {(me) =>
        me.estado_cliente !== 'activo' ? (
          <CustomerHome />
        ) : (
          <Switch>
            <Route path="/panel" component={CustomerHome} />
            <Route path="/panel/sitios" component={Sites} />
            <Route path="/panel/sitios/:domain/detalle">
              {({ domain }) => <Site key={domain} domain={domain} />}
            </Route>
            <Route path="/panel/zonas" component={Zones} />
            <Route path="/panel/zonas/:zona/:tab?">
              {({ zona, tab }) => <Zone key={zona} name={zona} tab={tab ?? 'registros'} />}
            </Route>
            <Route path="/panel/cuenta" component={Account} />
            <Route component={Missing} />
          </Switch>
        )
      }
    </Loaded>
  )
}

function Missing() {
  return (
    <PageHead
      title={t('There is no such page', 'Esa página no existe')}
      lead={t(
        'The address may be old. The menu leads on.',
        'La dirección puede ser antigua. El menú lleva adelante.',
      )}
    />
  )
}

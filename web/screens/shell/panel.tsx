import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { session } from '../../api/session.ts'
import { sitePath } from '../../links.ts'
import { LeaveGuard } from '../../ui/leave/guard.tsx'
import { Loaded, PageHead, Waiting } from '../../ui/page.tsx'
import { SignInAgain } from '../sign-in/sign-in-again.tsx'
import { fetchAhead } from './ahead.ts'
import { Shell } from './shell.tsx'
import { texts } from './texts.ts'

/** Each screen is a chunk of its own, fetched when it is first shown or when there is time before. */
const screens = {
  Overview: () => import('../home/overview.tsx'),
  Clients: () => import('../clients/list.tsx'),
  NewClient: () => import('../clients/new-client.tsx'),
  Client: () => import('../clients/client.tsx'),
  Sites: () => import('../sites/list.tsx'),
  Site: () => import('../sites/site.tsx'),
  SiteSettings: () => import('../sites/settings/settings.tsx'),
  Files: () => import('../files/screen.tsx'),
  Logs: () => import('../logs/logs.tsx'),
  OwnSftp: () => import('../sftp/accounts.tsx'),
  OwnCopies: () => import('../backups/copies.tsx'),
  Bin: () => import('../bin/list.tsx'),
  Plans: () => import('../plans/list.tsx'),
  Databases: () => import('../databases/list.tsx'),
  Zones: () => import('../zones/list.tsx'),
  Zone: () => import('../zones/zone.tsx'),
  Mirror: () => import('../mirror/provider.tsx'),
  MirroredZone: () => import('../mirror/zone.tsx'),
  Tokens: () => import('../tokens/list.tsx'),
  Webhooks: () => import('../webhooks/list.tsx'),
  Webhook: () => import('../webhooks/webhook.tsx'),
  Persons: () => import('../persons/list.tsx'),
  Appearance: () => import('../appearance/screen.tsx'),
  Audit: () => import('../audit/list.tsx'),
  Jobs: () => import('../jobs/list.tsx'),
  Import: () => import('../imports/import.tsx'),
  Nodes: () => import('../nodes/list.tsx'),
  Account: () => import('../account/account.tsx'),
  CustomerHome: () => import('../home/customer/home.tsx'),
}

const Overview = lazy(screens.Overview)
const Clients = lazy(screens.Clients)
const NewClient = lazy(screens.NewClient)
const Client = lazy(screens.Client)
const Sites = lazy(screens.Sites)
const Site = lazy(screens.Site)
const SiteSettings = lazy(screens.SiteSettings)
const Files = lazy(screens.Files)
const Logs = lazy(screens.Logs)
const OwnSftp = lazy(screens.OwnSftp)
const OwnCopies = lazy(screens.OwnCopies)
const Bin = lazy(screens.Bin)
const Plans = lazy(screens.Plans)
const Databases = lazy(screens.Databases)
const Zones = lazy(screens.Zones)
const Zone = lazy(screens.Zone)
const Mirror = lazy(screens.Mirror)
const MirroredZone = lazy(screens.MirroredZone)
const Tokens = lazy(screens.Tokens)
const Webhooks = lazy(screens.Webhooks)
const Webhook = lazy(screens.Webhook)
const Persons = lazy(screens.Persons)
const Appearance = lazy(screens.Appearance)
const Audit = lazy(screens.Audit)
const Jobs = lazy(screens.Jobs)
const Import = lazy(screens.Import)
const Nodes = lazy(screens.Nodes)
const Account = lazy(screens.Account)
const CustomerHome = lazy(screens.CustomerHome)

/** Everything inside, by who is signed in. */
export default function Panel() {
  const now = session.use()
  useEffect(fetchAhead, [])
  if (now.kind !== 'in') return null
  const customer = now.person.rol === 'client'
  return (
    <LeaveGuard>
      <Shell customer={customer} key={now.person.cliente ?? ''}>
        <Suspense fallback={<Waiting />}>{customer ? <CustomerRoutes /> : <AdminRoutes />}</Suspense>
      </Shell>
      <SignInAgain />
    </LeaveGuard>
  )
}

const SITE_ROUTES = (
  <>
    <Route path="/panel/sitios" component={Sites} />
    <Route path="/panel/sitios/:domain/detalle">
      {({ domain }) => <Site key={domain} domain={domain} />}
    </Route>
    <Route path="/panel/sitios/:domain/archivos">
      {({ domain }) => <Files key={domain} domain={domain} />}
    </Route>
    <Route path="/panel/sitios/:domain/ajustes">
      {({ domain }) => <SiteSettings key={domain} domain={domain} />}
    </Route>
    <Route path="/panel/sitios/:domain/bitacora">
      {({ domain }) => <Logs key={domain} domain={domain} />}
    </Route>
    <Route path="/panel/sitios/:domain">{({ domain }) => <SiteItself domain={domain} />}</Route>
  </>
)

const ZONE_ROUTES = (
  <>
    <Route path="/panel/zonas" component={Zones} />
    <Route path="/panel/zonas/:zona/:tab?">
      {({ zona, tab }) => <Zone key={zona} name={zona} tab={tab ?? 'registros'} />}
    </Route>
  </>
)

function AdminRoutes() {
  return (
    <Switch>
      <Route path="/panel" component={Overview} />
      <Route path="/panel/clientes" component={Clients} />
      <Route path="/panel/clientes/nuevo" component={NewClient} />
      <Route path="/panel/clientes/:cliente/:tab?">
        {({ cliente, tab }) => <Client key={cliente} name={cliente} tab={tab ?? 'resumen'} />}
      </Route>
      {SITE_ROUTES}
      <Route path="/panel/papelera" component={Bin} />
      <Route path="/panel/planes" component={Plans} />
      {ZONE_ROUTES}
      <Route path="/panel/espejo" component={Mirror} />
      <Route path="/panel/espejo/:zona/detalle">
        {({ zona }) => <MirroredZone key={zona} name={zona} />}
      </Route>
      <Route path="/panel/tokens" component={Tokens} />
      <Route path="/panel/avisos" component={Webhooks} />
      <Route path="/panel/avisos/:id">{({ id }) => <Webhook key={id} id={id} />}</Route>
      <Route path="/panel/personas" component={Persons} />
      <Route path="/panel/apariencia" component={Appearance} />
      <Route path="/panel/auditoria" component={Audit} />
      <Route path="/panel/tareas" component={Jobs} />
      <Route path="/panel/importar" component={Import} />
      <Route path="/panel/nodos" component={Nodes} />
      <Route path="/panel/cuenta" component={Account} />
      <Route component={Missing} />
    </Switch>
  )
}

/** A suspended customer is told why, and its use; nothing else is answered (docs/api.md, "Work on the node"). */
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
            {SITE_ROUTES}
            <Route path="/panel/bases" component={Databases} />
            <Route path="/panel/sftp" component={OwnSftp} />
            <Route path="/panel/copias" component={OwnCopies} />
            <Route path="/panel/papelera" component={Bin} />
            {ZONE_ROUTES}
            <Route path="/panel/cuenta" component={Account} />
            <Route component={Missing} />
          </Switch>
        )
      }
    </Loaded>
  )
}

/** An address that was shortened by hand. */
const SiteItself = ({ domain }: { domain: string }) => <Redirect to={sitePath(domain)} replace />

function Missing() {
  return <PageHead title={texts.noSuchPage} lead={texts.missingPageAdvice} />
}

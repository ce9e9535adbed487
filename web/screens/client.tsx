import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { dateTime } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Icon } from '../ui/icons.tsx'
import { Card, Facts, Loaded, PageHead, TabLinks, Waiting } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { ActivateDialog, DeleteDialog, ImpersonateDialog, SuspendDialog } from './client-actions.tsx'
import { ClientLogin } from './client-login.tsx'
import { PlanCard } from './client-plan.tsx'
import { ClientSettings } from './client-settings.tsx'
import { clientPath } from './places.ts'
import { UsageCard } from './usage.tsx'

const AuditTable = lazy(() => import('./audit-table.tsx'))
const SiteTable = lazy(() => import('./site-table.tsx'))
const ZoneTable = lazy(() => import('./zones/table.tsx'))
const History = lazy(() => import('./history.tsx'))

export type ClientData = OutputOf<'GET /api/clientes/:cliente'>
export type ClientDialog = 'suspend' | 'activate' | 'delete' | 'impersonate' | null

/** One client, for admins. */
export default function Client({ name, tab }: { name: string; tab: string }) {
  const client = useRead(
    'GET /api/clientes/:cliente',
    { params: { cliente: name } },
    { again: ({ estado }) => (estado === 'eliminando' ? 2000 : false) },
  )
  return <Loaded of={client}>{(client) => <LoadedClient client={client} tab={tab} />}</Loaded>
}

function LoadedClient({ client, tab }: { client: ClientData; tab: string }) {
  const [dialog, setDialog] = useState<ClientDialog>(null)
  const close = () => setDialog(null)
  const name = client.cliente
  return (
    <>
      <PageHead
        mono
        title={name}
        wire="GET /api/clientes/:cliente"
        lead={
          <span className="head-line">
            <State state={client.estado} />
            {client.nombre ? <span>{client.nombre}</span> : null}
            {client.correo ? <span>{client.correo}</span> : null}
          </span>
        }
      >
        <Actions client={client} open={setDialog} />
      </PageHead>
      {client.estado === 'suspendido' ? (
        <div className="head-note">
          <Note
            tone="warn"
            title={`${t('Suspended since', 'Suspendido desde')} ${client.suspendido_desde ? dateTime(client.suspendido_desde) : '—'}`}
          >
            <p>{client.motivo ?? t('No reason was given.', 'No se dio ningún motivo.')}</p>
          </Note>
        </div>
      ) : null}
      <TabLinks
        label={name}
        current={tab}
        tabs={[
          { id: 'resumen', href: clientPath(name), label: t('Overview', 'Resumen') },
          { id: 'acceso', href: clientPath(name, 'acceso'), label: t('Login', 'Acceso') },
          { id: 'sitios', href: clientPath(name, 'sitios'), label: t('Sites', 'Sitios') },
          { id: 'zonas', href: clientPath(name, 'zonas'), label: t('Zones', 'Zonas') },
          { id: 'auditoria', href: clientPath(name, 'auditoria'), label: t('Audit', 'Auditoría') },
          { id: 'ajustes', href: clientPath(name, 'ajustes'), label: t('Settings', 'Ajustes') },
        ]}
      />
      <Suspense fallback={<Waiting />}>
        <Tab client={client} tab={tab} remove={() => setDialog('delete')} />
      </Suspense>
      <SuspendDialog client={client} opened={dialog === 'suspend'} close={close} />
      <ActivateDialog client={client} opened={dialog === 'activate'} close={close} />
      <ImpersonateDialog client={client} opened={dialog === 'impersonate'} close={close} />
      <DeleteDialog client={client} opened={dialog === 'delete'} close={close} />
    </>
  )
}

function Actions({ client, open }: { client: ClientData; open: (dialog: ClientDialog) => void }) {
  if (client.estado === 'eliminando') return null
  return (
    <>
      {client.acceso === 'sin_acceso' ? null : (
        <Button variant="default" leftSection={<Icon name="eye" />} onClick={() => open('impersonate')}>
          {t('See as customer', 'Ver como el cliente')}
        </Button>
      )}
      {client.estado === 'activo' ? (
        <Button variant="default" leftSection={<Icon name="pause" />} onClick={() => open('suspend')}>
          {t('Suspend', 'Suspender')}
        </Button>
      ) : (
        <Button leftSection={<Icon name="play" />} onClick={() => open('activate')}>
          {t('Activate', 'Activar')}
        </Button>
      )}
    </>
  )
}

function Tab({ client, tab, remove }: { client: ClientData; tab: string; remove: () => void }) {
  const name = client.cliente
  switch (tab) {
    case 'acceso':
      return <ClientLogin client={client} />
    case 'sitios':
      return <SiteTable cliente={name} />
    case 'zonas':
      return <ZoneTable cliente={name} />
    case 'auditoria':
      return <AuditTable filters={{ cliente: name }} />
    case 'ajustes':
      return <ClientSettings client={client} remove={remove} />
    default:
      return (
        <div className="columns">
          <div className="stack">
            <UsageCard cliente={name} />
            <History cliente={name} />
          </div>
          <div className="stack">
            <PlanCard client={client} />
            <About client={client} />
          </div>
        </div>
      )
  }
}

function About({ client }: { client: ClientData }) {
  return (
    <Card title={t('About', 'Datos')}>
      <Facts
        items={[
          [t('Reference', 'Referencia'), client.referencia ? <code key="r">{client.referencia}</code> : null],
          [t('Sites', 'Sitios'), client.sitios],
          [t('Login', 'Acceso'), <State key="a" state={client.acceso} />],
          [t('Node', 'Nodo'), <code key="n">{client.nodo}</code>],
          [
            t('Created', 'Creado'),
            `${dateTime(client.creado)} · ${client.creado_por === 'token' ? t('by a token', 'por un token') : t('by a person', 'por una persona')}`,
          ],
          [t('Changed', 'Cambiado'), dateTime(client.actualizado)],
        ]}
      />
    </Card>
  )
}

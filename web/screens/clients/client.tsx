import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { clientPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { dateTime } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Card, Facts, Loaded, PageHead, TabLinks, Waiting } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { UsageCard } from '../usage/card.tsx'
import { ActivateDialog, DeleteDialog, ImpersonateDialog, SuspendDialog } from './client-actions.tsx'
import { ClientLogin } from './client-login.tsx'
import { PlanCard } from './client-plan.tsx'
import { ClientSettings } from './client-settings.tsx'
import type { ClientData } from './data.ts'
import { texts } from './texts.ts'

const AuditTable = lazy(() => import('../audit/table.tsx'))
const DatabaseTable = lazy(() => import('../databases/table.tsx'))
const SiteTable = lazy(() => import('../sites/site-table.tsx'))
const Sftp = lazy(async () => ({ default: (await import('../sftp/accounts.tsx')).SftpAccounts }))
const Copies = lazy(async () => ({ default: (await import('../backups/copies.tsx')).ClientCopies }))
const ZoneTable = lazy(() => import('../zones/table.tsx'))
const History = lazy(() => import('../usage/history.tsx'))
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
            title={`${texts.suspendedSince} ${client.suspendido_desde ? dateTime(client.suspendido_desde) : '—'}`}
          >
            <p>{client.motivo ?? texts.noReasonWasGiven}</p>
          </Note>
        </div>
      ) : null}
      <TabLinks
        label={name}
        current={tab}
        tabs={[
          { id: 'resumen', href: clientPath(name), label: common.overview },
          { id: 'acceso', href: clientPath(name, 'acceso'), label: texts.login },
          { id: 'sitios', href: clientPath(name, 'sitios'), label: common.sites },
          { id: 'bases', href: clientPath(name, 'bases'), label: common.databases },
          { id: 'sftp', href: clientPath(name, 'sftp'), label: 'SFTP' },
          { id: 'copias', href: clientPath(name, 'copias'), label: common.copies },
          { id: 'zonas', href: clientPath(name, 'zonas'), label: common.zones },
          { id: 'auditoria', href: clientPath(name, 'auditoria'), label: texts.audit },
          { id: 'ajustes', href: clientPath(name, 'ajustes'), label: common.settings },
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
          {texts.seeAsCustomer}
        </Button>
      )}
      {client.estado === 'activo' ? (
        <Button variant="default" leftSection={<Icon name="pause" />} onClick={() => open('suspend')}>
          {texts.suspend}
        </Button>
      ) : (
        <Button leftSection={<Icon name="play" />} onClick={() => open('activate')}>
          {texts.activate}
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
    case 'bases':
      return <DatabaseTable cliente={name} />
    case 'sftp':
      return <Sftp cliente={name} />
    case 'copias':
      return <Copies cliente={name} />
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
    <Card title={texts.about}>
      <Facts
        items={[
          [texts.reference, client.referencia ? <code key="r">{client.referencia}</code> : null],
          [common.sites, client.sitios],
          [texts.login, <State key="a" state={client.acceso} />],
          [common.node, <code key="n">{client.nodo}</code>],
          [
            common.created,
            `${dateTime(client.creado)} · ${client.creado_por === 'token' ? texts.byAToken : texts.byAPerson}`,
          ],
          [texts.changed, dateTime(client.actualizado)],
        ]}
      />
    </Card>
  )
}

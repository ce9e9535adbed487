import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { session } from '../../api/session.ts'
import { clientPath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { counted } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded, PageHead, TabLinks, Waiting } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { ZoneMirror } from '../mirror/zone-mirror.tsx'
import { DelegationNote } from './delegation.tsx'
import { RecordsTab } from './records/records.tsx'
import { RemoveZone } from './remove.tsx'
import { texts } from './texts.ts'
import { lookAgain, type Zone, ZoneState } from './zone-state.tsx'

// The records come first, and alone.
const ChangesTab = lazy(() => import('./changes.tsx'))
const DnssecTab = lazy(() => import('./dnssec.tsx'))
const MailCheck = lazy(() => import('./mail/check.tsx'))
const TransferTab = lazy(() => import('./transfer.tsx'))

/** One DNS zone: its records, signing, zone file and mirror. */
export default function ZonePage({ name, tab }: { name: string; tab: string }) {
  const zone = useRead('GET /api/zonas/:zona', { params: { zona: name } }, { again: lookAgain })
  return <Loaded of={zone}>{(zone) => <LoadedZone zone={zone} tab={tab} />}</Loaded>
}

function LoadedZone({ zone, tab }: { zone: Zone; tab: string }) {
  const [removing, setRemoving] = useState(false)
  const now = session.use()
  const { zona } = zone
  // Only an admin starts one.
  const showsMirror =
    zone.espejo !== null || tab === 'espejo' || (now.kind === 'in' && now.person.rol === 'admin')
  const tabs = [
    { id: 'registros', label: common.records },
    { id: 'correo', label: texts.mail },
    { id: 'historial', label: texts.history },
    { id: 'dnssec', label: 'DNSSEC' },
    { id: 'archivo', label: texts.zoneFile },
    ...(showsMirror ? [{ id: 'espejo', label: texts.mirror }] : []),
  ]
  return (
    <>
      <PageHead mono title={zona} wire="GET /api/zonas/:zona" lead={<Head zone={zone} />}>
        <Button
          variant="default"
          leftSection={<Icon name="trash" size={14} />}
          onClick={() => setRemoving(true)}
        >
          {common.delete}
        </Button>
      </PageHead>
      {zone.error ? (
        <div className="zone-error">
          <Note tone="bad" title={texts.lastChangeNotServed}>
            <p>{zone.error}</p>
          </Note>
        </div>
      ) : null}
      <DelegationNote zone={zone} />
      <TabLinks
        label={zona}
        current={tab}
        tabs={tabs.map(({ id, label }) => ({ id, label, href: zonePath(zona, id) }))}
      />
      <Suspense fallback={<Waiting lines={8} />}>
        <Tab zone={zone} tab={tab} />
      </Suspense>
      <Dialog title={texts.deleteTheZone} opened={removing} close={() => setRemoving(false)}>
        <RemoveZone zone={zone} close={() => setRemoving(false)} />
      </Dialog>
    </>
  )
}

function Tab({ zone, tab }: { zone: Zone; tab: string }) {
  if (tab === 'correo') return <MailCheck zona={zone.zona} />
  if (tab === 'historial') return <ChangesTab zona={zone.zona} />
  if (tab === 'dnssec') return <DnssecTab zone={zone} />
  if (tab === 'archivo') return <TransferTab zona={zone.zona} />
  if (tab === 'espejo') return <ZoneMirror zona={zone.zona} mirror={zone.espejo} />
  return <RecordsTab zona={zone.zona} />
}

function Head({ zone }: { zone: Zone }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <span className="head-line">
      <ZoneState zone={zone} />
      {admin && !zone.probado ? <State state="sin_probar" /> : null}
      <span>
        {texts.serial} <code>{zone.serie}</code>
      </span>
      <span>{counted(zone.registros, texts.record, texts.records)}</span>
      {admin ? <Link href={clientPath(zone.cliente)}>{zone.cliente}</Link> : null}
      {zone.dnssec.activo ? <State state="activa" label="DNSSEC" /> : null}
      {zone.espejo ? (
        <State state={zone.espejo.estado} label={`${texts.mirror}: ${texts.seeItsTab}`} />
      ) : null}
    </span>
  )
}

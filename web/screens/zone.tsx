import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { Loaded, PageHead, TabLinks, Waiting } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { clientPath, zonePath } from './places.ts'
import { Published } from './zone-table.tsx'

const Records = lazy(() => import('./zone-records.tsx'))
const Transfer = lazy(() => import('./zone-transfer.tsx'))
const Signing = lazy(() => import('./zone-signing.tsx'))
const ZoneMirror = lazy(() => import('./zone-mirror.tsx'))
const RemoveZone = lazy(() => import('./zone-remove.tsx'))

export type ZoneData = OutputOf<'GET /api/zonas/:zona'>

/** One zone: records, file, DNSSEC, mirror. */
export default function Zone({ name, tab }: { name: string; tab: string }) {
  const zone = useRead(
    'GET /api/zonas/:zona',
    { params: { zona: name } },
    { again: ({ publicada, error }) => (publicada || error ? false : 1500) },
  )
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <Loaded of={zone}>
      {(zone) => (
        <>
          <PageHead
            mono
            title={zone.zona}
            wire="GET /api/zonas/:zona"
            lead={
              <span className="head-line">
                <Published zone={zone} />
                <span>
                  {t('serial', 'serie')} <code>{zone.serie}</code>
                </span>
                {admin ? (
                  <Link className="mono" href={clientPath(zone.cliente, 'zonas')}>
                    {zone.cliente}
                  </Link>
                ) : null}
              </span>
            }
          />
          {zone.error ? (
            <div className="head-note">
              <Note
                tone="bad"
                title={t(
                  'Publishing fails; the served zone is an older one.',
                  'La publicación falla; se sirve una versión anterior.',
                )}
              >
                {zone.error}
              </Note>
            </div>
          ) : null}
          <TabLinks
            label={zone.zona}
            current={tab}
            tabs={[
              { id: 'registros', href: zonePath(name), label: t('Records', 'Registros') },
              {
                id: 'archivo',
                href: zonePath(name, 'archivo'),
                label: t('Import and export', 'Importar y exportar'),
              },
              { id: 'dnssec', href: zonePath(name, 'dnssec'), label: 'DNSSEC' },
              { id: 'espejo', href: zonePath(name, 'espejo'), label: t('Mirror', 'Espejo') },
              { id: 'eliminar', href: zonePath(name, 'eliminar'), label: t('Delete', 'Eliminar') },
            ]}
          />
          <Suspense fallback={<Waiting />}>
            <Tab zone={zone} tab={tab} />
          </Suspense>
        </>
      )}
    </Loaded>
  )
}

function Tab({ zone, tab }: { zone: ZoneData; tab: string }) {
  switch (tab) {
    case 'archivo':
      return <Transfer zone={zone} />
    case 'dnssec':
      return <Signing zone={zone} />
    case 'espejo':
      return <ZoneMirror zone={zone} />
    case 'eliminar':
      return <RemoveZone zone={zone} />
    default:
      return <Records zone={zone} />
  }
}

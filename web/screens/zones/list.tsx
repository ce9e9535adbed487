import { t } from '../../i18n/language.ts'
import { PageHead } from '../../ui/page.tsx'
import ZoneTable from './table.tsx'

/** DNS zones: search, a new one, and the way into each. */
export default function ZoneList() {
  return (
    <>
      <PageHead
        title={t('DNS zones', 'Zonas DNS')}
        wire="GET /api/zonas"
        lead={t(
          'The records that the name servers of this panel answer.',
          'Los registros que responden los servidores de nombres de este panel.',
        )}
      />
      <ZoneTable />
    </>
  )
}

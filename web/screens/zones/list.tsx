import { common } from '../../text/common.ts'
import { PageHead } from '../../ui/page.tsx'
import ZoneTable from './table.tsx'
import { texts } from './texts.ts'

/** DNS zones: search, a new one, and the way into each. */
export default function ZoneList() {
  return (
    <>
      <PageHead title={common.dnsZones} wire="GET /api/zonas" lead={texts.whatThisListIs} />
      <ZoneTable />
    </>
  )
}

import { common } from '../../text/common.ts'
import { PageHead } from '../../ui/page.tsx'
import DatabaseTable from './table.tsx'
import { texts } from './texts.ts'

/** A customer's databases. */
export default function DatabaseList() {
  return (
    <>
      <PageHead title={common.databases} wire="GET /api/bases" lead={texts.whatTheyAre} />
      <DatabaseTable />
    </>
  )
}

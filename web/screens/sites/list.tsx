import { Button } from '@mantine/core'
import { useState } from 'react'
import { SITE_STATES } from '../../../schema/states.ts'
import { session } from '../../api/session.ts'
import { common } from '../../text/common.ts'
import { SearchFilter, StateFilter, useFilter, useStateFilter } from '../../ui/forms/filters.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NewSite } from './new-site.tsx'
import SiteTable from './site-table.tsx'
import { texts } from './texts.ts'

export default function Sites() {
  const [buscar] = useFilter('buscar')
  const estado = useStateFilter(SITE_STATES)
  const [open, setOpen] = useState(false)
  const now = session.use()
  const own = now.kind === 'in' ? now.person.cliente : null
  return (
    <>
      <PageHead title={common.sites} wire="GET /api/sitios">
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
          {texts.newSite}
        </Button>
      </PageHead>
      <SiteTable
        query={{ ...(buscar ? { buscar } : {}), ...(estado ? { estado } : {}) }}
        filters={
          <div className="filters">
            <SearchFilter name="buscar" label={texts.partOfDomain} />
            <StateFilter states={SITE_STATES} />
          </div>
        }
      />
      <NewSite {...(own ? { cliente: own } : {})} opened={open} close={() => setOpen(false)} />
    </>
  )
}

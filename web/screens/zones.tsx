import { Button } from '@mantine/core'
import { useState } from 'react'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { SearchFilter, useFilter } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page.tsx'
import ZoneTable, { NewZone } from './zone-table.tsx'

export default function Zones() {
  const [buscar] = useFilter('buscar')
  const [open, setOpen] = useState(false)
  const now = session.use()
  const own = now.kind === 'in' ? now.person.cliente : null
  return (
    <>
      <PageHead title={t('DNS zones', 'Zonas DNS')} wire="GET /api/zonas">
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
          {t('New zone', 'Zona nueva')}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={t('Name begins with', 'El nombre empieza por')} />
      </div>
      <ZoneTable {...(buscar ? { buscar } : {})} />
      <NewZone {...(own ? { cliente: own } : {})} opened={open} close={() => setOpen(false)} />
    </>
  )
}

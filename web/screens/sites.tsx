import { Button } from '@mantine/core'
import { useState } from 'react'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { stateWords } from '../i18n/states.ts'
import { ChoiceFilter, SearchFilter, useFilter } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page.tsx'
import { NewSite } from './new-site.tsx'
import SiteTable from './site-table.tsx'

const STATES = ['preparando', 'activo', 'suspendido', 'error', 'eliminando'] as const

export default function Sites() {
  const [buscar] = useFilter('buscar')
  const [estado] = useFilter('estado')
  const [open, setOpen] = useState(false)
  const now = session.use()
  const own = now.kind === 'in' ? now.person.cliente : null
  const state = STATES.find((one) => one === estado)
  return (
    <>
      <PageHead title={t('Sites', 'Sitios')} wire="GET /api/sitios">
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
          {t('New site', 'Sitio nuevo')}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={t('Domain begins with', 'El dominio empieza por')} />
        <ChoiceFilter
          name="estado"
          label={t('State', 'Estado')}
          options={STATES.map((value) => ({ value, label: stateWords(value).label }))}
        />
      </div>
      <SiteTable query={{ ...(buscar ? { buscar } : {}), ...(state ? { estado: state } : {}) }} />
      <NewSite {...(own ? { cliente: own } : {})} opened={open} close={() => setOpen(false)} />
    </>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { clientPath, zonePath } from '../places.ts'
import { CreateZone } from './create.tsx'
import { lookAgain, ZoneState } from './zone-state.tsx'

type Row = ItemOf<'GET /api/zonas'>

/** The zones that may be seen, or those of one client. */
export default function ZoneTable({ cliente }: { cliente?: string }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  const [creating, setCreating] = useState(false)
  const [search, setSearch] = useState('')
  const buscar = useDeferredValue(search.trim().toLowerCase())
  const query = { ...(buscar ? { buscar } : {}), ...(cliente ? { cliente } : {}) }
  const pages = usePages('GET /api/zonas', { query }, { again: soonest })
  return (
    <>
      <search className="filters">
        <TextInput
          className="grow"
          type="search"
          label={t('Zone begins with', 'La zona empieza por')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
        />
        <Button
          className="filter-action"
          leftSection={<Icon name="plus" />}
          onClick={() => setCreating(true)}
        >
          {t('New zone', 'Nueva zona')}
        </Button>
      </search>
      <PagedTable
        label={t('DNS zones', 'Zonas DNS')}
        pages={pages}
        rowKey={({ zona }) => zona}
        columns={columns(admin && cliente === undefined)}
        empty={<NoZones searched={buscar} />}
      />
      <Dialog title={t('New DNS zone', 'Nueva zona DNS')} opened={creating} close={() => setCreating(false)}>
        <CreateZone cliente={cliente} close={() => setCreating(false)} />
      </Dialog>
    </>
  )
}

/** Looks again while one of the zones shown is on its way. */
function soonest(rows: Row[]): number | false {
  const times = rows.map(lookAgain).filter((ms) => ms !== false)
  return times.length > 0 ? Math.min(...times) : false
}

function columns(withClient: boolean): Column<Row>[] {
  const all: (Column<Row> | false)[] = [
    {
      head: t('Zone', 'Zona'),
      cell: ({ zona }) => (
        <Link href={zonePath(zona)} className="name mono">
          {zona}
        </Link>
      ),
    },
    withClient && {
      head: t('Client', 'Cliente'),
      cell: ({ cliente }) => <Link href={clientPath(cliente)}>{cliente}</Link>,
    },
    {
      head: t('State', 'Estado'),
      cell: (zone) => (
        <div>
          <ZoneState zone={zone} />
          {zone.error ? <span className="sub">{zone.error}</span> : null}
        </div>
      ),
    },
    { head: t('Records', 'Registros'), end: true, cell: ({ registros }) => number(registros) },
    { head: t('Serial', 'Serie'), end: true, cell: ({ serie }) => <code>{serie}</code> },
    {
      head: 'DNSSEC',
      cell: ({ dnssec }) =>
        dnssec.activo ? <State state="activa" label={t('Signed', 'Firmada')} /> : <Nothing />,
    },
    {
      head: t('Mirror', 'Espejo'),
      cell: ({ espejo }) => (espejo ? <State state={espejo.estado} /> : <Nothing />),
    },
  ]
  return all.filter((column) => column !== false)
}

function NoZones({ searched }: { searched: string }) {
  if (searched) {
    return (
      <Empty icon="zones" title={t('No zone begins like that', 'Ninguna zona empieza así')}>
        <p>
          <code>{searched}</code>
        </p>
      </Empty>
    )
  }
  return (
    <Empty icon="zones" title={t('No DNS zones yet', 'Aún no hay zonas DNS')}>
      <p>
        {t(
          'A zone holds the records of a domain. A site makes its own; any other is made here.',
          'Una zona contiene los registros de un dominio. Cada sitio crea la suya; cualquier otra se crea aquí.',
        )}
      </p>
    </Empty>
  )
}

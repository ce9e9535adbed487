import { Button, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { clientPath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { CreateZone } from './create.tsx'
import { texts } from './texts.ts'
import { DelegationState, lookAgain, ZoneState } from './zone-state.tsx'

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
          label={common.zoneBeginsWith}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
        />
        <Button
          className="filter-action"
          leftSection={<Icon name="plus" />}
          onClick={() => setCreating(true)}
        >
          {texts.newZone}
        </Button>
      </search>
      <PagedTable
        label={common.dnsZones}
        pages={pages}
        rowKey={({ zona }) => zona}
        columns={columns(admin && cliente === undefined)}
        empty={<NoZones searched={buscar} />}
      />
      <Dialog title={texts.newDnsZone} opened={creating} close={() => setCreating(false)}>
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
      head: common.zone,
      cell: ({ zona }) => (
        <Link href={zonePath(zona)} className="name mono">
          {zona}
        </Link>
      ),
    },
    withClient && {
      head: common.client,
      cell: ({ cliente }) => <Link href={clientPath(cliente)}>{cliente}</Link>,
    },
    {
      head: common.state,
      cell: (zone) => (
        <div>
          <ZoneState zone={zone} />
          <DelegationState zone={zone} />
          {zone.error ? <span className="sub">{zone.error}</span> : null}
        </div>
      ),
    },
    { head: common.records, end: true, cell: ({ registros }) => number(registros) },
    { head: texts.serial, end: true, cell: ({ serie }) => <code>{serie}</code> },
    {
      head: 'DNSSEC',
      cell: ({ dnssec }) => (dnssec.activo ? <State state="activa" label={texts.signed} /> : <Nothing />),
    },
    {
      head: texts.mirror,
      cell: ({ espejo }) => (espejo ? <State state={espejo.estado} /> : <Nothing />),
    },
  ]
  return all.filter((column) => column !== false)
}

function NoZones({ searched }: { searched: string }) {
  if (searched) {
    return (
      <Empty icon="zones" title={texts.noZoneBeginsLike}>
        <p>
          <code>{searched}</code>
        </p>
      </Empty>
    )
  }
  return (
    <Empty icon="zones" title={texts.noDnsZonesYet}>
      <p>{texts.whatZonesAre}</p>
    </Empty>
  )
}

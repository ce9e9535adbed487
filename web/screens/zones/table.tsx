import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { clientPath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchFilter, useFilter } from '../../ui/forms/filters.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { CsvColumn } from '../../ui/lists/csv.ts'
import { useOrder } from '../../ui/lists/order.tsx'
import { ListTools } from '../../ui/lists/tools.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { CreateZone } from './create.tsx'
import { texts } from './texts.ts'
import { DelegationState, lookAgain, ZoneState } from './zone-state.tsx'

type Row = ItemOf<'GET /api/zonas'>
const COLUMNS = ['zona', 'cliente', 'serie', 'dnssec', 'creado'] as const

/** The zones that may be seen, or those of one client. */
export default function ZoneTable({ cliente }: { cliente?: string }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  const [creating, setCreating] = useState(false)
  const [buscar] = useFilter('buscar')
  const order = useOrder(COLUMNS)
  const query = {
    ...(buscar ? { buscar } : {}),
    ...(cliente ? { cliente } : {}),
    ...(order.current ? { orden: order.current } : {}),
  }
  const pages = usePages('GET /api/zonas', { query: { ...query, contar: 'si' } }, { again: soonest })
  return (
    <>
      <search className="filters">
        <SearchFilter name="buscar" label={texts.partOfName} />
        <Button
          className="filter-action"
          leftSection={<Icon name="plus" />}
          onClick={() => setCreating(true)}
        >
          {texts.newZone}
        </Button>
      </search>
      {cliente ? null : <ListTools op="GET /api/zonas" query={query} listing="zonas" csv={csv()} />}
      <PagedTable
        twoLines
        order={order}
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
      sort: 'zona',
      line: 1,
      cell: ({ zona }) => (
        <Link href={zonePath(zona)} className="name mono">
          {zona}
        </Link>
      ),
    },
    withClient && {
      head: common.client,
      sort: 'cliente',
      line: 2,
      cell: ({ cliente }) => <Link href={clientPath(cliente)}>{cliente}</Link>,
    },
    {
      head: common.state,
      line: 1,
      cell: (zone) => (
        <div>
          <ZoneState zone={zone} />
          <DelegationState zone={zone} />
          {zone.error ? <span className="sub">{zone.error}</span> : null}
        </div>
      ),
    },
    { head: common.records, end: true, line: 2, cell: ({ registros }) => number(registros) },
    { head: texts.serial, sort: 'serie', end: true, cell: ({ serie }) => <code>{serie}</code> },
    {
      head: 'DNSSEC',
      sort: 'dnssec',
      cell: ({ dnssec }) => (dnssec.activo ? <State state="activa" label={texts.signed} /> : <Nothing />),
    },
    {
      head: texts.mirror,
      cell: ({ espejo }) => (espejo ? <State state={espejo.estado} /> : <Nothing />),
    },
  ]
  return all.filter((column) => column !== false)
}

const csv = (): CsvColumn<Row>[] => [
  [common.zone, ({ zona }) => zona],
  [common.client, ({ cliente }) => cliente],
  [common.records, ({ registros }) => registros],
  [texts.serial, ({ serie }) => serie],
  ['DNSSEC', ({ dnssec }) => (dnssec.activo ? texts.signed : null)],
  [texts.mirror, ({ espejo }) => (espejo ? stateWords(espejo.estado).label : null)],
]

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

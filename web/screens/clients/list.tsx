import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { CLIENT_STATES } from '../../../schema/states.ts'
import { usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { clientPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { bytes, relative } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { SearchFilter, StateFilter, useFilter, useStateFilter } from '../../ui/forms/filters.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { CsvColumn } from '../../ui/lists/csv.ts'
import { useOrder } from '../../ui/lists/order.tsx'
import { ListTools } from '../../ui/lists/tools.tsx'
import { Bar } from '../../ui/meter.tsx'
import { Empty, Nothing, PageHead } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { PlanFilter } from '../plans/names.tsx'
import { BulkBar } from './bulk.tsx'
import { texts } from './texts.ts'

type Client = ItemOf<'GET /api/clientes'>
const COLUMNS = ['cliente', 'nombre', 'correo', 'plan', 'estado', 'disco', 'creado'] as const

/** Clients by cursor, with their filters in the address. */
export default function Clients() {
  const [buscar] = useFilter('buscar')
  const estado = useStateFilter(CLIENT_STATES)
  const [plan, setPlan] = useFilter('plan')
  const [referencia, setReferencia] = useFilter('referencia')
  const order = useOrder(COLUMNS)
  const [keys, choose] = useState<ReadonlySet<string>>(new Set())
  const query: InputOf<'GET /api/clientes'>['query'] = {
    ...(buscar ? { buscar } : {}),
    ...(estado ? { estado } : {}),
    ...(plan ? { plan } : {}),
    ...(referencia ? { referencia } : {}),
    ...(order.current ? { orden: order.current } : {}),
  }
  const clients = usePages(
    'GET /api/clientes',
    { query: { ...query, contar: 'si' } },
    { again: (rows) => (rows.some((row) => row.estado === 'eliminando') ? 2000 : false) },
  )
  return (
    <>
      <PageHead title={common.clients} wire="GET /api/clientes">
        <Button component={Link} href="/panel/clientes/nuevo" leftSection={<Icon name="plus" />}>
          {common.newClient}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={texts.searchHint} />
        <StateFilter states={CLIENT_STATES} />
        <PlanFilter value={plan} onChange={setPlan} />
        <TextField
          mono
          label={texts.reference}
          value={referencia}
          onChange={setReferencia}
          placeholder="whmcs:41"
        />
      </div>
      <ListTools op="GET /api/clientes" query={query} listing="clientes" csv={csv()} />
      <PagedTable
        twoLines
        order={order}
        chosen={{ keys, choose }}
        label={common.clients}
        pages={clients}
        rowKey={({ cliente }) => cliente}
        columns={columns()}
        empty={<NoClients filtered={Object.keys(query).length > 0} />}
      />
      <BulkBar
        clients={clients.rows.filter(({ cliente }) => keys.has(cliente))}
        clear={() => choose(new Set())}
      />
    </>
  )
}

const columns = (): Column<Client>[] => [
  {
    head: common.client,
    sort: 'cliente',
    line: 1,
    cell: ({ cliente, nombre }) => (
      <>
        <Link className="name mono" href={clientPath(cliente)}>
          {cliente}
        </Link>
        {nombre ? <span className="sub">{nombre}</span> : null}
      </>
    ),
  },
  { head: common.state, sort: 'estado', line: 1, cell: ({ estado }) => <State state={estado} /> },
  { head: 'Plan', sort: 'plan', line: 2, cell: ({ plan }) => plan ?? <Nothing /> },
  { head: common.sites, end: true, narrow: true, cell: ({ sitios }) => sitios },
  { head: common.disk, sort: 'disco', narrow: true, line: 2, cell: ({ disco }) => <Disk disco={disco} /> },
  { head: texts.login, cell: ({ acceso }) => <State state={acceso} /> },
  {
    head: common.eMail,
    sort: 'correo',
    long: true,
    cell: ({ correo, referencia }) => (
      <>
        {correo ?? <Nothing />}
        {referencia ? <span className="sub mono">{referencia}</span> : null}
      </>
    ),
  },
  { head: common.created, sort: 'creado', narrow: true, cell: ({ creado }) => relative(creado) },
]

function Disk({ disco }: Pick<Client, 'disco'>) {
  if (disco === null) return <Nothing />
  const { usado, limite } = disco
  const share = limite === null ? null : limite === 0 ? 1 : usado / limite
  return (
    <>
      {bytes(usado)}
      {limite === null ? null : <span className="faint small">{` ${common.of} ${bytes(limite)}`}</span>}
      {share === null ? null : (
        <Bar share={share} tone={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good'} />
      )}
    </>
  )
}

const csv = (): CsvColumn<Client>[] => [
  [common.client, ({ cliente }) => cliente],
  [texts.displayName, ({ nombre }) => nombre],
  [common.state, ({ estado }) => stateWords(estado).label],
  ['Plan', ({ plan }) => plan],
  [common.sites, ({ sitios }) => sitios],
  [texts.diskBytes, ({ disco }) => disco?.usado ?? null],
  [texts.diskLimitBytes, ({ disco }) => disco?.limite ?? null],
  [texts.login, ({ acceso }) => stateWords(acceso).label],
  [common.eMail, ({ correo }) => correo],
  [texts.reference, ({ referencia }) => referencia],
  [common.created, ({ creado }) => creado],
]

function NoClients({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon="clients" title={texts.noClientFitsThese}>
      <Link href="/panel/clientes">{texts.showAll}</Link>
    </Empty>
  ) : (
    <Empty icon="clients" title={texts.noClientsYet}>
      <p>{texts.whatNewClientMakes}</p>
    </Empty>
  )
}

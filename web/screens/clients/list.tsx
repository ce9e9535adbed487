import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { CLIENT_STATES } from '../../../schema/states.ts'
import { usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { clientPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { relative } from '../../text/format.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { SearchFilter, StateFilter, useFilter, useStateFilter } from '../../ui/forms/filters.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { PlanFilter } from '../plans/names.tsx'
import { texts } from './texts.ts'

type Client = ItemOf<'GET /api/clientes'>

/** Clients by cursor, with their filters in the address. */
export default function Clients() {
  const [buscar] = useFilter('buscar')
  const estado = useStateFilter(CLIENT_STATES)
  const [plan, setPlan] = useFilter('plan')
  const [referencia, setReferencia] = useFilter('referencia')
  const query: InputOf<'GET /api/clientes'>['query'] = {
    ...(buscar ? { buscar } : {}),
    ...(estado ? { estado } : {}),
    ...(plan ? { plan } : {}),
    ...(referencia ? { referencia } : {}),
  }
  const clients = usePages(
    'GET /api/clientes',
    { query },
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
        <SearchFilter name="buscar" label={texts.nameEMailBegins} />
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
      <PagedTable
        label={common.clients}
        pages={clients}
        rowKey={({ cliente }) => cliente}
        columns={columns()}
        empty={<NoClients filtered={Object.keys(query).length > 0} />}
      />
    </>
  )
}

const columns = (): Column<Client>[] => [
  {
    head: common.client,
    cell: ({ cliente, nombre }) => (
      <>
        <Link className="name mono" href={clientPath(cliente)}>
          {cliente}
        </Link>
        {nombre ? <span className="sub">{nombre}</span> : null}
      </>
    ),
  },
  { head: common.state, cell: ({ estado }) => <State state={estado} /> },
  { head: 'Plan', cell: ({ plan }) => plan ?? <Nothing /> },
  { head: common.sites, end: true, narrow: true, cell: ({ sitios }) => sitios },
  { head: texts.login, cell: ({ acceso }) => <State state={acceso} /> },
  {
    head: common.eMail,
    long: true,
    cell: ({ correo, referencia }) => (
      <>
        {correo ?? <Nothing />}
        {referencia ? <span className="sub mono">{referencia}</span> : null}
      </>
    ),
  },
  { head: common.created, narrow: true, cell: ({ creado }) => relative(creado) },
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

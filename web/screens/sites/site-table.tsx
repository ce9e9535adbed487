import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { clientPath, sitePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { day } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import { Icon } from '../../ui/icons.tsx'
import type { CsvColumn } from '../../ui/lists/csv.ts'
import { useOrder } from '../../ui/lists/order.tsx'
import { useIsShort } from '../../ui/lists/short.ts'
import { ListTools } from '../../ui/lists/tools.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { NewSite } from './new-site.tsx'
import { texts } from './texts.ts'

type Site = ItemOf<'GET /api/sitios'>
type Query = InputOf<'GET /api/sitios'>['query']

const COLUMNS = ['domain', 'cliente', 'estado', 'https', 'php', 'creado'] as const

type Props = {
  cliente?: string
  query?: Query
  /** What narrows them down, where there are more than are seen at once. */
  filters?: ReactNode
}

/** Sites by cursor: all of them, or those of one client. */
export default function SiteTable({ cliente, query = {}, filters }: Props) {
  const [open, setOpen] = useState(false)
  const now = session.use()
  const customer = now.kind === 'in' && now.person.rol === 'client'
  const order = useOrder(COLUMNS)
  const asked = {
    ...query,
    ...(cliente ? { cliente } : {}),
    ...(order.current ? { orden: order.current } : {}),
  }
  const sites = usePages(
    'GET /api/sitios',
    { query: { ...asked, contar: 'si' } },
    { again: (rows) => (rows.some(isMoving) ? 2000 : false) },
  )
  const short = useIsShort(sites, Boolean(query.buscar || query.estado || order.current))
  return (
    <>
      {short ? null : filters}
      {cliente ? (
        <div className="table-top">
          <Button size="xs" leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
            {texts.newSite}
          </Button>
        </div>
      ) : short ? null : (
        <ListTools op="GET /api/sitios" query={asked} listing="sitios" csv={csv()} />
      )}
      <PagedTable
        twoLines
        label={common.sites}
        pages={sites}
        order={short ? undefined : order}
        rowKey={({ domain }) => domain}
        columns={columns({ owner: !cliente && !customer, customer })}
        empty={<Empty icon="sites" title={texts.noSites} />}
      />
      {cliente ? <NewSite cliente={cliente} opened={open} close={() => setOpen(false)} /> : null}
    </>
  )
}

const columns = (shown: { owner: boolean; customer: boolean }): Column<Site>[] => [
  {
    head: common.domain,
    sort: 'domain',
    line: 1,
    long: true,
    cell: (site) => (
      <>
        <Link className="name mono" href={sitePath(site.domain)}>
          {site.domain_unicode}
        </Link>
        {site.aliases.length > 0 ? <Aliases names={site.aliases} /> : null}
      </>
    ),
  },
  ...(shown.owner ? [ownerColumn()] : []),
  {
    head: common.state,
    sort: 'estado',
    line: 1,
    cell: ({ estado, probado }) => (
      <>
        <State state={estado} />
        {shown.customer || probado ? null : (
          <span className="sub">
            <State state="sin_probar" />
          </span>
        )}
      </>
    ),
  },
  {
    head: 'HTTPS',
    sort: 'https',
    line: 2,
    cell: ({ https }) => (
      <>
        <State state={https.estado} />
        {https.estado === 'activo' && https.caduca ? (
          <span className="sub">
            {texts.until} {day(https.caduca)}
          </span>
        ) : null}
      </>
    ),
  },
  { head: 'PHP', sort: 'php', narrow: true, line: 2, cell: ({ php }) => php ?? <Nothing /> },
  { head: common.zone, cell: ({ zona }) => (zona ? <code>{zona}</code> : <Nothing />) },
]

const ownerColumn = (): Column<Site> => ({
  head: common.client,
  sort: 'cliente',
  line: 2,
  cell: ({ cliente }) => (
    <Link className="mono" href={clientPath(cliente)}>
      {cliente}
    </Link>
  ),
})

const csv = (): CsvColumn<Site>[] => [
  [common.domain, ({ domain }) => domain],
  [common.aliases, ({ aliases }) => aliases.join(' ')],
  [common.client, ({ cliente }) => cliente],
  [common.state, ({ estado }) => stateWords(estado).label],
  ['HTTPS', ({ https }) => stateWords(https.estado).label],
  [common.expires, ({ https }) => https.caduca],
  ['PHP', ({ php }) => php],
  [common.zone, ({ zona }) => zona],
  [common.created, ({ creado }) => creado],
]

const isMoving = ({ estado, https }: Site) =>
  estado === 'preparando' || estado === 'eliminando' || https.estado === 'pendiente'

function Aliases({ names }: { names: string[] }) {
  const shown = names.slice(0, 2).join(', ')
  return (
    <span className="sub mono">
      {shown}
      {names.length > 2 ? ` +${names.length - 2}` : ''}
    </span>
  )
}
